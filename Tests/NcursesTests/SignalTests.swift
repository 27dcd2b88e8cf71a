import CTerminal
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Signals while the terminal is ours")
struct SignalTests {
  @Test("what they did before ncurses is in force again, not what ncurses does")
  func restoring() {
    let before = signal(SIGCONT, SIG_IGN)
    defer { signal(SIGCONT, before) }
    ct_signals_note()
    // As ncurses does, while it begins.
    signal(SIGCONT, SIG_DFL)
    ct_signals_open(-1)
    ct_signals_close()
    let after = signal(SIGCONT, SIG_IGN)
    #expect(unsafeBitCast(after, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self))
  }
}

@Suite("Programs that are fed", .serialized, .timeLimit(.minutes(10)))
struct FeedTests {
  /// More than a pipe holds.
  private static let much = [CChar](repeating: 0x78, count: 1 << 18)

  @Test(
    "one that takes nothing or does not end is not waited for",
    arguments: [
      (["cat"], true), (["false"], false), (["/no/such/program"], false),
      (["sleep", "3600"], false),
      (["sh", "-c", "cat; exec sleep 3600"], false),
    ])
  func feeding(_ words: [String], isTaken: Bool) {
    let pointers = words.map { (word: String) in strdup(word) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    // One that does what it is told has all the time it needs.
    let limit: Int32 = isTaken ? 50_000 : 50
    #expect(ct_feed(pointers, Self.much, Self.much.count, limit) == isTaken)
  }
}
