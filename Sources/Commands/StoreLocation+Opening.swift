import DataSources
import InstaQL
import LiveQueries
import Notebooks
import ServerStores
import Stores
import Sync
import Triples
import WebSockets

// Opens stores.
extension StoreLocation {
  /// Whether changes are kept when the program ends.
  var keepsChanges: Bool {
    switch self {
    case .storeFile, .server, .database, .postgres: true
    case .demo, .folder, .tripleDump, .standardInput, .backup, .unsupported: false
    }
  }

  /// Whether changes of the user's data are lost when the program ends. A demo is not the user's.
  var losesChanges: Bool {
    if case .demo = self { false } else { !keepsChanges }
  }

  /// Whether users expect the data to be old, as in a backup. No warning about its age is then
  /// printed.
  var isPast: Bool {
    switch self {
    case .backup: true
    case .demo, .folder, .storeFile, .tripleDump, .standardInput, .database, .postgres, .server,
      .unsupported:
      false
    }
  }

  /// Whether the data never changes while it is shown, not even through other programs.
  var isSnapshot: Bool {
    switch self {
    case .backup, .standardInput, .tripleDump: true
    case .demo, .folder, .storeFile, .database, .postgres, .server, .unsupported: false
    }
  }

  /// The reason why a store of this kind is always read-only; nil if it can be writable.
  var readOnlyReason: String? {
    switch self {
    case .demo, .folder, .storeFile, .server, .database, .postgres, .unsupported: nil
    case .backup: ReadOnlyReason.backup
    case .tripleDump: ReadOnlyReason.dump
    case .standardInput: ReadOnlyReason.pipedData
    }
  }

  /// Whether a transaction has the same number in every process that opens the store.
  ///
  /// In a remote store, each process numbers transactions itself, because it accepts changes
  /// offline. In a database, each process counts the changes that it sees.
  var numbersLast: Bool {
    switch self {
    case .server, .database, .postgres: false
    case .demo, .folder, .storeFile, .tripleDump, .standardInput, .backup, .unsupported: true
    }
  }

  /// How changes by other programs are detected, such as `PRAGMA data_version`; nil if the store
  /// itself reports them.
  var changeDetection: String? {
    switch self {
    case .database: "PRAGMA data_version"
    case .postgres: "a query every second, or NOTIFY"
    case .demo, .folder, .storeFile, .server, .unsupported, .backup, .tripleDump, .standardInput:
      nil
    }
  }

  /// The text in the header while the store is writable; nil if a store of this kind never is.
  var writing: String? {
    switch self {
    case .demo, .folder: "writable in memory"
    case .storeFile, .database, .postgres, .server: "writable"
    case .unsupported, .backup, .tripleDump, .standardInput: nil
    }
  }

  /// Whether the store is behind a server.
  var isServer: Bool {
    if case .server = self { true } else { false }
  }

  /// Returns the reason why the store is read-only with this access, with advice; nil if it is
  /// writable.
  func readOnlyReason(_ access: StoreAccess?) -> String? {
    switch self {
    case .storeFile(let path):
      switch access {
      case .readOnly: "Read-only. Restart without --read-only to edit."
      case .readWrite: nil
      case nil:
        Self.isWritable(storeFile: path)
          ? nil : "Read-only, because the file or its folder is not writable. Edit a copy of it."
      }
    case .demo, .folder:
      access == .readWrite
        ? nil
        : "Read-only. Restart with --write to edit in memory, or import into a .sonde file to keep changes."
    case .server, .database, .postgres:
      access == .readWrite ? nil : "Read-only. Restart with --write to edit."
    case .tripleDump, .standardInput, .backup, .unsupported: readOnlyReason
    }
  }

  /// Returns whether a store file can be written, or does not exist yet.
  private static func isWritable(storeFile path: String) -> Bool {
    Files.kind(of: path) == nil || LocalStore.isWritable(file: path)
  }

  /// The first rows of a large file, to show them while it is loaded; nil if the file is small or
  /// has another format.
  var beginning: StoreSnapshot? {
    if case .folder(let path) = self { FolderStore.beginning(ofFile: path) } else { nil }
  }

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - access: The access to the store; nil makes a store file writable and everything else
  ///     read-only.
  ///   - ifMissing: What to do if a store file does not exist.
  ///   - tokens: The source of the token for a server.
  ///   - warn: Called with each message about data that was skipped or changed while reading.
  ///   - log: Called with a message for each rejected change whose result no caller awaits.
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
        let usual: StoreAccess = Self.isWritable(storeFile: path) ? .readWrite : .readOnly
        let store = try await LocalStore.open(
          file: path, access: access ?? usual, ifMissing: ifMissing, progress: progress)
        for warning in store.warnings { warn(warning) }
        return store
      case .tripleDump(let path):
        let store = try await ReadOnlyMemoryStore.open(file: path, progress: progress)
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
          file: path, access: access ?? .readOnly, clock: TimerClock(), progress: progress)
        if let remark = store.remark { warn(remark) }
        return store
      case .postgres(let parameters):
        let store = try await PostgresStore.openAny(parameters, access: access ?? .readOnly)
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
      // The error concerns the token, not the store.
      throw Failure(message: error.description, status: ExitStatus.usage)
    }
  }

  /// Returns an address without the password of a database, and without the credentials before the
  /// `@` of any other address, which may be misspelled.
  static func withoutSecrets(_ address: String) -> String {
    if PostgresParameters.isAddress(address) { return PostgresParameters(address).shown }
    guard let colon = address.firstIndex(of: ":"), let at = address.lastIndex(of: "@") else {
      return address
    }
    let start = address[colon...].drop { ":/".contains($0) }.startIndex
    return start < at ? address[..<start] + "…" + address[at...] : address
  }
}
