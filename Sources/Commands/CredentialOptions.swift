import ArgumentParser
import Notebooks

/// What a server shall know the user by. No option takes a token itself: what stands on a command
/// line is seen by every user of the machine.
struct CredentialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the token for a server, readable by nobody else; else SONDE_TOKEN, else what sonde token keeps.",
      valueName: "file"), completion: .file())
  var tokenFile: String?

  @Flag(help: "The token is a user's, whom the server's rules bind; else it is the app's own.")
  var asUser = false

  var tokens: Tokens {
    Tokens.ofThisUser(file: tokenFile, of: asUser ? .user : nil)
  }
}
