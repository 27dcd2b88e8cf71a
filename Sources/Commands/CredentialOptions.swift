import ArgumentParser
import Notebooks

/// What a server shall know the user by. No option takes a token itself: what stands on a command
/// line is seen by every user of the machine.
struct CredentialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "File with the server token (mode 600). Default: $SONDE_TOKEN, then the token stored by sonde token.",
      valueName: "file"), completion: .file())
  var tokenFile: String?

  @Flag(
    help: "Use the token as a user's (permission rules apply) instead of the app's admin token.")
  var asUser = false

  var tokens: Tokens {
    Tokens.ofThisUser(file: tokenFile, of: asUser ? .user : nil)
  }
}
