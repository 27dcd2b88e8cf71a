import ArgumentParser
import DataSources
import Notebooks
import WebSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `sonde token`: stores the token of a server for this user, removes it, or generates a new one.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Store or remove a server's token, or generate one.",
    discussion: """
      --new generates and prints a token for a server of your own; put it into a file for \
      sonde serve --token-file: (umask 077; sonde token --new > token.txt). Otherwise \
      the token is prompted for, or read from standard input if that is not a terminal. It is stored for \
      this server only: in the keychain on macOS, elsewhere in a file that only its owner can read.
      """)

  @Argument(help: "The server: ws://HOST:PORT/APP, wss://… or instant://APP.")
  var store: String?

  @Flag(help: "Print a new random token.")
  var new = false

  @Flag(
    help:
      "Treat the token as a user's token (permission rules apply), not as the app's admin token.")
  var asUser = false

  @Flag(help: "Remove the server's stored tokens; with --as-user only the user's.")
  var forget = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard new != (store != nil) else {
      throw ValidationError(
        new
          ? "--new cannot be combined with a server."
          : "Give the address of a server, or use --new.")
    }
    if new, forget || asUser {
      throw ValidationError("--new cannot be combined with other options.")
    }
  }

  /// Returns a new token: 32 random bytes as hexadecimal digits.
  private static func newToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  func run() throws {
    guard let store else {
      _ = try Output.write(Array((Self.newToken() + "\n").utf8))
      return
    }
    guard case .server(let server) = try StoreLocation(store) else {
      throw Failure.notServer(store)
    }
    guard let folders = Folders() else {
      throw Failure.noTokenFolder
    }
    let tokens = Tokens.ofThisUser(of: asUser ? .user : nil, folders: folders)
    let address = server.description
    if forget {
      try waiting { () async throws(Failure) in
        do throws(DataSourceError) { try await tokens.delete(for: address) } catch {
          throw Failure(error)
        }
      }
      let removed = asUser ? "user token" : "token"
      return StandardError.write("\(address) no longer has a stored \(removed).")
    }
    let credential = Credential(try token(for: address), of: asUser ? .user : .app)
    try waiting { () async throws(Failure) in
      do throws(DataSourceError) { try await tokens.put(credential, for: address) } catch {
        throw Failure(error)
      }
    }
    StandardError.write("The token of \(address) is stored.")
  }

  /// Asks the user for the token without echo, or reads it as a line of standard input.
  private func token(for address: String) throws(Failure) -> AccessToken {
    let line: String?
    if isatty(STDIN_FILENO) == 1 {
      // `getpass` restores the modes of the terminal itself.
      line = getpass("Token for \(address): ").map { String(cString: $0) }
    } else {
      line = readLine()
    }
    guard let line else { throw Failure.noToken(address) }
    do throws(DataSourceError) { return try AccessToken(line) } catch {
      throw Failure(message: error.message, status: ExitStatus.usage)
    }
  }
}
