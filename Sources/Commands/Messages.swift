import Explorer
import Stores
import TerminalUI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The messages for failures of commands, in one table. Errors of libraries have their own messages.
extension Failure {
  private static func usage(_ message: String) -> Failure {
    Failure(message: message, status: ExitStatus.usage)
  }

  private static func store(_ message: String) -> Failure {
    Failure(message: message, status: ExitStatus.store)
  }

  private static func invalidQuery(_ message: String) -> Failure {
    Failure(message: message, status: ExitStatus.invalidQuery)
  }

  // MARK: Arguments

  static func unknownCommand(_ word: String, known: [String]) -> Failure {
    let nearest = NearestWord.find(word, among: known).map { "Did you mean '\($0)'?" }
    return usage("Unknown command '\(word)'. " + (nearest ?? "'sonde --help' lists all commands."))
  }

  static func unknownSubcommand(_ word: String, of command: String, known: [String]) -> Failure {
    let nearest = NearestWord.find(word, among: known).map { "Did you mean '\(command) \($0)'?" }
    return usage(
      "Unknown command '\(command) \(word)'. "
        + (nearest ?? "Commands: \(known.map { command + " " + $0 }.joined(separator: ", "))."))
  }

  static let demosNotInstalled = usage(
    "The demos are not installed ('sonde doctor' shows where they should be). Open a store instead, "
      + "for example: sonde ./data")

  static func unknownDemo(_ name: String, known: [String]) -> Failure {
    usage("Unknown demo '\(name)'. Demos: \(known.joined(separator: ", ")).")
  }

  static func unknownTheme(_ name: String, hint: String, known: String) -> Failure {
    usage("Unknown theme '\(name)'.\(hint) Themes: \(known).")
  }

  static func unsupportedScheme(_ scheme: String) -> Failure {
    usage(
      "Unsupported address \(scheme)://. Supported: ws://, wss://, instant://, "
        + "postgres:// and paths.")
  }

  static let emptyAddress = usage(
    "The name of the store is empty. Name a file, a folder or a server.")

  static func webAddress(_ scheme: String) -> Failure {
    usage(
      "Servers use ws:// or wss://, not \(scheme)://. Try "
        + "\(scheme == "http" ? "ws" : "wss")://HOST:PORT/APP-ID, or instant://APP-ID for an app at "
        + "Instant. To open a file from the web: curl -s URL | sonde -")
  }

  static func notPostgres(_ store: String) -> Failure {
    usage(
      "'\(StoreLocation.withoutSecrets(store))' is not a PostgreSQL database. Use "
        + "postgres://HOST/DATABASE.")
  }

  static func needsPostgres(_ option: String) -> Failure {
    usage("\(option) needs a PostgreSQL database: postgres://HOST/DATABASE.")
  }

  // MARK: Input and output

  static func unreadableInput(_ name: String, _ reason: String) -> Failure {
    usage("\(name) cannot be read: \(reason).")
  }

  static let emptyInput = store(
    "Standard input is empty, so there is nothing to open. Check the command before the pipe.")

  static let noTerminalForKeys = usage(
    "The explorer needs a terminal to read keys from, because standard input contains the data. "
      + "Use 'sonde query - QUERY' instead.")

  static func answerNotWritten(errno number: Int32) -> Failure {
    invalidQuery("The answer could not be written: \(String(cString: strerror(number))).")
  }

  static func noPipe(errno number: Int32) -> Failure {
    store("Cannot create a pipe: \(String(cString: strerror(number))).")
  }

  static func logNotWritten(_ path: String, errno number: Int32) -> Failure {
    usage("Cannot write to the log file \(path): \(String(cString: strerror(number))).")
  }

  static func queriesFailed(_ count: Int) -> Failure {
    invalidQuery(
      count == 1
        ? "1 query failed; see its line in the output."
        : "\(count) queries failed; see their lines in the output.")
  }

  // MARK: Export

  static let formatNeeded = usage(
    "An export to standard output needs --format backup, dump, json, jsonl, csv or sqlite.")

  static let formatOfDatabase = usage(
    "An export to PostgreSQL always creates tables. Omit --format, or export to a file.")

  static func notForTerminal(_ what: String) -> Failure {
    usage(
      "\(what) and cannot be shown on a terminal. Redirect it to a file, or choose --format dump.")
  }

  static func temporaryFolder(_ reason: String) -> Failure {
    store("Cannot write to the folder for temporary files: \(reason).")
  }

  static let nothingToExport = usage(
    "The store has no namespaces, so there is nothing to write.")

  static func severalNamespaces(_ names: [String], as format: String) -> Failure {
    usage(
      "\(format) on standard output can contain only one namespace, but the store has "
        + "\(names.count) (\(names.prefix(8).joined(separator: ", "))). Export to a folder with --to, "
        + "choose --format dump, or print one namespace with 'sonde query'.")
  }

  static func exportExists(_ path: String) -> Failure {
    usage("\(path) already exists. Choose another name, or overwrite it with --force.")
  }

  static func exportOntoItself(_ target: String) -> Failure {
    usage("\(target) is the store being exported. Choose another target.")
  }

  static func exportHoldsOthers(_ path: String) -> Failure {
    usage(
      "\(path) contains files that are not an export, so it is not overwritten. Choose another name."
    )
  }

  static func exportToStore(_ path: String) -> Failure {
    usage(
      ".sonde is not an export format. To create a store: sonde import STORE --into \(path)")
  }

  static func exportWithoutFormat(_ path: String) -> Failure {
    usage(
      "The export to \(path) would be a folder of files, not one file. Use a name without an "
        + "extension, or add --format.")
  }

  static func exportExtension(_ ending: String) -> Failure {
    usage(
      "Unknown extension \(ending). Use .zip for a backup, .json for a dump, .sqlite or .db for a "
        + "database, no extension for a folder of JSON, or add --format.")
  }

  static func notSalvageable(_ name: String) -> Failure {
    usage("--salvage needs a damaged .sonde file; \(name) is not a .sonde file.")
  }

  // MARK: Changes

  static func importTarget(_ path: String) -> Failure {
    usage("--into needs a .sonde file, not \(path).")
  }

  static func importSource(_ address: String) -> Failure {
    let shown = StoreLocation.withoutSecrets(address)
    return usage(
      "\(shown) is not a file or folder. Export it first: sonde export \(shown) --to FILE.json, then "
        + "import FILE.json.")
  }

  static func storeMissing(_ path: String) -> Failure {
    store("\(path) does not exist. Add --create to create it.")
  }

  static func storeReadOnly(_ path: String) -> Failure {
    usage(
      "Changes to \(path) cannot be saved. Import it first: "
        + "sonde import \(path) --into FILE.sonde")
  }

  static let changeQueued = store(
    "The server is unreachable. The change is queued and will be sent when the server is back.")

  // MARK: Tokens

  static func notServer(_ address: String) -> Failure {
    usage("\(StoreLocation.withoutSecrets(address)) is not a server, and only servers need tokens.")
  }

  static func noToken(_ address: String) -> Failure {
    usage(
      "Standard input is empty, so there is no token to store. Run the command on a terminal, or: "
        + "sonde token \(address) < token.txt")
  }

  static let noTokenFolder = store(
    "There is no folder to store the token in. Set HOME or XDG_STATE_HOME.")
}
