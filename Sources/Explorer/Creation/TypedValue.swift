import InstaQL
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
    case .string: return text == "null" || isQuoted(text, of: attribute) ? "\"\(text)\"" : text
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

  /// Returns whether a text is the word null or an empty text, in quotes.
  private static func isQuoted(_ text: String, of attribute: Attribute) -> Bool {
    let inner = inner(text)
    // An empty text would be no JSON, but the same text in quotes is.
    let stands = inner == "null" || inner.isEmpty && !attribute.containsJSONTexts
    return stands && inner.utf8.count < text.utf8.count
  }

  /// Parses a typed text as a value of an attribute. An empty line is an error, because it could mean
  /// an empty text or no value.
  ///
  /// - Returns: The value, or an error.
  static func read(_ text: String, of attribute: Attribute) -> Result<Value, Rejection> {
    func refuse(_ fault: String) -> Result<Value, Rejection> {
      .failure(Rejection(text: "\(attribute.label) \(fault)"))
    }
    let trimmed = String(text.drop(while: \.isWhitespace))
    if text.isEmpty, attribute.canBeText {
      let kind = attribute.checkedType == nil ? "a value" : "a text"
      return refuse("must be \(kind)\(attribute.otherInput)")
    }
    if trimmed.isEmpty, let kind = attribute.checkedType, kind != .string, !attribute.isRequired {
      return refuse("must be \(kind.words). Type null for no value")
    }
    if attribute.checkedType == .string {
      if text == "null" { return .success(.null) }
      if attribute.containsJSONTexts, let fault = jsonFault(in: text) {
        return .failure(Rejection(text: "\(attribute.label) is not valid JSON: \(fault)"))
      }
      // In quotes, the word null and the empty text stand for themselves.
      return .success(
        .text(isQuoted(text, of: attribute) ? String(text.dropFirst().dropLast()) : text))
    }
    if trimmed == "null" { return .success(.null) }
    switch attribute.checkedType {
    case .string: return .success(.text(text))
    case .date:
      if let hint = PartialDate.hint(for: trimmed) { return refuse("must be a date. \(hint)") }
      if let number = Int64(trimmed) { return .success(.integer(number)) }
      return Instant(real: trimmed) == nil
        ? refuse("must be a date such as 2025-01-31, milliseconds since 1970, or null")
        : .success(.text(trimmed))
    case .boolean:
      switch trimmed.lowercased() {
      case "true", "yes": return .success(.bool(true))
      case "false", "no": return .success(.bool(false))
      default: return refuse("must be true, false or null")
      }
    case .number: return readNumber(trimmed, of: attribute, orElse: refuse)
    case nil where attribute.exactForm == .json: return readDocument(text, orElse: refuse)
    case nil:
      // Without a declared type, the value is JSON if it parses, otherwise a text.
      do throws(JSONError) {
        return .success(try JSONReader.value(of: text))
      } catch {
        return .success(.text(text))
      }
    }
  }

  /// Parses a typed text as a number.
  ///
  /// - Parameter refuse: Returns the error for the end of a sentence that begins with the column.
  private static func readNumber(
    _ text: String, of attribute: Attribute, orElse refuse: (String) -> Result<Value, Rejection>
  ) -> Result<Value, Rejection> {
    guard let typed = TypedNumber(text) else { return refuse("must be a number or null") }
    if attribute.exactForm == .number, let value = typed.exact { return .success(value) }
    switch typed.value {
    case .double(let number)? where attribute.isDeclaredInteger:
      if number != number.rounded() { return refuse("must be a whole number or null") }
      // The column would round the number.
      if number < -0x1p63 || number >= 0x1p63 {
        return refuse("must be a whole number from \(Int64.min) to \(Int64.max)")
      }
      return .success(.double(number))
    case .some(let number): return .success(number)
    case nil: return refuse("must be a smaller number or null")
    }
  }

  /// Returns the error in a text that begins like JSON; nil if it is valid, or does not begin like
  /// JSON.
  private static func jsonFault(in text: String) -> JSONError? {
    guard beginsLikeJSON(text) else { return nil }
    do throws(JSONError) {
      _ = try JSONReader.value(of: text, options: JSONOptions(largeIntegers: .doubles))
      return nil
    } catch {
      return error
    }
  }

  private static func beginsLikeJSON(_ text: String) -> Bool {
    text.first { !$0.isWhitespace }.map { "{[\"".contains($0) } ?? false
  }

  /// Parses a typed text as a value of a JSON column. A text that does not begin like JSON is a
  /// string.
  ///
  /// - Parameter refuse: Returns the error for the end of a sentence that begins with the column.
  private static func readDocument(
    _ text: String, orElse refuse: (String) -> Result<Value, Rejection>
  ) -> Result<Value, Rejection> {
    if JSONReader.isExactDocument(text) { return .success(.text(text)) }
    do throws(JSONError) {
      let value = try JSONReader.value(of: text, options: JSONOptions(largeIntegers: .doubles))
      switch value {
      case .integer, .double:
        if JSONReader.roundsNumbers(of: text) {
          return refuse("has too many digits for a number outside of an array or object")
        }
      case .text(let inner) where JSONReader.isExactDocument(inner):
        return refuse("cannot be a string that contains JSON with so many digits")
      case .text, .null, .bool, .array, .object: break
      }
      return .success(value)
    } catch {
      switch error.problem {
      case .numberTooLarge, .numberTooLong:
        return refuse("is not valid: \(error.reason)")
      default: break
      }
      guard beginsLikeJSON(text) else { return .success(.text(text)) }
      return refuse("is not valid JSON: \(error)")
    }
  }
}

extension Attribute {
  /// Whether the type of the attribute allows texts.
  var canBeText: Bool { checkedType == nil || checkedType == .string }

  /// The end of a sentence about the values that can be typed, such as `, or null`: what can be typed
  /// besides a value of the attribute's type.
  var otherInput: String {
    guard canBeText else { return ", or null" }
    return isRequired ? ", or \"\" for an empty text" : ", \"\" for an empty text, or null"
  }

  /// Whether the declared type of the column is an integer type, such as `integer` or `bigint`.
  /// SQLite would nevertheless store fractions in the column.
  fileprivate var isDeclaredInteger: Bool {
    column?.type.wholeMatch(of: /(tiny|small|medium|big)?int(eger)?/) != nil
  }
}

/// The reason why this program or the store rejects an edit.
struct Rejection: Error, Equatable, CustomStringConvertible {
  let notice: Notice
  /// The attribute at fault; nil if the rejection concerns the whole entity.
  var label: String?

  var text: String { notice.text }

  var description: String { text }

  init(_ notice: Notice, label: String? = nil) {
    self.notice = notice
    self.label = label
  }

  init(text: String, label: String? = nil) { self.init(.error(text), label: label) }
}
