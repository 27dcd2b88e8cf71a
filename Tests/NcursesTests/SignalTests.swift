import CTerminal
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Signals while the terminal is open")
struct SignalTests {
  @Test("the handlers from before ncurses are restored, not those of ncurses")
  func restoring() {
    let before = signal(SIGCONT, SIG_IGN)
    defer { signal(SIGCONT, before) }
    ct_signals_note()
    // Like ncurses at its start.
    signal(SIGCONT, SIG_DFL)
    ct_signals_open(-1)
    ct_signals_close()
    let after = signal(SIGCONT, SIG_IGN)
    #expect(unsafeBitCast(after, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self))
  }
}

@Suite("Programs with input", .serialized, .timeLimit(.minutes(10)))
struct FeedTests {
  /// More than a pipe buffers.
  private static let much = [CChar](repeating: 0x78, count: 1 << 18)

  @Test(
    "a program that reads nothing or does not exit is not waited for",
    arguments: [
      (["cat"], true), (["false"], false), (["/no/such/program"], false),
      (["sleep", "3600"], false),
      (["sh", "-c", "cat; exec sleep 3600"], false),
    ])
  func feeding(_ words: [String], isTaken: Bool) {
    let pointers = words.map { (word: String) in strdup(word) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    // A correct program has enough time.
    let limit: Int32 = isTaken ? 50_000 : 50
    #expect(ct_feed(pointers, Self.much, Self.much.count, limit) == isTaken)
  }
}
