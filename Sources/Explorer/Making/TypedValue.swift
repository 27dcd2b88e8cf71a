import InstaQL
import Triples

/// A value as it is typed into a cell.
enum TypedValue {
  /// - Returns: The value, or what is wrong with the text.
  static func read(_ text: String, of attribute: Attribute) -> Result<Value, Model.Refusal> {
    let trimmed = String(text.drop(while: \.isWhitespace))
    if trimmed == "null" { return .success(.null) }
    func refuse(_ what: String) -> Result<Value, Model.Refusal> {
      .failure(Model.Refusal(text: "\(attribute.label) takes \(what)"))
    }
    switch attribute.checkedType {
    case .string: return .success(.text(text))
    case .date:
      if let number = Int64(trimmed) { return .success(.integer(number)) }
      return Instant(trimmed) == nil
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
