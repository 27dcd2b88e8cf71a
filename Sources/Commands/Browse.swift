import ArgumentParser

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
  @OptionGroup var tables: TablesOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try Exploration(
      store: store, words: query, access: access.access, tokens: credentials.tokens,
      namesTokenFile: credentials.tokenFile != nil, live: live.method,
      opensTables: tables.opensTables, screen: screen.choices,
      color: common.color
    ).run()
  }
}
