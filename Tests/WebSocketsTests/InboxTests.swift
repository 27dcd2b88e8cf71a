import Synchronization
import Testing
import WebSockets

@Suite("Texts that have come and were not read yet")
struct InboxTests {
  /// Puts texts in until the network is to be left alone, and says how many those were.
  private static func fill(_ inbox: Inbox, with text: String = "a") -> Int {
    var count = 1
    while !inbox.deliver(text) { count += 1 }
    return count
  }

  @Test("what is full says once that it has room, although more came while it was read")
  func moreWhileRead() async {
    let inbox = Inbox()
    let count = Self.fill(inbox)
    let rooms = Mutex(0)
    func take(_ texts: Int) async {
      for _ in 0..<texts { #expect(await inbox.next { rooms.withLock { $0 += 1 } } == "a") }
    }
    await take(count / 4)
    // A part of what was read from the network before it was left alone.
    #expect(inbox.deliver("a"))
    #expect(inbox.isFull && rooms.withLock { $0 } == 0)
    await take(count + 1 - count / 4)
    #expect(!inbox.isFull && rooms.withLock { $0 } == 1)
    inbox.end()
    #expect(await inbox.next {} == nil)
  }

  @Test("few long texts fill it as well")
  func long() async {
    let inbox = Inbox()
    let text = String(repeating: "a", count: 300_000)
    #expect(Self.fill(inbox, with: text) == 4)
    let rooms = Mutex(0)
    for left in stride(from: 3, through: 0, by: -1) {
      #expect(await inbox.next { rooms.withLock { $0 += 1 } } == text)
      #expect(inbox.isFull == (left > 1))
    }
    #expect(rooms.withLock { $0 } == 1)
  }

  @Test("what is there when nobody sends any more can still be read")
  func end() async {
    let inbox = Inbox()
    _ = inbox.deliver("a")
    inbox.end()
    #expect(inbox.deliver("b"))
    #expect(await inbox.next {} == "a")
    #expect(await inbox.next {} == nil)
  }
}
