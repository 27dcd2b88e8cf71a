import ArgumentParser
import Notebooks

/// The options that determine where the token for a server is read.
///
/// No option contains a token itself, because other users of the machine can read command lines.
struct CredentialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "File that contains the server token; its mode must be 600. Default: $SONDE_TOKEN, or the "
        + "token stored with 'sonde token'.",
      valueName: "file"), completion: .file())
  var tokenFile: String?

  @Flag(
    help:
      "Treat the token as a user's token (permission rules apply), not as the app's admin token.")
  var asUser = false

  var tokens: Tokens {
    Tokens.ofThisUser(file: tokenFile, of: asUser ? .user : nil)
  }
}
