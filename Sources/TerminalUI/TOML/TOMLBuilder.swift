/// Collects the keys and headers of a TOML file in tables and rejects duplicates.
struct TOMLBuilder {
  private final class Table {
    enum Origin {
      /// A table whose keys follow its own header.
      case header
      /// A table that exists only because a nested table has a header.
      case implicit
      /// A table that a dotted key defines.
      case dottedKey
      /// An inline table in braces, to which no more keys can be added.
      case inline
    }

    enum Node {
      case value(TOMLValue)
      case table(Table)
      /// An array of tables, each with a header in double brackets. It is never empty.
      case tables([Table])
    }

    var origin: Origin
    let line: Int
    var keys: [String] = []
    var nodes: [String: (node: Node, line: Int)] = [:]

    init(_ origin: Origin, line: Int) {
      self.origin = origin
      self.line = line
    }

    func set(_ key: String, _ node: Node, _ line: Int) {
      if let old = nodes[key] {
        nodes[key] = (node, old.line)
      } else {
        keys.append(key)
        nodes[key] = (node, line)
      }
    }

    var frozen: TOMLTable {
      TOMLTable(
        keys.compactMap { key in
          guard let (node, line) = nodes[key] else { return nil }
          let value: TOMLValue =
            switch node {
            case .value(let value): value
            case .table(let table): .table(table.frozen)
            case .tables(let tables): .array(tables.map { .table($0.frozen) })
            }
          return (key, TOMLTable.Entry(value: value, line: line))
        }, line: line)
    }
  }

  private let root: Table
  private var current: Table

  /// Creates a builder without keys.
  ///
  /// - Parameters:
  ///   - isInline: Whether the keys belong to an inline table.
  ///   - line: The line where the table begins.
  init(isInline: Bool = false, line: Int = 1) {
    root = Table(isInline ? .inline : .header, line: line)
    current = root
  }

  var table: TOMLTable { root.frozen }

  mutating func add(_ value: TOMLValue, at key: [String], line: Int) throws(TOMLError) {
    var table = current
    for part in key.dropLast() {
      switch table.nodes[part]?.node {
      case nil:
        let next = Table(.dottedKey, line: line)
        table.set(part, .table(next), line)
        table = next
      case .table(let next) where next.origin == .dottedKey: table = next
      default: throw Self.twice(key, line)
      }
    }
    guard let last = key.last, table.nodes[last] == nil else { throw Self.twice(key, line) }
    table.set(last, .value(value), line)
  }

  /// Opens the table for the header `[key]`, or appends a table to the array for `[[key]]`.
  mutating func open(_ key: [String], isArray: Bool, line: Int) throws(TOMLError) {
    var table = root
    for part in key.dropLast() {
      switch table.nodes[part]?.node {
      case nil:
        let next = Table(.implicit, line: line)
        table.set(part, .table(next), line)
        table = next
      case .table(let next): table = next
      case .tables(let list): table = list[list.count - 1]
      case .value: throw Self.twice(key, line)
      }
    }
    guard let last = key.last else {
      throw TOMLError(line: line, reason: "a TOML table has no name")
    }
    let next = Table(.header, line: line)
    switch (table.nodes[last]?.node, isArray) {
    case (nil, true): table.set(last, .tables([next]), line)
    case (.tables(var list), true):
      // The array is now uniquely referenced, so appending does not copy it.
      table.set(last, .tables([]), line)
      list.append(next)
      table.set(last, .tables(list), line)
    case (nil, false): table.set(last, .table(next), line)
    case (.table(let known), false) where known.origin == .implicit:
      known.origin = .header
      current = known
      return
    default: throw Self.twice(key, line)
    }
    current = next
  }

  private static func twice(_ key: [String], _ line: Int) -> TOMLError {
    TOMLError(line: line, reason: "'\(key.joined(separator: "."))' is defined twice")
  }
}
