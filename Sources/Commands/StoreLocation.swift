import DataSources
import InstaQL
import LiveQueries
import Notebooks
import Stores
import Sync
import TerminalUI
import Triples
import WebSockets

/// Where a store is: turns what was typed for STORE into an open store.
enum StoreLocation: Equatable {
  case demo(name: String, folder: String)
  /// A folder of files of rows, or one such file.
  case folder(String)
  /// A store file of ours.
  case storeFile(String)
  case tripleDump(String)
  /// What comes through standard input.
  case standardInput
  /// A backup of an Instant app.
  case backup(String)
  /// An SQLite database of anybody's.
  case database(String)
  /// An app on a server.
  case server(ServerAddress)
  /// A kind of address that this build cannot open, and why.
  case unsupported(String, reason: String)

  /// Reads an address: a URL, a path when it looks like one or exists, else the name of a demo.
  ///
  /// - Parameter mayBeNew: Whether a store file may be missing still.
  init(_ address: String, mayBeNew: Bool = false) throws(Failure) {
    if address == PipedInput.address {
      self = .standardInput
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
    case .other: throw Failure(StoreError.unknownKind(path: address))
    case nil where mayBeNew && address.hasSuffix(".sonde"): self = .storeFile(address)
    case nil: throw Self.nothing(at: address)
    }
  }

  private static func file(_ path: String) throws(Failure) -> StoreLocation {
    let name = Files.name(of: path).lowercased()
    func ends(_ endings: String...) -> Bool { endings.contains { name.hasSuffix($0) } }
    if ends(".sonde") { return .storeFile(path) }
    if ends(".json") { return FileSource.isDump(path) ? .tripleDump(path) : .folder(path) }
    if ends(".zip") { return .backup(path) }
    if ends(".sqlite", ".sqlite3", ".db") {
      return .database(path)
    }
    if ends(".jsonl", ".ndjson", ".csv", ".tsv") { return .folder(path) }
    throw Failure(StoreError.unknownKind(path: path))
  }

  /// Nothing stands there: what may have been meant.
  private static func nothing(at address: String) -> Failure {
    let command = NearestWord.find(address, among: Sonde.commandNames)
    let hint =
      if let command {
        " Did you mean the command '\(command)'?"
      } else if address.hasSuffix(".sonde") {
        " Make it with: sonde import SOURCE --into \(address)"
      } else if address.contains("/") || demoNames.isEmpty {
        ""
      } else {
        " Demos: \(demoNames.joined(separator: ", "))."
      }
    return Failure(
      message: StoreError.missing(path: address).message + hint, status: ExitStatus.store)
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
      let other = scheme == "http" ? "ws" : "wss"
      throw Failure(
        message: "Servers are called over ws:// or wss://, not \(scheme)://. Try "
          + "\(other)://HOST:PORT/APP-ID, or instant://APP-ID for an app at Instant.",
        status: ExitStatus.usage)
    case "postgres", "postgresql": return "PostgreSQL cannot be opened in this build"
    default:
      throw Failure(
        message: "There are no stores at \(scheme):// addresses. Known are ws, wss, instant and "
          + "postgres, and paths.", status: ExitStatus.usage)
    }
  }

  /// What the screen calls the store. A URL is called by its last part: it may hold a password.
  var name: String {
    switch self {
    case .demo(let name, _): name
    case .folder(let path), .storeFile(let path), .tripleDump(let path), .backup(let path),
      .database(let path), .unsupported(let path, _):
      Files.name(of: path)
    case .standardInput: "standard input"
    case .server(let address): address.appID.isEmpty ? address.host : address.appID
    }
  }

  /// What tells the store from all others, from wherever it is opened; nil where what is changed ends
  /// with the program.
  var identity: String? {
    switch self {
    case .demo, .standardInput: nil
    case .folder(let path), .storeFile(let path), .tripleDump(let path), .backup(let path),
      .database(let path), .unsupported(let path, _):
      Files.resolved(path)
    case .server(let address): address.description
    }
  }

  /// What every command says of its STORE.
  static let help: String =
    "A demo (world, goals, company), a folder of .json, .jsonl, .csv and .tsv files or one of them, a "
    + ".sonde store, a backup (.zip), a triple dump (.json), an SQLite database (.sqlite, .db), a server: "
    + "ws://HOST:PORT/APP, or - for standard input."
}

// The bundled demos.
extension StoreLocation {
  /// Their names, in alphabetic order.
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

// Opening.
extension StoreLocation {
  /// Whether what is written outlives the program.
  var keepsChanges: Bool {
    switch self {
    case .storeFile, .server, .database: true
    case .demo, .folder, .tripleDump, .standardInput, .backup, .unsupported: false
    }
  }

  /// Whether everybody knows that the data is as old as the file: that need not be said.
  var isPast: Bool {
    switch self {
    case .backup: true
    case .demo, .folder, .storeFile, .tripleDump, .standardInput, .database, .server, .unsupported:
      false
    }
  }

  /// Why what is written there is refused, whoever asks; nil where it can be taken.
  var readOnlyReason: String? {
    switch self {
    case .demo, .folder, .storeFile, .server, .database, .unsupported: nil
    case .backup: "A backup is read-only: import it into a .sonde file to change it."
    case .tripleDump: "A triple dump is read-only: import it into a .sonde file to change it."
    case .standardInput:
      "What came in one piece is read-only: import it into a .sonde file to change it."
    }
  }

  /// Whether its transactions have the same numbers in every process that opens it. What stands
  /// behind a server is numbered here, for changes are taken while the server is away; the states of
  /// a database are counted from its opening.
  var numbersLast: Bool {
    switch self {
    case .server, .database: false
    case .demo, .folder, .storeFile, .tripleDump, .standardInput, .backup, .unsupported: true
    }
  }

  /// By what it is known that somebody else changed the store, where nobody tells: for the header.
  var howLive: String? {
    switch self {
    case .database: "data_version"
    case .demo, .folder, .storeFile, .server, .unsupported, .backup, .tripleDump, .standardInput:
      nil
    }
  }

  /// Whether it is somebody else's server that answers.
  var isServer: Bool {
    if case .server = self { true } else { false }
  }

  /// Why nothing can be changed with this access, and what would help; nil when it can.
  func whyReadOnly(_ access: StoreAccess?) -> String? {
    switch self {
    case .storeFile:
      access == .readOnly
        ? "It is open read-only: open it without --read-only to change it" : nil
    case .demo, .folder:
      access == .readWrite
        ? nil
        : "Open read-only: --write changes it in memory; a .sonde file keeps changes"
    case .server, .database:
      access == .readWrite ? nil : "It is open read-only: open it with --write to change it"
    case .tripleDump, .standardInput, .backup, .unsupported: readOnlyReason
    }
  }

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - access: Nil takes what is usual: a store file is written, anything else is read only.
  ///   - ifMissing: What is done about a store file that is not there.
  ///   - tokens: What a server shall know the user by.
  ///   - warn: Told, as a sentence, what was read otherwise than it is written.
  ///   - log: Told of a change that a server refuses when nobody waits for its word any more.
  func open(
    access: StoreAccess? = nil, ifMissing: LocalStore.Missing = .fail,
    progress: ProgressReport = .unread, tokens: Tokens = .ofThisUser(),
    warn: (String) -> Void = StandardError.write,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(Failure) -> any StoreDataSource {
    do {
      switch self {
      case .demo(_, let folder), .folder(let folder):
        let store = try await FolderStore.open(
          folder: folder, access: access ?? .readOnly, progress: progress)
        for warning in await store.warnings { warn(warning) }
        return store
      case .storeFile(let path):
        return try await LocalStore.open(
          file: path, access: access ?? .readWrite, ifMissing: ifMissing, progress: progress)
      case .tripleDump(let path):
        return try await PlainStore.open(file: path, progress: progress)
      case .standardInput: return try PipedInput.read()
      case .backup(let path):
        let backup = try Backup.load(file: path, progress: progress)
        for warning in backup.warnings { warn(warning) }
        return BackupStore(backup)
      case .database(let path):
        return try await SQLiteStore.open(
          file: path, access: access ?? .readOnly, clock: AlarmClock(), progress: progress)
      case .server(let address):
        return try await Self.open(address, access ?? .readOnly, tokens, log)
      case .unsupported(let address, let reason):
        throw StoreError.broken(path: "\(Self.withoutSecrets(address)): \(reason).")
      }
    } catch let error as StoreError {
      throw Failure(error)
    } catch {
      throw error as? Failure ?? Failure(message: "\(error)", status: ExitStatus.store)
    }
  }

  private static func open(
    _ address: ServerAddress, _ access: StoreAccess, _ tokens: Tokens,
    _ log: @escaping @Sendable (String) -> Void
  ) async throws(Failure) -> RemoteStore {
    do throws(DataSourceError) {
      return try await ServerStore.open(
        address, access: access, tokens: tokens, log: log)
    } catch {
      // The store is not at fault: the token cannot be had.
      throw Failure(message: error.description, status: ExitStatus.usage)
    }
  }

  /// An address without what stands before an @ in it.
  private static func withoutSecrets(_ address: String) -> String {
    guard let scheme = address.firstRange(of: "://"), let at = address.lastIndex(of: "@"),
      at >= scheme.upperBound
    else { return address }
    return address[..<scheme.upperBound] + "…" + address[at...]
  }
}

extension StoreDataSource {
  /// The snapshot that answers a query, or one with the schema; with a failure for the command line.
  func snapshotOrFail(
    _ query: any Query = AllObjectsQuery()
  ) async throws(Failure) -> StoreSnapshot {
    do throws(DataSourceError) {
      return try await get(query)
    } catch {
      throw Failure(error)
    }
  }

  /// The same for who prints an answer and looks at nothing beside it: a database then reads no more.
  func answerOrFail(_ document: QueryDocument) async throws(Failure) -> StoreSnapshot {
    guard self is SQLiteStore else { return try await snapshotOrFail(document) }
    do throws(DataSourceError) {
      for try await snapshot in watch(document, showing: AnswerView()) { return snapshot }
      throw .cancelled
    } catch {
      throw Failure(error)
    }
  }

  /// Calls a server that is away at once; any other store has none.
  func callServer() async {
    switch self {
    case let remote as RemoteStore: await remote.retry()
    case let opening as OpeningStore: await opening.opened?.callServer()
    default: break
    }
  }

  /// Leaves a server in good order: what is to be kept is then on disk.
  func hangUp() async {
    switch self {
    case let remote as RemoteStore: await remote.close()
    case let opening as OpeningStore: await opening.opened?.hangUp()
    default: break
    }
  }
}
