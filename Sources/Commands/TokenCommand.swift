import ArgumentParser
import DataSources
import Notebooks
import WebSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `sonde token`: keeps the token of a server where only this user can read it.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Store or remove the token of a server, or make a new one.",
    discussion: """
      With --new a token for a server of your own is made and printed; put it into a file for \
      sonde serve --token-file: (umask 077; sonde token --new > token.txt). Otherwise \
      the token is asked for, or read from standard input when that is no terminal. It is kept for \
      this server alone: in the keychain on macOS, elsewhere in a file that only its owner can read.
      """)

  @Argument(help: "The server: ws://HOST:PORT/APP, wss://… or instant://APP.")
  var store: String?

  @Flag(help: "Print a new token that cannot be guessed.")
  var new = false

  @Flag(
    help: "Use the token as a user's (permission rules apply) instead of the app's admin token.")
  var asUser = false

  @Flag(help: "Forget the tokens that are kept for the server; with --as-user only the user's.")
  var forget = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard new != (store != nil) else {
      throw ValidationError(
        new ? "--new makes a token for any server; name none." : "Name a server, or use --new.")
    }
    if new, forget || asUser { throw ValidationError("--new goes with no other option.") }
  }

  /// 32 random bytes as hexadecimal digits.
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
      throw Failure(
        message: "\(store) is no server, and only servers ask for tokens.",
        status: ExitStatus.usage)
    }
    guard let folders = Folders() else {
      throw Failure(
        message: "There is no place to keep a token: set HOME or XDG_STATE_HOME.",
        status: ExitStatus.store)
    }
    let tokens = Tokens.ofThisUser(of: asUser ? .user : nil, folders: folders)
    let address = server.description
    if forget {
      return try waiting { () async throws(Failure) in
        do throws(DataSourceError) { try await tokens.delete(for: address) } catch {
          throw Failure(error)
        }
      }
    }
    let credential = Credential(try token(for: address), of: asUser ? .user : .app)
    try waiting { () async throws(Failure) in
      do throws(DataSourceError) { try await tokens.put(credential, for: address) } catch {
        throw Failure(error)
      }
    }
  }

  /// Typed without being shown, or a line of standard input.
  private func token(for address: String) throws(Failure) -> Token {
    let line: String?
    if isatty(STDIN_FILENO) == 1 {
      // It puts the terminal back itself, whatever is typed.
      line = getpass("Token for \(address): ").map { String(cString: $0) }
    } else {
      line = readLine()
    }
    do throws(DataSourceError) { return try Token(line ?? "") } catch {
      throw Failure(message: error.message, status: ExitStatus.usage)
    }
  }
}
