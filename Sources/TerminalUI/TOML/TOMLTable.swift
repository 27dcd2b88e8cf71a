/// A value of a TOML file.
package enum TOMLValue: Sendable, Hashable {
  case text(String)
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// A date, a time or both, as written.
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
    /// Where the key first stands, from 1.
    package let line: Int
  }

  /// In the order of the file.
  package let keys: [String]
  private let entries: [String: Entry]

  package init(_ entries: [(key: String, entry: Entry)]) {
    keys = entries.map(\.key)
    self.entries = Dictionary(entries.map { ($0.key, $0.entry) }) { first, _ in first }
  }

  package subscript(key: String) -> TOMLValue? { entries[key]?.value }

  /// The line of the key at the end of a path, or of the last one on it that is there; 1 for none.
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

/// The first place of a text that is not TOML, or exceeds a limit.
package struct TOMLError: Error, Hashable, Sendable {
  /// From 1.
  package let line: Int
  /// Without a full stop.
  package let reason: String
}

extension TOMLTable {
  package static let maxBytes = 64 << 10
  /// How many parts a dotted key may have.
  package static let maxKeyParts = 16
  /// How deep arrays and inline tables may be nested.
  package static let maxDepth = 32

  /// Reads a TOML file.
  ///
  /// - Complexity: O(length), whatever the text.
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
