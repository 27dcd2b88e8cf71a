/// A store that is loaded from its head and segments. Its parts can be loaded concurrently and are
/// combined at the end.
package struct SegmentedStore: Sendable {
  /// A part of a store: the ids, or one column.
  package enum Part: Hashable, Sendable {
    case ids
    case column(Int)
  }

  /// The content of one loaded part.
  package struct LoadedPart: Sendable {
    fileprivate enum Content: Sendable {
      case ids(Entities)
      case column(Int, Column)
    }
    fileprivate let content: Content
  }

  private struct ColumnHead {
    var attribute: Attribute?
    var texts: Int
  }

  private let columns: [ColumnHead]
  private let blockCount: Int
  private let idTextCount: Int
  private let layout: Value
  package let transactionID: Int

  private static let maxColumns = 1 << 16

  /// Parses the head of a store.
  ///
  /// - Throws: `SegmentFault` when the head is invalid.
  package init(head: [UInt8]) throws(SegmentFault) {
    guard case .object(let head) = try Self.value(of: head),
      case .array(let columns)? = head["columns"], columns.count <= Self.maxColumns
    else { throw SegmentFault("the header is not a JSON object with columns") }
    transactionID = try Self.number(head["transaction"])
    blockCount = try Self.number(head["blocks"])
    idTextCount = try Self.number(head["idTexts"])
    layout = head["schema"] ?? .null
    self.columns = try Self.columnHeads(columns)
  }

  private static func columnHeads(_ columns: [Value]) throws(SegmentFault) -> [ColumnHead] {
    var heads: [ColumnHead] = []
    for column in columns {
      guard case .object(let column) = column else {
        throw SegmentFault("the header describes a column by a value that is not an object")
      }
      let texts = try number(column["texts"])
      heads.append(ColumnHead(attribute: try attribute(column["attribute"]), texts: texts))
    }
    return heads
  }

  private static func attribute(_ json: Value?) throws(SegmentFault) -> Attribute? {
    guard let json, json != .null else { return nil }
    do throws(Attribute.Fault) {
      return try Attribute(json: json)
    } catch {
      throw SegmentFault(error.reason)
    }
  }

  private static func value(of bytes: [UInt8]) throws(SegmentFault) -> Value {
    do throws(JSONError) {
      return try JSONReader.value(of: bytes)
    } catch {
      throw SegmentFault("the header cannot be read: \(error)")
    }
  }

  private static func number(_ value: Value?) throws(SegmentFault) -> Int {
    guard case .integer(let number)? = value, number >= 0, number < 1 << 40 else {
      throw SegmentFault("a number is missing in the header")
    }
    return Int(number)
  }

  /// The attributes of all columns, including hidden attributes.
  package var attributeStates: [ChangeRecord.AttributeState] {
    let attributes = columns.compactMap(\.attribute)
    let schema = Schema(attributes, layout: layout)
    return attributes.map {
      ChangeRecord.AttributeState(attribute: $0, isHidden: schema.attribute($0.id) == nil)
    }
  }

  /// All parts of the store.
  package var parts: [Part] {
    [.ids] + columns.indices.map { .column($0) }
  }

  /// Loads a part.
  ///
  /// - Parameters:
  ///   - cells: The segments `ids` or `cells` of the part, by branch; empty for a branch without a
  ///     segment.
  ///   - texts: The segments `idTexts` or `texts` of the part, by branch.
  /// - Throws: `SegmentFault` when the bytes are damaged.
  package func load(
    _ part: Part, cells: [[UInt8]], texts: [[UInt8]]
  ) throws(SegmentFault) -> LoadedPart {
    switch part {
    case .ids:
      let dictionary = try TextDictionary(parts: texts, count: idTextCount)
      let entities = try Entities(parts: cells, blockCount: blockCount, texts: dictionary)
      return LoadedPart(content: .ids(entities))
    case .column(let number):
      guard columns.indices.contains(number) else {
        throw SegmentFault("the header does not contain a column")
      }
      let dictionary = try TextDictionary(parts: texts, count: columns[number].texts)
      let kind = columns[number].attribute.map(Column.Kind.init) ?? .value
      let column = try Column(
        kind, chunks: cells, texts: dictionary, entities: blockCount << Int(Chunk.shift))
      return LoadedPart(content: .column(number, column))
    }
  }

  /// Combines the loaded parts into a store.
  /// - Throws: `SegmentFault` when a part is missing, or has cells of missing entities.
  package func store(of parts: [LoadedPart]) throws(SegmentFault) -> TripleStore {
    var entities: Entities?
    var found: [Int: Column] = [:]
    for part in parts {
      switch part.content {
      case .ids(let ids): entities = ids
      case .column(let number, let column): found[number] = column
      }
    }
    guard let entities, found.count == columns.count else {
      throw SegmentFault("the ids or a column are missing")
    }
    var store = TripleStore()
    store.entities = Boxed(entities)
    for (number, head) in columns.enumerated() {
      guard let column = found[number], entities.hasAllRows(of: column) else {
        throw SegmentFault("a cell belongs to an entity that is missing")
      }
      store.append(head.attribute, Boxed(column))
    }
    store.schema = Schema(columns.compactMap(\.attribute), layout: layout)
    store.transactionID = transactionID
    return store
  }
}

extension Entities {
  /// Returns whether every cell with content belongs to an existing row.
  fileprivate func hasAllRows(of column: Column) -> Bool {
    for place in 0..<column.chunks.end {
      let chunk = column.chunks[place]
      guard let last = chunk.present.lastIndex(where: { $0 != 0 }) else { continue }
      let slot = last * 64 + 63 - chunk.present[last].leadingZeroBitCount
      if !contains(row: UInt32(place << 10 | slot)) { return false }
    }
    return true
  }
}

extension TripleStore {
  /// Appends the column of an attribute unchanged.
  fileprivate mutating func append(_ attribute: Attribute?, _ column: Boxed<Column>) {
    let number = columns.count
    columns.append(column)
    attributes.append(attribute)
    guard let attribute else { return }
    numbers[attribute.id] = number
    if attribute.isIdentity { memberships[attribute.namespace] = number }
  }
}
