import ArgumentParser
import Explorer
import InstaQL
import Stores

/// `sonde [STORE] [QUERY]`: opens a store, a theme and the terminal, and runs the event loop.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", abstract: "Explore a store (the default).")

  @Argument(help: ArgumentHelp(StoreLocation.help), completion: .file())
  var store: String?

  @Argument(help: "The initial query; several words are joined with spaces.")
  var query: [String] = []

  @OptionGroup var access: AccessOptions
  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let file = SettingsFile()
    guard let address = try store ?? file.settings.storePath ?? chosenDemo(file) else { return }
    let location = try StoreLocation(address)
    let query = try SavedQueryText.text(of: query, in: address)
    if !query.isEmpty { try checkSpelling(of: query) }
    let screen = try ExplorerSession(
      address: address, name: location.name, query: query, options: screen, color: common.color,
      settings: file, project: ProjectSettings(folder: location.projectFolder, user: file.settings),
      identity: location.identity,
      readOnlyReason: location.readOnlyReason(self.access.access),
      changeDetection: location.changeDetection,
      changeTarget: location.changeTarget(self.access.access),
      isOfServer: location.isServer, isSnapshot: location.isSnapshot)
    let (access, tokens) = (access.access, credentials.tokens)
    if location == .standardInput { return try browsePipe(screen) }
    let (warnings, warn) = AsyncStream.makeStream(of: String.self)
    // Loading starts after the first frame, because its threads would delay that frame.
    let (shown, show) = AsyncStream.makeStream(of: Void.self)
    let store = DeferredStore { progress in
      for await _ in shown {}
      var said: [String] = []
      let store = try await location.open(access: access, progress: progress, tokens: tokens) {
        said.append($0)
      }
      if let remark = Self.remark(said) { warn.yield(remark) }
      return store
    }
    try screen.run(store, opening: store.progress, saying: warnings) { show.finish() }
  }

  /// Reads the piped data, before the terminal becomes standard input.
  private func browsePipe(_ screen: ExplorerSession) throws(Failure) {
    let store = try PipedInput.read()
    try PipedInput.returnToTerminal()
    let (warnings, warn) = AsyncStream.makeStream(of: String.self)
    if let remark = Self.remark(store.report.lines) { warn.yield(remark) }
    warn.finish()
    try screen.run(store, saying: warnings)
  }

  /// Returns a summary of the load errors; nil if there are none. The screen has space for one
  /// sentence; other commands list all errors.
  private static func remark(_ lines: [String]) -> String? {
    guard let first = lines.first else { return nil }
    return first + (lines.count == 1 ? "" : " (\(lines.count - 1) more: see sonde schema)")
  }

  /// Returns the demo that the user chooses if no store is named; nil if the user leaves.
  private func chosenDemo(_ file: SettingsFile) throws(Failure) -> String? {
    guard !StoreLocation.demoNames.isEmpty else {
      throw Failure.demosNotInstalled
    }
    let screen = try ExplorerSession(
      address: "", name: "", options: screen, color: common.color, settings: file)
    switch try screen.chooseDemo() {
    case .chosen(let name): return name
    case .left: return nil
    case .ended(let signal): ExitStatus.end(128 + signal)
    }
  }

  /// Rejects an invalid query before anything is opened. Names are only checked when the store is
  /// open.
  private func checkSpelling(of query: String) throws(Failure) {
    do throws(QueryError) {
      _ = try QueryDocument(text: query)
    } catch {
      throw Failure(error)
    }
  }
}
