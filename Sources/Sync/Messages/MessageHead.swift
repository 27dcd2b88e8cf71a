import Triples

/// The name of a message and of what it asks for, taken from the beginning of a text that cannot be
/// read as a whole.
///
/// JavaScript writes half of a surrogate pair as soon as somebody cuts a text in the middle of an
/// emoji. Nobody else can read that, but who waits for an answer shall get one under its name.
///
/// - Source: Instant's client writes both first, without blanks.
struct MessageHead {
  let eventID: String
  let operation: String?

  init?(of text: String) {
    guard text.utf8.first == UInt8(ascii: "{") else { return nil }
    var rest = text.utf8.dropFirst()
    guard let eventID = Self.word(under: "client-event-id", &rest) else { return nil }
    self.eventID = eventID
    operation = rest.popFirst() == UInt8(ascii: ",") ? Self.word(under: "op", &rest) : nil
  }

  /// The message as refused.
  func refused(_ error: ServerError) -> ReceivedMessage {
    var original = JSONObject()
    original["client-event-id"] = .text(eventID)
    original["op"] = operation.map(Value.text)
    var told = error
    told.original = .object(original)
    return ReceivedMessage(original: .object(original), eventID: eventID, message: .failure(told))
  }

  /// A short text of plain letters that stands under a key at the beginning.
  private static func word(under key: String, _ rest: inout Substring.UTF8View) -> String? {
    let opening = Array("\"\(key)\":\"".utf8)
    guard rest.starts(with: opening) else { return nil }
    let word = rest.dropFirst(opening.count).prefix(longestWord)
    guard let end = word.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let letters = word[..<end]
    guard letters.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
      return nil
    }
    rest = rest[rest.index(after: end)...]
    return String(Substring(letters))
  }

  private static let longestWord = 128
}
