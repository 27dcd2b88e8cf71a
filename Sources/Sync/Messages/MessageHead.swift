import Triples

/// The name of a message and of what it asks for, taken from a text that cannot be read as a whole.
///
/// JavaScript reads more than anybody else: half of a surrogate pair, lists in lists without end.
/// Who waits for an answer to such a message shall get one under its name.
struct MessageHead {
  let eventID: String
  let operation: String?
  /// The whole message as it came, when it is JSON at least to JavaScript.
  private let whole: String?

  /// So deep does nobody mean it; the reader goes there without recursion.
  private static let depth = 100_000

  init?(of text: String, mostBytes: Int) {
    if let named = Self.named(in: text, mostBytes) {
      (eventID, operation) = named
      whole = text.first == "\u{FEFF}" ? String(text.dropFirst()) : text
      return
    }
    guard text.utf8.first == UInt8(ascii: "{") else { return nil }
    // Instant's client writes both first, without blanks.
    var rest = text.utf8.dropFirst()
    guard let eventID = Self.word(under: "client-event-id", &rest) else { return nil }
    self.eventID = eventID
    operation = rest.popFirst() == UInt8(ascii: ",") ? Self.word(under: "op", &rest) : nil
    whole = nil
  }

  /// The message as refused. The client finds out by what is shown to it again which query it was.
  func refused(_ error: ServerError) -> ReceivedMessage {
    var original = JSONObject()
    original["client-event-id"] = .text(eventID)
    original["op"] = operation.map(Value.text)
    var told = error
    told.original = .object(original)
    told.originalText = whole
    return ReceivedMessage(original: .object(original), eventID: eventID, message: .failure(told))
  }

  private static func named(in text: String, _ mostBytes: Int) -> (String, String?)? {
    let options = JSONOptions(
      largeIntegers: .doubles, hugeNumbers: .null, maximumDepth: depth, maximumBytes: mostBytes)
    // What is wrong with it was found out before: here it only matters that it can be read.
    let found = try? JSONReader.withRoot(
      of: LoneSurrogates.replaced(in: text.utf8), options: options
    ) { root throws(JSONError) -> (String, String?)? in
      guard root.kind == .object, let id = root.member("client-event-id"), id.kind == .text
      else { return nil }
      let operation = root.member("op").flatMap { $0.kind == .text ? $0.text : nil }
      return (id.text, operation)
    }
    return found ?? nil
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
