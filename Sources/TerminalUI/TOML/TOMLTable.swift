/// A value of a TOML file.
package enum TOMLValue: Sendable, Hashable {
  case text(String)
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// A date, a time or both, as unparsed text.
  case date(String)
  case array([TOMLValue])
  case table(TOMLTable)

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
  package var array: [TOMLValue]? { if case .array(let items) = self { items } else { nil } }
  package var table: TOMLTable? { if case .table(let table) = self { table } else { nil } }
}

/// The keys of a TOML file, or of a table in it, with their values and lines.
package struct TOMLTable: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package let value: TOMLValue
    /// The line where the key is first defined, counted from 1.
    package let line: Int
  }

  /// The keys in file order.
  package let keys: [String]
  /// The line of the header, or of the first key if the table has no header; 1 for the whole file.
  package let line: Int
  private let entries: [String: Entry]

  package init(_ entries: [(key: String, entry: Entry)], line: Int = 1) {
    self.line = line
    keys = entries.map(\.key)
    self.entries = Dictionary(entries.map { ($0.key, $0.entry) }) { first, _ in first }
  }

  package subscript(key: String) -> TOMLValue? { entries[key]?.value }

  /// Returns the line of the last existing key on a path; 1 if no key of the path exists.
  package func line(of path: [String]) -> Int {
    var (table, line) = (self, 1)
    for key in path {
      guard let entry = table.entries[key] else { break }
      line = entry.line
      guard let inner = entry.value.table else { break }
      table = inner
    }
    return line
  }
}

/// The first error of a text that is not TOML, or that exceeds a limit.
package struct TOMLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  package let line: Int
  /// The reason, without a full stop.
  package let reason: String

  package var description: String { "line \(line): \(reason)" }
}

extension TOMLTable {
  package static let maxBytes = 64 << 10
  /// The maximum number of parts of a dotted key.
  package static let maxKeyParts = 16
  /// The maximum depth of nested arrays and inline tables.
  package static let maxDepth = 32

  /// Parses a TOML file.
  ///
  /// - Throws: `TOMLError` with the line of the first error.
  /// - Complexity: O(length).
  /// - Source: TOML 1.0.0, https://toml.io/en/v1.0.0
  package init(toml text: String) throws(TOMLError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.maxBytes else {
      throw TOMLError(line: 1, reason: "the file is larger than \(Self.maxBytes >> 10) kB")
    }
    var reader = TOMLReader(bytes)
    self = try reader.document()
  }
}
