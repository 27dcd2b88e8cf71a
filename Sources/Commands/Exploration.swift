import Explorer
import InstaQL
import Ncurses
import Notebooks
import Stores

/// Stores to open in the explorer, each in its own tab, and how to show them.
///
/// This has no types of the argument parser. To parse options, it searches all protocol conformances
/// of the program for its types, which takes a third of the time to the first frame. A command line
/// without options does not need that.
struct Exploration {
  /// The address of the first store; nil for the store of the settings, or a demo that the user
  /// chooses.
  var store: String?
  /// More stores, then the words of the query.
  var words: [String] = []
  /// The access to these stores; nil for each store's default.
  var access: StoreAccess?
  var tokens = Tokens.ofThisUser()
  var namesTokenFile = false
  var live: LiveMethod?
  /// Whether databases of Instant servers are opened as tables.
  var opensTables = false
  var screen = ScreenChoices()
  var color: ColorDepth?

  func run() throws {
    let file = SettingsFile()
    guard let first = try store ?? file.settings.storePath ?? chosenDemo(file) else { return }
    let arguments = StoreArguments(words)
    let addresses = [first] + arguments.stores
    let locations = try located(at: addresses)
    let query = try SavedQueryText.text(of: arguments.query, in: first)
    if !query.isEmpty { try checkSpelling(of: query, in: arguments) }
    let instead = arguments.storeInsteadOfQuery.flatMap { address in
      (try? StoreLocation(address))?.listing(as: address)
    }.flatMap { listing in locations.contains { $0.place == listing.place } ? nil : listing }
    let session = try ExplorerSession(
      query: query, orStore: instead, advice: advice(on: arguments.query), options: screen,
      color: color, settings: file)
    // Loading starts after the first frame, because its threads would delay that frame.
    let (shown, show) = AsyncStream.makeStream(of: Void.self)
    let start = Task { for await _ in shown {} }
    let stores = try zip(locations, addresses).map { location, address in
      location == .standardInput
        ? try ExploredStore(readingPipe: address, access: access)
        : ExploredStore(location, address: address, access: access, tokens: tokens, after: start)
    }
    try session.run(
      stores,
      opening: { listing throws(Failure) in
        try ExploredStore.opening(listing, access: access, isNamed: listing == instead)
      },
      isShown: { show.finish() })
  }

  /// Parses the addresses of stores. Throws if two addresses name the same store.
  private func located(at addresses: [String]) throws(Failure) -> [StoreLocation] {
    guard addresses.count <= Workspaces.maxCount else {
      throw Failure(
        message:
          "\(addresses.count) stores are given, but at most \(Workspaces.maxCount) can be open.",
        status: ExitStatus.usage)
    }
    var locations: [StoreLocation] = []
    for address in addresses {
      let location = try StoreLocation(address)
      if let other = locations.first(where: { $0.place == location.place }) {
        throw Failure(
          message: "The store \(other.name) is given twice.", status: ExitStatus.usage)
      }
      locations.append(location)
    }
    let isGiven = namesTokenFile || Folders.variable("SONDE_TOKEN") != nil
    if isGiven, locations.filter(\.isServer).count > 1 {
      throw Failure(
        message:
          "--token-file and SONDE_TOKEN are for one server, but several servers are given. Store the "
          + "token of each server with: sonde token ADDRESS",
        status: ExitStatus.usage)
    }
    let opened = opensTables ? try TablesOptions.openingTables(locations) : locations
    return try live?.applied(to: opened) ?? opened
  }

  /// Returns the demo that the user chooses if no store is named; nil if the user leaves.
  private func chosenDemo(_ file: SettingsFile) throws(Failure) -> String? {
    guard !StoreLocation.demoNames.isEmpty else {
      throw Failure.demosNotInstalled
    }
    let session = try ExplorerSession(options: screen, color: color, settings: file)
    switch try session.chooseDemo() {
    case .chosen(let name): return name
    case .left: return nil
    case .ended(let signal): ExitStatus.end(128 + signal)
    }
  }

  /// Rejects an invalid query before anything is opened. Names are only checked when the store is
  /// open.
  private func checkSpelling(of query: String, in arguments: StoreArguments) throws(Failure) {
    do throws(QueryError) {
      try QueryDocument.checkSyntax(of: query)
    } catch {
      if let name = arguments.fileInsteadOfQuery {
        throw Failure(
          message:
            "'\(name)' is neither an existing file nor a query. The arguments after the first "
            + "store are more stores, then a query.",
          status: ExitStatus.invalidQuery)
      }
      var failure = Failure(error)
      failure.hint = failure.hint ?? advice(on: arguments.query)
      throw failure
    }
  }

  /// Returns advice for words that begin with `demo`, which names no store; nil for other words.
  private func advice(on words: [String]) -> String? {
    guard words.first == "demo" else { return nil }
    return "A demo is opened by its name: \(StoreLocation.demoNames.joined(separator: ", "))."
  }
}

extension Exploration {
  /// Creates an exploration for the command line `sonde [STORE …] [QUERY]` without options; nil for
  /// any other command line.
  ///
  /// - Parameter commands: The names of all subcommands.
  init?(_ arguments: [String], commands: [String]) {
    guard !arguments.contains(where: { $0.hasPrefix("-") }),
      !(commands + ["help"]).contains(arguments.first ?? "")
    else { return nil }
    self.init(store: arguments.first, words: Array(arguments.dropFirst()))
  }
}
