import ArgumentParser
import InstaQL
import Stores

/// `sonde [STORE] [QUERY]`: opens a store, a theme and the terminal, and runs the loop.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", abstract: "Look around in a store (the default).")

  @Argument(help: ArgumentHelp(StoreLocation.help))
  var store: String?

  @Argument(help: "The query to begin with; several words are joined by blanks.")
  var query: [String] = []

  @OptionGroup var access: AccessOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let file = SettingsFile()
    let address = store ?? file.settings.storePath ?? StoreLocation.standard
    let location = try StoreLocation(address)
    let query = query.joined(separator: " ")
    if !query.isEmpty { try checkSpelling(of: query) }
    let screen = try Screen(
      address: address, name: location.name, query: query, options: screen, settings: file)
    let access = access.access
    // The data is read while the terminal is being opened.
    try screen.run(OpeningStore { try await location.open(access: access, progress: $0) })
  }

  /// Names are checked when the store is there; what is no query at all is told before anything opens.
  private func checkSpelling(of query: String) throws(Failure) {
    do throws(QueryError) {
      _ = try QueryDocument(text: query)
    } catch {
      throw Failure(error)
    }
  }
}
