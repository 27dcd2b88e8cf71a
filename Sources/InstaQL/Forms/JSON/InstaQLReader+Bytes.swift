package import Triples

extension InstaQLReading {
  /// How to parse JSON. A strict reader requires unique keys and exact integers; any other parses
  /// like JavaScript.
  package var options: JSONOptions {
    switch self {
    case .strict:
      JSONOptions(duplicateKeys: .refused, maximumDepth: 512, maximumBytes: 1 << 20)
    case .reference, .served:
      JSONOptions(largeIntegers: .doubles, maximumDepth: 512, maximumBytes: 1 << 20)
    }
  }
}

extension InstaQLReader {
  static func value(
    ofJSON bytes: [UInt8], reading: InstaQLReading = .strict
  ) throws(QueryError) -> Value {
    do throws(JSONError) {
      return try JSONReader.value(of: bytes, options: reading.options)
    } catch {
      throw .json(line: error.line, column: error.column, reason: error.reason)
    }
  }
}

extension InstaQLWriter {
  /// Returns JSON text with sorted keys. Equal values have equal text.
  static func text(of value: Value) -> String { JSONWriter.text(value, keyOrder: .sorted) }
}

extension JSONObject {
  /// Keys and values in their original order.
  var pairs: [(String, Value)] { members.map { ($0.key, $0.value) } }
}
