import DataSources
import Dispatch
import Explorer
import InstaQL
import LiveQueries
import Stores
import TerminalUI
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An error that ends the program: a message and an exit status.
struct Failure: Error {
  /// What failed and where, in one sentence.
  var message: String
  let status: Int32
  /// Advice that is shown after the message; nil if there is none.
  var hint: String?
  /// Members that `--json-errors` adds to the error, such as `path`, `line`, `column` and `kind`.
  var details = JSONObject()
  /// The address at which no store was found, which may be a misspelled command; nil for other
  /// errors.
  var unknownAddress: String?

  /// Returns the failure with the nearest command as its advice, if the address resembles a
  /// command.
  func suggesting(commands: [String]) -> Failure {
    guard let unknownAddress, let command = NearestWord.find(unknownAddress, among: commands)
    else { return self }
    var failure = self
    failure.hint =
      command == unknownAddress
      ? "To run the command, put its name before the options: sonde \(command) …"
      : "Did you mean the command '\(command)'?"
    return failure
  }

  /// The message and the advice as text.
  var sentences: String { LiveFailure.sentences(message, hint) }

  /// The error as `--json-errors` prints it.
  var json: Value {
    var error: JSONObject = ["message": .text(message)]
    error["hint"] = hint.map(Value.text)
    error["status"] = .integer(Int64(status))
    for member in details.members { error[member.key] = member.value }
    return ["error": .object(error)]
  }
}

extension Failure: CustomStringConvertible {
  /// The message and the advice, for code that only knows that this is an error.
  var description: String { sentences }
}

extension Failure {
  /// Creates a failure for a query that cannot be answered, with advice.
  init(_ error: QueryError) {
    self.init(message: error.message, status: ExitStatus.invalidQuery, hint: error.hint)
    details = error.details
  }

  init(_ error: StoreError) {
    self.init(message: error.message, status: ExitStatus.store)
  }

  /// Creates a failure for invalid arguments. The failure refers to the help.
  ///
  /// - Parameters:
  ///   - sentence: The argument parser's message, which may list choices on several lines.
  ///   - help: The argument parser's complete help, whose last line names the command.
  ///   - program: The program, whose options are suggested.
  init(usage sentence: String, help: String, program: ProgramDescription) {
    var lines = sentence.split(separator: "\n").map(String.init)[...]
    var message = lines.popFirst() ?? "Invalid arguments"
    if !lines.isEmpty {
      let choices = lines.map { $0.drop { $0 == " " || $0 == "-" } }
      message += " " + choices.joined(separator: ", ")
    }
    if message.last.map({ !".?!".contains($0) }) ?? false { message += "." }
    message = OptionHint.corrected(message, of: program)
    let last = help.split(separator: "\n").last.map { $0.drop { $0 == " " } }
    if let last, last.hasPrefix("See '") { message += " " + last }
    self.init(message: message, status: ExitStatus.usage)
  }

  /// Creates a failure for an error of a store.
  init(_ error: DataSourceError) { self.init(LiveFailure(error)) }

  /// Creates a failure for a failed live query.
  init(_ failure: LiveFailure) {
    var details: JSONObject = ["kind": .text(failure.kind.rawValue)]
    details["type"] = failure.type.map(Value.text)
    // The hint of a server may be a JSON object with details for programs.
    if let hint = failure.hint, case .object(let facts)? = try? JSONReader.value(of: hint) {
      details["details"] = .object(facts)
    }
    self.init(
      message: failure.message,
      status: failure.kind == .refused ? ExitStatus.invalidQuery : ExitStatus.store,
      hint: failure.advice, details: details)
  }
}

extension QueryError {
  /// The position of the error in the query, as members for `--json-errors`.
  fileprivate var details: JSONObject {
    var object = JSONObject()
    if case .validation(let fault) = self {
      // The message begins with the path, which is also a separate member.
      object["path"] = fault.path.map { .text($0) }
    }
    if case .invalid(let path, _) = self, !path.isEmpty { object["path"] = .text(path) }
    if let (line, column) = position {
      object["line"] = .integer(Int64(line))
      object["column"] = .integer(Int64(column))
    }
    return object
  }
}

/// The exit statuses of the program.
enum ExitStatus {
  static let success: Int32 = 0
  /// The query is invalid or has failed.
  static let invalidQuery: Int32 = 1
  static let usage: Int32 = 2
  /// The store cannot be reached or read.
  static let store: Int32 = 3
  static let interrupted: Int32 = 130

  /// The descriptions of the exit statuses for the manual page.
  static let meanings = [
    (success, "Success."), (invalidQuery, "The query is invalid or was rejected."),
    (usage, "Invalid arguments."),
    (store, "The store is unreachable or unreadable, or does not answer."),
    (interrupted, "Interrupted."),
  ]

  /// Exits the program after closing its stores.
  static func end(_ status: Int32) -> Never {
    closeStores()
    exit(status)
  }

  /// Closes the open store files, so that no write-ahead logs remain.
  static func closeStores() {
    if OpenStores.isEmpty { return }
    let deadline = DispatchTime.now() + closingTimeout
    _ = Task { await OpenStores.closeAll() }.wait(until: deadline)
    OpenStores.waitUntilClosed(deadline)
  }

  /// How long the program may take to close its stores.
  ///
  /// If the disk is slower, the data stays in the write-ahead log.
  private static let closingTimeout = DispatchTimeInterval.seconds(10)
}
