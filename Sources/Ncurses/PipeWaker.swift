internal import CTerminal
internal import Synchronization
internal import TerminalUI

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Wakes `poll` through a pipe. Several calls before `poll` wakes write only one byte.
final class PipeWaker: Waker {
  /// The read end of the pipe, for use in `poll`.
  let readEnd: Int32
  private let writeEnd: Int32
  private let isCalled = Atomic(false)

  init() throws(TerminalError) {
    (readEnd, writeEnd) = try makePipe()
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  func wake() {
    if isCalled.exchange(true, ordering: .acquiringAndReleasing) { return }
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  /// Empties the pipe, so that later calls wake `poll` again.
  func drainPipe() {
    var bytes: (UInt64, UInt64) = (0, 0)
    _ = withUnsafeMutableBytes(of: &bytes) { read(readEnd, $0.baseAddress, $0.count) }
    // A `wake` call at this moment writes nothing, but the reader is about to check for events
    // anyway.
    isCalled.store(false, ordering: .releasing)
  }
}

/// Creates a pipe whose ends do not block.
func makePipe() throws(TerminalError) -> (readEnd: Int32, writeEnd: Int32) {
  var ends: [Int32] = [-1, -1]
  guard ct_pipe(&ends) else { throw .system(call: "pipe", reason: reason(errno)) }
  return (ends[0], ends[1])
}

/// Returns the system's description of an `errno`.
func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
