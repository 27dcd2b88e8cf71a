import DataSources
import Stores
import TerminalUI
import WebSockets

/// The location of a store, parsed from the STORE argument.
enum StoreLocation: Equatable {
  case demo(name: String, folder: String)
  /// A folder of data files, or a single data file.
  case folder(String)
  /// A .sonde store file.
  case storeFile(String)
  case tripleDump(String)
  /// Data from standard input.
  case standardInput
  /// A backup of an Instant app.
  case backup(String)
  /// A SQLite database.
  case database(String)
  /// A PostgreSQL database.
  case postgres(PostgresParameters)
  /// An app on a sync server.
  case server(ServerAddress)
  /// An address that this build cannot open, and the reason.
  case unsupported(String, reason: String)

  /// Parses an address: `-` for standard input, a URL, the name of a demo, or a path.
  ///
  /// - Parameter mayBeNew: Whether the path of a `.sonde` file that does not exist yet is accepted.
  init(_ address: String, mayBeNew: Bool = false) throws(Failure) {
    if address.allSatisfy(\.isWhitespace) { throw Failure.emptyAddress }
    if address == PipedInput.address {
      self = .standardInput
      return
    }
    if PostgresParameters.isAddress(address) {
      self = .postgres(PostgresParameters(address))
      return
    }
    if let scheme = Self.scheme(of: address) {
      if ["ws", "wss", "instant"].contains(scheme) {
        self = .server(try Self.server(address))
        return
      }
      self = .unsupported(address, reason: try Self.reason(against: scheme))
      return
    }
    let kind = Files.kind(of: address)
    if kind != .folder, let folder = Self.demoFolder(address) {
      self = .demo(name: address, folder: folder)
      return
    }
    switch kind {
    case .folder: self = .folder(address)
    case .file: self = try Self.file(address)
    case .other: throw Self.notAFile(address)
    case nil where mayBeNew && address.hasSuffix(".sonde"): self = .storeFile(address)
    case nil: throw Self.nothing(at: address)
    }
  }

  private static func file(_ path: String) throws(Failure) -> StoreLocation {
    switch FileKind(ofFile: path) {
    case .store: .storeFile(path)
    case .json: FileSource.isDump(path) ? .tripleDump(path) : .folder(path)
    case .backup: .backup(path)
    case .database: .database(path)
    case .rows: .folder(path)
    case nil: throw Failure(StoreError.unknownKind(path: path))
    }
  }

  /// Returns the error for a pipe, a socket or a device.
  private static func notAFile(_ path: String) -> Failure {
    var failure = Failure(StoreError.unreadable(path: path, reason: "it is not a file or folder"))
    failure.hint = "To read from a pipe: sonde - < \(path)"
    return failure
  }

  /// Returns the error for an address without a store, with a suggestion.
  private static func nothing(at address: String) -> Failure {
    if Files.isDenied(address) {
      return Failure(
        StoreError.unreadable(path: withoutSecrets(address), reason: "permission denied"))
    }
    var failure = Failure(StoreError.missing(path: withoutSecrets(address)))
    if NearestWord.find(address, among: ["version"]) != nil {
      failure.hint = "Did you mean 'sonde --version'?"
      return failure
    }
    failure.unknownAddress = address
    if address.hasPrefix("./"), demoFolder(String(address.dropFirst(2))) != nil {
      failure.hint = "Did you mean the demo '\(address.dropFirst(2))', without './'?"
    } else if Files.isLink(address) {
      failure.hint = "It is a link to a missing file."
    } else if let similar = similarAddress(to: address) {
      failure.hint = "Did you mean '\(similar)'?"
    } else if address.hasSuffix(".sonde") {
      failure.hint = "Create it with: sonde import SOURCE --into \(address)"
    } else if !address.contains(where: { "/.".contains($0) }), !demoNames.isEmpty {
      failure.hint = "Demos: \(demoNames.joined(separator: ", "))."
    }
    return failure
  }

  /// Returns the file, folder or demo whose name is most similar to that of a missing path.
  private static func similarAddress(to address: String) -> String? {
    let folder = address.lastIndex(of: "/").map { address[...$0] } ?? ""
    let names = (try? Files.names(in: folder.isEmpty ? "." : String(folder))) ?? []
    let known = names.filter { !$0.hasPrefix(".") } + (folder.isEmpty ? demoNames : [])
    let name = address[folder.endIndex...]
    return NearestWord.find(String(name), among: known).map { folder + $0 }
  }

  private static func server(_ address: String) throws(Failure) -> ServerAddress {
    do throws(WebSocketError) {
      return try ServerAddress(address)
    } catch {
      throw Failure(message: error.message, status: ExitStatus.usage)
    }
  }

  private static func scheme(of address: String) -> String? {
    guard let colon = address.firstRange(of: "://") else { return nil }
    return address[..<colon.lowerBound].lowercased()
  }

  private static func reason(against scheme: String) throws(Failure) -> String {
    switch scheme {
    case "http", "https":
      throw Failure.webAddress(scheme)
    default:
      throw Failure.unsupportedScheme(scheme)
    }
  }

  /// The store's name on the screen.
  ///
  /// For a URL it is only the last part, since the rest may contain a password.
  var name: String {
    switch self {
    case .demo(let name, _): name
    case .folder(let path), .storeFile(let path), .tripleDump(let path), .backup(let path),
      .database(let path), .unsupported(let path, _):
      Files.name(of: path)
    case .standardInput: "standard input"
    case .postgres(let parameters): parameters.name
    case .server(let address): Self.name(of: address)
    }
  }

  /// Returns the name of the app at an address; the host if the app has only a generated id.
  private static func name(of address: ServerAddress) -> String {
    let isName = (1...maxAppName).contains(address.appID.utf8.count)
    return isName ? address.appID : address.host
  }

  /// The maximum length of an app's name in bytes. A longer text is a generated id.
  private static let maxAppName = 24

  /// The path of the store's file or folder; nil for other locations.
  var path: String? {
    switch self {
    case .folder(let path), .storeFile(let path), .tripleDump(let path), .backup(let path),
      .database(let path), .unsupported(let path, _):
      path
    case .demo, .standardInput, .postgres, .server: nil
    }
  }

  /// The identity of the store, the same for every spelling of its path. Nil if changes are lost
  /// when the program ends.
  var identity: String? {
    switch self {
    case .demo, .standardInput: nil
    case .folder, .storeFile, .tripleDump, .backup, .database, .unsupported:
      path.map(Files.resolved)
    case .postgres(let parameters):
      parameters.opensTables ? parameters.shown + " --tables" : parameters.shown
    case .server(let address): address.description
    }
  }

  /// The help text of the STORE argument.
  static let help: String =
    "A demo (world, goals, company), a folder of .json, .jsonl, .csv and .tsv files or one of them, a "
    + ".sonde store, a backup (.zip), a triple dump (.json), a SQLite database (.sqlite, .db), a PostgreSQL "
    + "database (postgres://HOST/DATABASE), a server (ws://HOST:PORT/APP), or - for standard input."
}

// Finds the bundled demos.
extension StoreLocation {
  /// The names of the demos in alphabetical order.
  static var demoNames: [String] {
    ["company", "goals", "world"].filter { demoFolder($0) != nil }
  }

  static func demoFolder(_ name: String) -> String? {
    guard !name.isEmpty, !name.contains("/"), let demos = ResourceFinder.folder("demo-data"),
      Files.kind(of: demos + "/" + name) == .folder
    else { return nil }
    return demos + "/" + name
  }
}
