import DataSources
import InstaQL
import LiveQueries
import Notebooks
import Stores
import Sync
import Triples
import WebSockets

// Opening.
extension StoreLocation {
  /// Whether what is written outlives the program.
  var keepsChanges: Bool {
    switch self {
    case .storeFile, .server, .database, .postgres: true
    case .demo, .folder, .tripleDump, .standardInput, .backup, .unsupported: false
    }
  }

  /// Whether everybody knows that the data is as old as the file: that need not be said.
  var isPast: Bool {
    switch self {
    case .backup: true
    case .demo, .folder, .storeFile, .tripleDump, .standardInput, .database, .postgres, .server,
      .unsupported:
      false
    }
  }

  /// Why what is written there is refused, whoever asks; nil where it can be taken.
  var readOnlyReason: String? {
    switch self {
    case .demo, .folder, .storeFile, .server, .database, .unsupported: nil
    case .postgres: "A PostgreSQL database is read-only."
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
    case .server, .database, .postgres: false
    case .demo, .folder, .storeFile, .tripleDump, .standardInput, .backup, .unsupported: true
    }
  }

  /// By what it is known that somebody else changed the store, where nobody tells: for the header.
  var howLive: String? {
    switch self {
    case .database: "data_version"
    case .postgres: "polling 1 s, or notices"
    case .demo, .folder, .storeFile, .server, .unsupported, .backup, .tripleDump, .standardInput:
      nil
    }
  }

  /// Where changes are kept when that is not the store itself, for the header.
  func whereChangesAre(_ access: StoreAccess?) -> String? {
    switch self {
    case .demo, .folder: access == .readWrite ? "in memory" : nil
    case .storeFile, .database, .postgres, .server, .unsupported, .backup, .tripleDump,
      .standardInput:
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
    case .tripleDump, .standardInput, .backup, .postgres, .unsupported: readOnlyReason
    }
  }

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - access: Nil takes what is usual: a store file is written, anything else is read only.
  ///   - ifMissing: What is done about a store file that is not there.
  ///   - tokens: What a server shall know the user by.
  ///   - warn: Called with each sentence about what could not be read, or was read otherwise than it is
  ///     written.
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
        for line in await store.report.lines { warn(line) }
        return store
      case .storeFile(let path):
        let usual: StoreAccess =
          Files.kind(of: path) == nil || LocalStore.isWritable(file: path) ? .readWrite : .readOnly
        let store = try await LocalStore.open(
          file: path, access: access ?? usual, ifMissing: ifMissing, progress: progress)
        for warning in store.warnings { warn(warning) }
        return store
      case .tripleDump(let path):
        let store = try await PlainStore.open(file: path, progress: progress)
        for line in store.report.lines { warn(line) }
        return store
      case .standardInput:
        let store = try PipedInput.read(progress)
        for line in store.report.lines { warn(line) }
        return store
      case .backup(let path):
        let backup = try Backup.load(file: path, progress: progress)
        for warning in backup.warnings { warn(warning) }
        return BackupStore(backup)
      case .database(let path):
        let store = try await SQLiteStore.open(
          file: path, access: access ?? .readOnly, clock: AlarmClock(), progress: progress)
        if let remark = store.remark { warn(remark) }
        return store
      case .postgres(let parameters):
        let store = try await PostgresStore.openAny(parameters)
        warn(
          "PostgreSQL stores are experimental: text is ordered as the server orders it, and some answers "
            + "still differ from those of other stores (docs/databases.md).")
        let remark = (store as? PostgresStore)?.remark ?? (store as? InstantAppStore)?.remark
        if let remark { warn(remark) }
        return store
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
