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
