import DataSourcesTesting
import TestSupport
import Triples

// Values of every type, including difficult ones.
extension SeededGenerator {
  mutating func text() -> String {
    let pieces = ["a", "bc", "\"", "\\", "\n", "é", "漢", "😀", "\u{0}", " ", "e\u{301}", "/", "🇪🇸"]
    return (0..<below(6)).map { _ in pieces[below(pieces.count)] }.joined()
  }

  mutating func value(depth: Int) -> Value {
    switch below(depth > 0 ? 8 : 6) {
    case 0: return .null
    case 1: return .bool(below(2) == 0)
    case 2: return .integer(Int64(below(2000)) - 1000)
    case 3: return .integer(Int64(bitPattern: next()))
    case 4:
      let double = Double(bitPattern: next())
      return .double(double.isFinite ? double : 0.5)
    case 5: return .text(text())
    case 6: return .array((0..<below(4)).map { _ in value(depth: depth - 1) })
    default:
      return .object(
        JSONObject((0..<below(4)).map { _ in .init(key: text(), value: value(depth: depth - 1)) }))
    }
  }
}
