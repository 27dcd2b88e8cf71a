import LiveQueries
import Stores

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads a store's data from a pipe on standard input.
///
/// Afterward, the terminal becomes standard input, so that the explorer can read keys.
enum PipedInput {
  /// The address that stands for data on standard input.
  static let address = "-"

  /// Reads all of standard input. On a terminal, Ctrl-D ends it.
  static func read(_ progress: ProgressReport = .unread) throws(Failure) -> ReadOnlyMemoryStore {
    let bytes = try InputFile(address).bytes(progress)
    if bytes.isEmpty { throw .emptyInput }
    do throws(StoreError) {
      return try ReadOnlyMemoryStore.read(bytes)
    } catch {
      throw Failure(error)
    }
  }

  /// Replaces standard input by the terminal (`/dev/tty`), so that keys can be read.
  static func returnToTerminal() throws(Failure) {
    let terminal = open("/dev/tty", O_RDWR)
    guard terminal >= 0 else {
      throw Failure.noTerminalForKeys
    }
    dup2(terminal, STDIN_FILENO)
    close(terminal)
  }
}
