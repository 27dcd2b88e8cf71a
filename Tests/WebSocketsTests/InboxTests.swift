import Synchronization
import Testing
import WebSockets

@Suite("Inbox of unread messages")
struct InboxTests {
  /// Adds messages until the inbox is full, and returns their number.
  private static func fill(_ inbox: Inbox, with text: String = "a") -> Int {
    var count = 1
    while !inbox.deliver(text) { count += 1 }
    return count
  }

  @Test("a full inbox reports once that it has room, even if more arrived meanwhile")
  func moreWhileRead() async {
    let inbox = Inbox()
    let count = Self.fill(inbox)
    let rooms = Mutex(0)
    func take(_ texts: Int) async {
      for _ in 0..<texts { #expect(await inbox.next { rooms.withLock { $0 += 1 } } == "a") }
    }
    await take(count / 4)
    // Part of what was received before reading stopped.
    #expect(inbox.deliver("a"))
    #expect(inbox.isFull && rooms.withLock { $0 } == 0)
    await take(count + 1 - count / 4)
    #expect(!inbox.isFull && rooms.withLock { $0 } == 1)
    inbox.end()
    #expect(await inbox.next {} == nil)
  }

  @Test("a few long messages fill it, too")
  func long() async {
    let inbox = Inbox()
    let text = String(repeating: "a", count: 37_500)
    #expect(Self.fill(inbox, with: text) == 4)
    let rooms = Mutex(0)
    for left in stride(from: 3, through: 0, by: -1) {
      #expect(await inbox.next { rooms.withLock { $0 += 1 } } == text)
      #expect(inbox.isFull == (left > 1))
    }
    #expect(rooms.withLock { $0 } == 1)
  }

  @Test("messages can be read after the end")
  func end() async {
    let inbox = Inbox()
    _ = inbox.deliver("a")
    inbox.end()
    #expect(inbox.deliver("b"))
    #expect(await inbox.next {} == "a")
    #expect(await inbox.next {} == nil)
  }
}
