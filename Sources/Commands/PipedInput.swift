import LiveQueries
import Stores

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads data from standard input.
///
/// Keys are then read from the terminal.
enum PipedInput {
  /// The address of a store on standard input.
  static let address = "-"

  /// Reads all of standard input. On a terminal, Ctrl-D ends it.
  static func read(_ progress: ProgressReport = .unread) throws(Failure) -> ReadOnlyMemoryStore {
    let bytes = try InputFile(address).bytes(progress)
    do throws(StoreError) {
      return try ReadOnlyMemoryStore.read(bytes)
    } catch {
      throw Failure(error)
    }
  }

  /// Makes the terminal standard input again, so that keys can be read.
  static func returnToTerminal() throws(Failure) {
    let terminal = open("/dev/tty", O_RDWR)
    guard terminal >= 0 else {
      throw Failure.noTerminalForKeys
    }
    dup2(terminal, STDIN_FILENO)
    close(terminal)
  }
}
