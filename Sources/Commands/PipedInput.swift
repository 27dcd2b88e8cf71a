import LiveQueries
import Stores

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads a store's data from standard input.
///
/// Keys are then read from the terminal instead.
enum PipedInput {
  /// The address that stands for data on standard input.
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

  /// Makes the terminal standard input again, so that keys can be read from it.
  static func returnToTerminal() throws(Failure) {
    let terminal = open("/dev/tty", O_RDWR)
    guard terminal >= 0 else {
      throw Failure.noTerminalForKeys
    }
    dup2(terminal, STDIN_FILENO)
    close(terminal)
  }
}
