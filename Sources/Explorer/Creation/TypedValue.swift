import Triples
import Widgets

/// Converts between values and the text typed into a cell.
enum TypedValue {
  /// Returns the text with which editing a value starts; empty for a missing or null value. It is
  /// selected, so that typing replaces it.
  ///
  /// If the text needs quotes, only the text inside them is selected.
  static func proposal(
    for value: Value?, shownAs shown: String, of attribute: Attribute
  ) -> TextField {
    if value == .null { return TextField() }
    guard value?.textValue != nil else { return TextField(selecting: shown) }
    let text = proposal(for: shown, of: attribute)
    return TextField(selecting: text, closing: text == shown ? "" : "\"")
  }

  /// Returns a text value as the user edits it.
  ///
  /// The text is in quotes only if it would otherwise be read as another value, such as a number.
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

  /// Returns the text without the quotes around it, even if there are several nested pairs.
  private static func inner(_ text: String) -> Substring {
    var inner = text[...]
    while inner.count > 1, inner.first == "\"", inner.last == "\"" {
      inner = inner.dropFirst().dropLast()
    }
    return inner
  }

  /// Parses a typed text as a value of an attribute.
  ///
  /// - Returns: The value, or an error.
  static func read(_ text: String, of attribute: Attribute) -> Result<Value, Rejection> {
    let trimmed = String(text.drop(while: \.isWhitespace))
    if attribute.checkedType == .string {
      if text == "null" { return .success(.null) }
      // The text `"null"`, in quotes, stands for the word itself.
      let isQuoted = text != "null" && inner(text) == "null"
      return .success(.text(isQuoted ? String(text.dropFirst().dropLast()) : text))
    }
    if trimmed == "null" { return .success(.null) }
    func refuse(_ what: String) -> Result<Value, Rejection> {
      .failure(Rejection(text: "\(attribute.label) must be \(what)"))
    }
    switch attribute.checkedType {
    case .string: return .success(.text(text))
    case .date:
      if let number = Int64(trimmed) { return .success(.integer(number)) }
      return Instant(real: trimmed) == nil
        ? refuse("a date such as 2025-01-31, milliseconds since 1970, or null")
        : .success(.text(trimmed))
    case .boolean:
      switch trimmed.lowercased() {
      case "true", "yes": return .success(.bool(true))
      case "false", "no": return .success(.bool(false))
      default: return refuse("true, false or null")
      }
    case .number:
      // Commas are only accepted where they group digits, as on the screen.
      let isGrouped = trimmed.wholeMatch(of: /[+-]?\d{1,3}(,\d{3})+(\.\d+)?/) != nil
      let digits = trimmed.filter { !"_ \u{202F}\u{A0}".contains($0) && !(isGrouped && $0 == ",") }
      if let number = Int64(digits) { return .success(.integer(number)) }
      guard let number = Double(digits), number.isFinite else { return refuse("a number or null") }
      return .success(.double(number))
    case nil:
      // Without a declared type, the value is JSON if it parses, otherwise a text.
      do throws(JSONError) {
        return .success(try JSONReader.value(of: text))
      } catch {
        return .success(.text(text))
      }
    }
  }
}

/// The reason why this program or the store rejects an edit.
struct Rejection: Error, Equatable {
  let notice: Notice
  /// The attribute at fault; nil if the rejection concerns the whole entity.
  var label: String?

  var text: String { notice.text }

  init(_ notice: Notice, label: String? = nil) {
    self.notice = notice
    self.label = label
  }

  init(text: String, label: String? = nil) { self.init(.error(text), label: label) }
}
