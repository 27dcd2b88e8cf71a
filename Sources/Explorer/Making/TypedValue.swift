import InstaQL
import Triples

/// A value as it is typed into a cell.
enum TypedValue {
  /// The line before anything is typed: nothing for nothing, and for a null. Within quotes that only the
  /// line needs typing goes on.
  static func proposal(
    for value: Value?, shownAs shown: String, of attribute: Attribute
  ) -> TextField {
    if value == .null { return TextField() }
    guard value?.textValue != nil else { return TextField(shown) }
    let text = proposal(for: shown, of: attribute)
    return text == shown ? TextField(text) : TextField(text, closing: "\"")
  }

  /// A text as it is proposed for typing: as it is where reading it so gives it again, else in quotes.
  private static func proposal(for text: String, of attribute: Attribute) -> String {
    switch attribute.checkedType {
    case .string: return inner(text) == "null" ? "\"\(text)\"" : text
    case .date, .boolean, .number: return text
    case nil:
      guard case .success(.text(text)) = read(text, of: attribute) else {
        return JSONWriter.text(.text(text))
      }
      return text
    }
  }

  /// What the quotes around a text hold, be it several pairs of them.
  private static func inner(_ text: String) -> Substring {
    var inner = text[...]
    while inner.count > 1, inner.first == "\"", inner.last == "\"" {
      inner = inner.dropFirst().dropLast()
    }
    return inner
  }

  /// - Returns: The value, or what is wrong with the text.
  static func read(_ text: String, of attribute: Attribute) -> Result<Value, Rejection> {
    let trimmed = String(text.drop(while: \.isWhitespace))
    if attribute.checkedType == .string {
      if text == "null" { return .success(.null) }
      // The word itself is a text in quotes.
      let isQuoted = text != "null" && inner(text) == "null"
      return .success(.text(isQuoted ? String(text.dropFirst().dropLast()) : text))
    }
    if trimmed == "null" { return .success(.null) }
    func refuse(_ what: String) -> Result<Value, Rejection> {
      .failure(Rejection(text: "\(attribute.label) takes \(what)"))
    }
    switch attribute.checkedType {
    case .string: return .success(.text(text))
    case .date:
      if let number = Int64(trimmed) { return .success(.integer(number)) }
      return Instant(real: trimmed) == nil
        ? refuse("a date such as 2025-01-31, milliseconds, or null") : .success(.text(trimmed))
    case .boolean:
      switch trimmed.lowercased() {
      case "true", "yes": return .success(.bool(true))
      case "false", "no": return .success(.bool(false))
      default: return refuse("true, false or null")
      }
    case .number:
      let digits = trimmed.filter { $0 != "_" && $0 != " " && $0 != "\u{202F}" && $0 != "\u{A0}" }
      if let number = Int64(digits) { return .success(.integer(number)) }
      guard let number = Double(digits), number.isFinite else {
        return refuse("a number or null")
      }
      return .success(.double(number))
    case nil:
      // Anything goes: JSON where it is some, else a text.
      do throws(JSONError) {
        return .success(try JSONReader.value(of: text))
      } catch {
        return .success(.text(text))
      }
    }
  }
}
