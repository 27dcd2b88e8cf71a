package import Triples

/// The SQL functions that read JSON in columns of SQLite. The database calls back to Swift, so that
/// it finds and sorts the same rows as the query engine.
///
/// The first argument is the cell. The second is a ``DocumentPath`` as text or, for `test`, a
/// ``DocumentTest``.
package enum DocumentFunction: String, CaseIterable, Sendable {
  /// 1 if the value passes the test; otherwise 0.
  case test = "sonde_json_test"
  /// The bytes that sort like the value; NULL for null.
  case order = "sonde_json_order"
  /// The value as JSON text; NULL for null.
  case text = "sonde_json_text"
  /// A text that is the same for equal values, such as 1 and 1.0; NULL for null.
  case group = "sonde_json_group"
  /// The value if it is a number; otherwise NULL.
  case number = "sonde_json_number"
}

/// A path from a JSON value to a part of it, such as `tags.0`. The empty path leads to the value
/// itself.
package struct DocumentPath: Sendable {
  private let labels: [String]

  package init(_ text: String) {
    labels =
      text.isEmpty
      ? [] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  package init(_ labels: [String]) { self.labels = labels }

  package var text: String { labels.joined(separator: ".") }

  /// Whether the path leads to the value itself.
  var isEmpty: Bool { labels.isEmpty }

  /// Returns the part of a value; null if there is no such part.
  package func part(of value: Value) -> Value {
    labels.isEmpty ? value : value.part(at: labels)
  }
}

/// A condition on a part of a JSON value, in a form that SQL passes as text.
package struct DocumentTest: Sendable {
  private let path: DocumentPath
  /// Nil if no value passes.
  private let test: ComputedTest?

  private static let isIn = "in"
  private static let isNull = "null"

  /// Parses the text of a test; nil if it is not a test.
  package init?(_ text: String) {
    guard case .array(let parts)? = try? JSONReader.value(of: text), parts.count == 3,
      case .text(let path) = parts[0], case .text(let kind) = parts[1]
    else { return nil }
    let question: ValueQuestion
    switch (kind, parts[2]) {
    case (Self.isIn, .array(let values)): question = .positive(.oneOf(values))
    case (Self.isNull, .bool(let isNull)): question = isNull ? .isNull : .positive(.notNull)
    case (_, let value):
      guard let comparison = Comparison(rawValue: kind) else { return nil }
      question = ValueQuestion(comparison, value)
    }
    self.path = DocumentPath(path)
    test = ComputedTest(.column(0), question, text: text)
  }

  /// Returns the text of a condition's test. Nil for other conditions, and for values that JSON
  /// cannot represent.
  static func text(of node: ConditionNode, at path: DocumentPath) -> String? {
    let asked: (kind: String, value: Value)? =
      switch node {
      case .compare(_, let comparison, let value): (comparison.rawValue, value)
      case .isIn(_, let values): (isIn, .array(values))
      case .isNull(_, let flag): (isNull, .bool(flag))
      case .idStartsWith, .compareFields, .all, .any, .together, .not, .quantified, .linkCount: nil
      }
    guard let (kind, value) = asked else { return nil }
    let parts = Value.array([.text(path.text), .text(kind), value])
    let text = JSONWriter.text(parts)
    return (try? JSONReader.value(of: text)) == parts ? text : nil
  }

  package func holds(for document: Value) -> Bool {
    test?.holds(for: .row([path.part(of: document)])) ?? false
  }
}

extension Value {
  /// Bytes that sort like values without a checked type: false, true, numbers, strings by their code
  /// units, lists and objects. Nil for null, which comes first.
  package var orderKey: [UInt8]? {
    switch self {
    case .null: nil
    case .bool(let flag): [1, flag ? 1 : 0]
    case .integer(let number):
      // Doubles do not represent all integers, so the rest follows.
      Self.orderKey(Double(number), rest: Self.rest(of: number))
    case .double(let number): number.isNaN ? nil : Self.orderKey(number, rest: 0)
    case .text(let text): text.utf16.reduce(into: [3]) { $0 += [UInt8($1 >> 8), UInt8($1 & 0xFF)] }
    case .array, .object: [4]
    }
  }

  private static func orderKey(_ number: Double, rest: Int) -> [UInt8] {
    // All zeros are equal.
    let bits = (number == 0 ? 0 : number).bitPattern
    let sorted = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    let offset = UInt16(rest + 0x8000)
    return [2] + (0..<8).map { UInt8(sorted >> (56 - 8 * $0) & 0xFF) }
      + [UInt8(offset >> 8), UInt8(offset & 0xFF)]
  }

  /// Returns an integer minus the nearest double.
  private static func rest(of number: Int64) -> Int {
    let near = Double(number)
    return near < 0x1p63 ? Int(number - Int64(near)) : Int(number - .max) - 1
  }

  /// The JSON text that is the same for values that groups consider equal.
  package var groupKey: String? {
    self == .null ? nil : JSONWriter.text(comparable(as: nil), keyOrder: .sorted)
  }

  /// The number for an aggregate; nil for any other value.
  package var numberToCount: Value? {
    switch self {
    case .integer, .double: self
    case .null, .bool, .text, .array, .object: nil
    }
  }
}
