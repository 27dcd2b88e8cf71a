import DataSources
import Explorer
import LiveQueries
import Notebooks
import Stores
import TerminalUI

/// A store for the explorer: its data source, and its properties that the screen displays.
struct ExploredStore {
  let listing: StoreListing
  let source: any StoreDataSource
  /// The loading progress; nil for an open store.
  var progress: AsyncStream<LoadingProgress>?
  /// The warnings to show as notices once the store is loaded; nil if the store reports no
  /// warnings.
  var remarks: AsyncStream<String>?
  /// The text that identifies the store across sessions; nil if its changes are lost at exit.
  var identity: String?
  /// The path of the file or folder that the store reads; nil if it reads none.
  var path: String?
  /// The reason why the store is read-only; nil if the store is writable.
  var readOnlyReason: String?
  /// How changes by other programs are detected, such as `PRAGMA data_version`; nil if the store
  /// itself reports them.
  var changeDetection: String?
  /// The text in the header while the store is writable; nil for none.
  var writing: String?
  /// Whether the store is on a server, from which the program disconnects at exit.
  var isOfServer = false
  /// Whether the data never changes while it is shown, as in a backup.
  var isSnapshot = false
  /// Whether changes of the user's data are lost when the program ends.
  var losesChanges = false
  /// The folder of the data, which may contain a project's settings file; nil for a store without
  /// files.
  var projectFolder: String?
  /// Whether to add the store to the list of recent stores.
  var isRemembered = false

  /// Creates a store whose source is already open.
  init(_ listing: StoreListing, _ source: any StoreDataSource) {
    self.listing = listing
    self.source = source
  }

  /// Creates a store whose properties follow from its location, such as whether it is read-only.
  ///
  /// - Parameter address: The argument that opens the store again.
  private init(
    _ location: StoreLocation, address: String, access: StoreAccess?,
    _ source: any StoreDataSource
  ) {
    self.init(location.listing(as: address), source)
    identity = location.identity
    path = location.path
    readOnlyReason = location.readOnlyReason(access)
    changeDetection = location.changeDetection
    writing = location.writing
    isOfServer = location.isServer
    isSnapshot = location.isSnapshot
    losesChanges = location.losesChanges
    projectFolder = location.projectFolder
    // An address with a password is not stored.
    isRemembered =
      switch location {
      case .standardInput, .unsupported: false
      case .postgres(let parameters): parameters.shown == address && !parameters.opensTables
      case .demo, .folder, .storeFile, .tripleDump, .backup, .database, .server: true
      }
  }

  /// Creates a store that loads in the background.
  ///
  /// - Parameters:
  ///   - start: A task that must finish before loading begins; nil to load at once.
  init(
    _ location: StoreLocation, address: String, access: StoreAccess?, tokens: Tokens,
    after start: Task<Void, Never>? = nil
  ) {
    let (remarks, remark) = AsyncStream.makeStream(of: String.self)
    let source = DeferredStore(beginning: {
      await start?.value
      return location.beginning
    }) { progress in
      await start?.value
      var said: [String] = []
      let store = try await location.open(access: access, progress: progress, tokens: tokens) {
        said.append($0)
      }
      if let remark = await store.textOrderRemark(for: nil) { said.append(remark) }
      if let summary = said.summary(Self.list) { remark.yield(summary) }
      return store
    }
    self.init(location, address: address, access: access, source)
    progress = source.progress
    self.remarks = remarks
  }

  /// Creates a store from the data on standard input, then reopens the terminal as standard input.
  init(readingPipe address: String, access: StoreAccess?) throws(Failure) {
    let store = try PipedInput.read()
    try PipedInput.returnToTerminal()
    self.init(.standardInput, address: address, access: access, store)
    let (remarks, remark) = AsyncStream.makeStream(of: String.self)
    if let summary = store.report.lines.summary(Self.list) { remark.yield(summary) }
    remark.finish()
    self.remarks = remarks
  }

  /// What lists all errors of loading.
  private static let list = "'sonde schema' lists them"
}

// Stores that are opened while the explorer runs.
extension ExploredStore {
  /// Opens a store that the user selected in the list of stores.
  ///
  /// A server gets only a stored token, because the command line's token is for another server. The
  /// store is writable only if it is a kind that is writable without `--write`.
  ///
  /// - Parameters:
  ///   - access: The access that the command line requested for its stores.
  ///   - isNamed: Whether the command line names the store, so that the access applies to it.
  static func opening(
    _ listing: StoreListing, access: StoreAccess?, isNamed: Bool = false
  ) throws(Failure) -> ExploredStore {
    let location = try StoreLocation(StoreLocation.address(of: listing))
    return ExploredStore(
      location, address: listing.address,
      access: isNamed || access == .readOnly ? access : nil,
      tokens: .storedOfThisUser())
  }

  /// Checks whether a listed store exists, without reading its data.
  static func find(_ listing: StoreListing) async -> Result<StoreListing, OpeningFailure> {
    do throws(Failure) {
      let location = try StoreLocation(StoreLocation.address(of: listing))
      guard location != .standardInput else {
        return .failure(
          OpeningFailure(reason: "Standard input can only be opened when Sonde starts."))
      }
      return .success(location.listing(as: listing.address))
    } catch {
      return .failure(OpeningFailure(reason: error.message))
    }
  }
}

extension StoreLocation {
  /// The address for the list of stores. It works from any folder, and contains no password.
  var place: String {
    switch self {
    case .demo(let name, _): name
    case .standardInput: PipedInput.address
    case .folder, .storeFile, .tripleDump, .backup, .database, .unsupported, .postgres, .server:
      identity ?? name
    }
  }

  /// Returns the store's entry in the list of stores.
  ///
  /// - Parameter address: The address as the user typed it.
  func listing(as address: String) -> StoreListing {
    StoreListing(address: address, place: place, name: name)
  }

  /// Returns an address as it is shown and stored: without the password of a database.
  static func withoutPassword(_ address: String) -> String {
    PostgresParameters.isAddress(address) ? PostgresParameters(address).shown : address
  }

  /// Returns the address that opens a listed store. For a file it is the absolute path.
  static func address(of listing: StoreListing) -> String {
    if listing.address.contains("://") || PostgresParameters.isAddress(listing.address) {
      return listing.address
    }
    guard listing.place.hasPrefix("~/"), let home = Folders.variable("HOME") else {
      return listing.place
    }
    return home + listing.place.dropFirst()
  }

  /// Returns the demos for the list of stores.
  static func demos() -> [StoreListing] {
    demoNames.map { StoreListing(address: $0, place: $0, name: $0) }
  }

  /// Returns the files in the current folder that can be opened, judged by their names.
  static func filesHere() -> [StoreListing] {
    let names = (try? Files.names(in: ".", limit: maxNamesRead)) ?? []
    return names.lazy.filter { !$0.hasPrefix(".") && FileKind($0) != nil }.prefix(maxFilesListed)
      .map { StoreListing(address: $0, place: Files.resolved($0), name: $0) }
  }

  /// The maximum number of names to read in a folder, so that a huge folder delays the list only
  /// briefly.
  private static let maxNamesRead = 10_000
  private static let maxFilesListed = 200
}

extension Tokens {
  /// Returns the stored tokens of the current user, regardless of the environment.
  static func storedOfThisUser(folders: Folders? = Folders()) -> Tokens {
    Tokens(
      secrets: folders.map(secrets) ?? InMemoryDataSource<String>(), environment: { _ in nil })
  }
}
