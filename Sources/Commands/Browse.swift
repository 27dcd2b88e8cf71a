import ArgumentParser
import Explorer
import InstaQL
import Notebooks
import Stores

/// `sonde [STORE …] [QUERY]`: opens stores in the explorer.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", abstract: "Explore stores (the default).",
    discussion: """
      Each store opens in its own tab, and the first one is shown. An argument after the first is another \
      store if it is a URL, a path with a slash, or a file whose name has a dot; any other argument begins \
      the query, which is for the first store. A single word is a namespace of the first store, or else a \
      demo or a file. --write and the tokens apply to these stores, but not to stores that are opened later; \
      --read-only applies to all.
      """)

  @Argument(help: ArgumentHelp(StoreLocation.help), completion: .file())
  var store: String?

  @Argument(help: "More stores, then the initial query; several words are joined with spaces.")
  var query: [String] = []

  @OptionGroup var access: AccessOptions
  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var live: LiveOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let file = SettingsFile()
    guard let first = try store ?? file.settings.storePath ?? chosenDemo(file) else { return }
    let arguments = StoreArguments(query)
    let addresses = [first] + arguments.stores
    let locations = try live.applied(to: locations(at: addresses))
    let query = try SavedQueryText.text(of: arguments.query, in: first)
    if !query.isEmpty { try checkSpelling(of: query, in: arguments) }
    let instead = arguments.storeInsteadOfQuery.flatMap { address in
      (try? StoreLocation(address))?.listing(as: address)
    }.flatMap { listing in locations.contains { $0.place == listing.place } ? nil : listing }
    let screen = try ExplorerSession(
      query: query, orStore: instead, options: screen, color: common.color, settings: file)
    let (access, tokens) = (access.access, credentials.tokens)
    // Loading starts after the first frame, because its threads would delay that frame.
    let (shown, show) = AsyncStream.makeStream(of: Void.self)
    let start = Task { for await _ in shown {} }
    let stores = try zip(locations, addresses).map { location, address in
      location == .standardInput
        ? try ExploredStore(readingPipe: address, access: access)
        : ExploredStore(location, address: address, access: access, tokens: tokens, after: start)
    }
    try screen.run(
      stores,
      opening: { listing throws(Failure) in
        try ExploredStore.opening(listing, access: access, isNamed: listing == instead)
      },
      isShown: { show.finish() })
  }

  /// Parses the addresses of stores. Throws if two addresses name the same store.
  private func locations(at addresses: [String]) throws(Failure) -> [StoreLocation] {
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
    let isGiven = credentials.tokenFile != nil || Folders.variable("SONDE_TOKEN") != nil
    if isGiven, locations.filter(\.isServer).count > 1 {
      throw Failure(
        message:
          "--token-file and SONDE_TOKEN are for one server, but several servers are given. Store the "
          + "token of each server with: sonde token ADDRESS",
        status: ExitStatus.usage)
    }
    return locations
  }

  /// Returns the demo that the user chooses if no store is named; nil if the user leaves.
  private func chosenDemo(_ file: SettingsFile) throws(Failure) -> String? {
    guard !StoreLocation.demoNames.isEmpty else {
      throw Failure.demosNotInstalled
    }
    let screen = try ExplorerSession(options: screen, color: common.color, settings: file)
    switch try screen.chooseDemo() {
    case .chosen(let name): return name
    case .left: return nil
    case .ended(let signal): ExitStatus.end(128 + signal)
    }
  }

  /// Rejects an invalid query before anything is opened. Names are only checked when the store is
  /// open.
  private func checkSpelling(of query: String, in arguments: StoreArguments) throws(Failure) {
    do throws(QueryError) {
      _ = try QueryDocument(text: query)
    } catch {
      if let name = arguments.fileInsteadOfQuery {
        throw Failure(
          message:
            "'\(name)' is neither an existing file nor a query. The arguments after the first "
            + "store are more stores, then a query.",
          status: ExitStatus.invalidQuery)
      }
      throw Failure(error)
    }
  }
}
