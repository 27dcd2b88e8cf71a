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
  /// The reason why the store is read-only; nil if the store is writable.
  var readOnlyReason: String?
  /// How changes by other programs are detected, such as `data_version`; nil if the store itself
  /// reports them.
  var changeDetection: String?
  /// Where changes are stored, such as `in memory`; nil if they are stored in the store itself.
  var changeTarget: String?
  /// Whether the store is on a server, from which the program disconnects at exit.
  var isOfServer = false
  /// Whether the data never changes while it is shown, as in a backup.
  var isSnapshot = false
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
    self.init(
      StoreListing(address: address, place: location.place, name: location.name), source)
    identity = location.identity
    readOnlyReason = location.readOnlyReason(access)
    changeDetection = location.changeDetection
    changeTarget = location.changeTarget(access)
    isOfServer = location.isServer
    isSnapshot = location.isSnapshot
    projectFolder = location.projectFolder
    // An address with a password is not stored.
    isRemembered =
      switch location {
      case .standardInput, .unsupported: false
      case .postgres(let parameters): parameters.shown == address
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
    let source = DeferredStore { progress in
      await start?.value
      var said: [String] = []
      let store = try await location.open(access: access, progress: progress, tokens: tokens) {
        said.append($0)
      }
      if let summary = Self.summary(said) { remark.yield(summary) }
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
    if let summary = Self.summary(store.report.lines) { remark.yield(summary) }
    remark.finish()
    self.remarks = remarks
  }

  /// Returns the first load error and the number of further errors; nil if there are no errors.
  private static func summary(_ lines: [String]) -> String? {
    guard let first = lines.first else { return nil }
    return first + (lines.count == 1 ? "" : " (\(lines.count - 1) more: see sonde schema)")
  }
}

// Stores that are opened while the explorer runs.
extension ExploredStore {
  /// Opens a store that the user selected in the list of stores.
  ///
  /// A server gets only a stored token, because the command line's token is for another server. The
  /// store is writable only if it is a kind that is writable without `--write`.
  ///
  /// - Parameter access: The access that the command line requested for its stores.
  static func opening(
    _ listing: StoreListing, access: StoreAccess?
  ) throws(Failure) -> ExploredStore {
    let location = try StoreLocation(StoreLocation.address(of: listing))
    return ExploredStore(
      location, address: listing.address, access: access == .readOnly ? .readOnly : nil,
      tokens: .storedOfThisUser())
  }

  /// Checks whether a listed store exists, without reading its data.
  static func find(_ listing: StoreListing) async -> StoreFinding {
    do throws(Failure) {
      let location = try StoreLocation(StoreLocation.address(of: listing))
      guard location != .standardInput else {
        return .failed("Standard input can only be read when the program starts.")
      }
      return .found(
        StoreListing(address: listing.address, place: location.place, name: location.name))
    } catch {
      return .failed(error.message)
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

  /// Returns whether an argument after the first store names another store, rather than starting a
  /// query.
  ///
  /// These name a store: a URL, a path with a slash, and an existing file whose name has a dot.
  /// Query texts, objects in braces, and `@` with the name of a saved query start a query.
  static func isStore(_ argument: String) -> Bool {
    if Files.kind(of: argument) != nil { return argument.contains("/") || argument.contains(".") }
    guard !argument.contains(where: \.isWhitespace), let first = argument.first,
      !"@{[".contains(first)
    else { return false }
    return argument.contains("/")
  }
}

extension Tokens {
  /// Returns the stored tokens of the current user, regardless of the environment.
  static func storedOfThisUser(folders: Folders? = Folders()) -> Tokens {
    Tokens(
      secrets: folders.map(secrets) ?? InMemoryDataSource<String>(), environment: { _ in nil })
  }
}
