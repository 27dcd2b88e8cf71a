import ArgumentParser
import Explorer
import InstaQL
import Stores

/// `sonde [STORE] [QUERY]`: opens a store, a theme and the terminal, and runs the loop.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", abstract: "Explore a store (the default).")

  @Argument(help: ArgumentHelp(StoreLocation.help), completion: .file())
  var store: String?

  @Argument(help: "The query to begin with; several words are joined with spaces.")
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
    let screen = try Screen(
      address: address, name: location.name, query: query, options: screen, color: common.color,
      settings: file, identity: location.identity,
      whyReadOnly: location.whyReadOnly(self.access.access),
      howLive: location.howLive, whereChangesAre: location.whereChangesAre(self.access.access),
      isOfServer: location.isServer)
    let (access, tokens) = (access.access, credentials.tokens)
    if location == .standardInput { return try browsePipe(screen) }
    let (warnings, warn) = AsyncStream.makeStream(of: String.self)
    // Nothing is read before there is something to be seen: the threads that read would keep it waiting.
    let (shown, show) = AsyncStream.makeStream(of: Void.self)
    let store = OpeningStore { progress in
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

  /// What comes through a pipe is read before the keyboard takes the pipe's place.
  private func browsePipe(_ screen: Screen) throws(Failure) {
    let store = try PipedInput.read()
    try PipedInput.returnToTerminal()
    let (warnings, warn) = AsyncStream.makeStream(of: String.self)
    if let remark = Self.remark(store.report.lines) { warn.yield(remark) }
    warn.finish()
    try screen.run(store, saying: warnings)
  }

  /// What the screen says of what could not be read. It has room for one sentence; every other command
  /// lists them all.
  private static func remark(_ lines: [String]) -> String? {
    guard let first = lines.first else { return nil }
    return first + (lines.count == 1 ? "" : " (\(lines.count - 1) more: see sonde schema)")
  }

  /// The demo that somebody chooses who names no store; nil when none.
  private func chosenDemo(_ file: SettingsFile) throws(Failure) -> String? {
    guard !StoreLocation.demoNames.isEmpty else {
      throw Failure(
        message: "Name a store, as in sonde ./data: the demos are not where they should be "
          + "(sonde doctor tells where).", status: ExitStatus.usage)
    }
    let screen = try Screen(
      address: "", name: "", options: screen, color: common.color, settings: file)
    switch try screen.chooseDemo() {
    case .chosen(let name): return name
    case .left: return nil
    case .ended(let signal): ExitStatus.end(128 + signal)
    }
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
