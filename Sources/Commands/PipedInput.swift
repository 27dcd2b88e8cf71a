import LiveQueries
import Stores

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Data that comes through standard input, and the keyboard that is then to be found elsewhere.
enum PipedInput {
  /// What one types for a store that comes through standard input.
  static let address = "-"

  /// All of it; at a keyboard it ends with Ctrl-D.
  static func read(_ progress: ProgressReport = .unread) throws(Failure) -> PlainStore {
    let bytes = try InputFile(address).bytes(progress)
    do throws(StoreError) {
      return try PlainStore.read(bytes)
    } catch {
      throw Failure(error)
    }
  }

  /// Makes the terminal standard input again, so that keys can be read.
  static func returnToTerminal() throws(Failure) {
    let terminal = open("/dev/tty", O_RDWR)
    guard terminal >= 0 else {
      throw Failure(
        message:
          "The data came through standard input, and there is no terminal to read keys from: "
          + "ask with sonde query - QUERY.", status: ExitStatus.usage)
    }
    dup2(terminal, STDIN_FILENO)
    close(terminal)
  }
}
