import Triples

/// The name and the id of a message whose text cannot be parsed completely.
///
/// JavaScript accepts JSON that other parsers reject, such as lone surrogates and very deep lists.
/// The error for such a message must contain the message's id, because the client waits for it.
struct MessageHead {
  let eventID: String
  let operation: String?
  /// The whole original message, if JavaScript can parse it; otherwise nil.
  private let whole: String?

  /// The maximum nesting depth. No real message is nested that deeply. The parser is not recursive.
  private static let depth = 100_000

  init?(of text: String, maxBytes: Int) {
    if let named = Self.named(in: text, maxBytes) {
      (eventID, operation) = named
      whole = text.first == "\u{FEFF}" ? String(text.dropFirst()) : text
      return
    }
    guard text.utf8.first == UInt8(ascii: "{") else { return nil }
    // Instant's client writes the id and the name first, without spaces.
    var rest = text.utf8.dropFirst()
    guard let eventID = Self.word(under: "client-event-id", &rest) else { return nil }
    self.eventID = eventID
    operation = rest.popFirst() == UInt8(ascii: ",") ? Self.word(under: "op", &rest) : nil
    whole = nil
  }

  /// Returns a rejected message, with an error that repeats the original message. The client finds
  /// its request by the query in the error.
  func refused(_ error: ServerError) -> ReceivedMessage {
    var original = JSONObject()
    original["client-event-id"] = .text(eventID)
    original["op"] = operation.map(Value.text)
    var repeated = error
    repeated.original = .object(original)
    repeated.originalText = whole
    return ReceivedMessage(
      original: .object(original), eventID: eventID, message: .failure(repeated))
  }

  private static func named(in text: String, _ maxBytes: Int) -> (String, String?)? {
    let options = JSONOptions(
      largeIntegers: .doubles, hugeNumbers: .null, maximumDepth: depth, maximumBytes: maxBytes)
    // The error of the text is already known. This only tests whether JavaScript could parse the
    // text.
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

  /// Reads the first member. Returns nil unless it has this key and a short ASCII text.
  private static func word(under key: String, _ rest: inout Substring.UTF8View) -> String? {
    let opening = Array("\"\(key)\":\"".utf8)
    guard rest.starts(with: opening) else { return nil }
    let word = rest.dropFirst(opening.count).prefix(maxWordLength)
    guard let end = word.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let letters = word[..<end]
    guard letters.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
      return nil
    }
    rest = rest[rest.index(after: end)...]
    return String(Substring(letters))
  }

  private static let maxWordLength = 128
}
