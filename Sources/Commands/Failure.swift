import DataSources
import Dispatch
import Explorer
import InstaQL
import LiveQueries
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why the program ends without having done what it was asked: a sentence and a status.
struct Failure: Error {
  /// One sentence: where, and what.
  var message: String
  let status: Int32
  /// What to do next, where the message does not say it.
  var hint: String?
  /// What a program wants to know beside the message: `path`, `line`, `column`, `kind`.
  var details = JSONObject()

  /// The message and the hint, for a person.
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
  /// What rooms below say of an error that they do not know.
  var description: String { sentences }
}

extension Failure {
  /// A question that cannot be answered: what is wrong, and what to do about it.
  init(_ error: QueryError) {
    self.init(message: error.message, status: ExitStatus.question, hint: error.hint)
    details = error.details
  }

  init(_ error: StoreError) {
    self.init(message: error.message, status: ExitStatus.store)
  }

  /// Wrong use of the command: one sentence, and where there is help.
  ///
  /// - Parameters:
  ///   - sentence: The argument parser's, which sets out some choices as a list of lines.
  ///   - help: All that it would say, with usage and more: its last line names the command.
  init(usage sentence: String, help: String) {
    var lines = sentence.split(separator: "\n").map(String.init)[...]
    var message = lines.popFirst() ?? "That is no way to use it"
    if !lines.isEmpty {
      let choices = lines.map { $0.drop { $0 == " " || $0 == "-" } }
      message += " " + choices.joined(separator: ", ")
    }
    if message.last.map({ !".?!".contains($0) }) ?? false { message += "." }
    message = OptionHint.corrected(message)
    let last = help.split(separator: "\n").last.map { $0.drop { $0 == " " } }
    if let last, last.hasPrefix("See '") { message += " " + last }
    self.init(message: message, status: ExitStatus.usage)
  }

  /// What a store says while it is used.
  init(_ error: DataSourceError) { self.init(LiveFailure(error)) }

  /// Why a live query has no answer.
  init(_ failure: LiveFailure) {
    var details: JSONObject = ["kind": .text(failure.kind.rawValue)]
    details["type"] = failure.type.map(Value.text)
    // What a server says for programs.
    if let hint = failure.hint, case .object(let facts)? = try? JSONReader.value(of: hint) {
      details["details"] = .object(facts)
    }
    self.init(
      message: failure.message,
      status: failure.kind == .refused ? ExitStatus.question : ExitStatus.store,
      hint: failure.advice, details: details)
  }
}

extension QueryError {
  /// Where the question is wrong.
  fileprivate var details: JSONObject {
    var object = JSONObject()
    if case .validation(let fault) = self {
      // The message of a refusal begins with its path; the path stands for itself as well.
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

/// What the program's end says to a script.
enum ExitStatus {
  static let fine: Int32 = 0
  /// The question failed.
  static let question: Int32 = 1
  static let usage: Int32 = 2
  /// The store cannot be reached or read.
  static let store: Int32 = 3
  static let interrupted: Int32 = 130

  /// What each says, for the manual.
  static let meanings = [
    (fine, "All went well."), (question, "The question is wrong, or was refused."),
    (usage, "Wrong use of the command."),
    (store, "The store cannot be reached or read, or does not answer."),
    (interrupted, "Interrupted."),
  ]

  /// Ends the program, its stores closed.
  static func end(_ status: Int32) -> Never {
    closeStores()
    exit(status)
  }

  /// Closes the store files that are open, so that each holds everything by itself.
  static func closeStores() {
    if OpenStores.isEmpty { return }
    let deadline = DispatchTime.now() + closingTimeout
    _ = Task { await OpenStores.closeAll() }.wait(until: deadline)
    OpenStores.waitUntilClosed(deadline)
  }

  /// A disk that takes longer is not waited for: what was written is in the log beside the file.
  private static let closingTimeout = DispatchTimeInterval.seconds(10)
}
