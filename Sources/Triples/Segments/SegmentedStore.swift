/// A store that is read back from its head and segments, part by part: parts can be read at the same
/// time, and are put together at the end.
package struct SegmentedStore: Sendable {
  /// The ids, or one column.
  package enum Part: Hashable, Sendable {
    case ids
    case column(Int)
  }

  /// What came of the bytes of a part.
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

  private static let mostColumns = 1 << 16

  /// - Throws: when the head does not say what it should.
  package init(head: [UInt8]) throws(SegmentFault) {
    guard case .object(let head) = try Self.value(of: head),
      case .array(let columns)? = head["columns"], columns.count <= Self.mostColumns
    else { throw SegmentFault("the head is no object with columns") }
    transactionID = try Self.number(head["transaction"])
    blockCount = try Self.number(head["blocks"])
    idTextCount = try Self.number(head["idTexts"])
    layout = head["schema"] ?? .null
    self.columns = try Self.columnHeads(columns)
  }

  private static func columnHeads(_ columns: [Value]) throws(SegmentFault) -> [ColumnHead] {
    var heads: [ColumnHead] = []
    for column in columns {
      guard case .object(let column) = column else { throw SegmentFault("a column is no object") }
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
      throw SegmentFault("the head cannot be read: \(error)")
    }
  }

  private static func number(_ value: Value?) throws(SegmentFault) -> Int {
    guard case .integer(let number)? = value, number >= 0, number < 1 << 40 else {
      throw SegmentFault("a number is missing")
    }
    return Int(number)
  }

  /// The attributes of all columns, the hidden ones among them.
  package var attributeStates: [ChangeRecord.AttributeState] {
    let attributes = columns.compactMap(\.attribute)
    let schema = Schema(attributes, layout: layout)
    return attributes.map {
      ChangeRecord.AttributeState(attribute: $0, isHidden: schema.attribute($0.id) == nil)
    }
  }

  /// All parts there must be.
  package var parts: [Part] {
    [.ids] + columns.indices.map { .column($0) }
  }

  /// Reads a part.
  ///
  /// - Parameters:
  ///   - cells: The segments `ids` or `cells` of the part by branch, an empty one where there is none.
  ///   - texts: The segments `idTexts` or `texts` of the part, likewise.
  /// - Throws: when the bytes are not what was written.
  package func load(
    _ part: Part, cells: [[UInt8]], texts: [[UInt8]]
  ) throws(SegmentFault) -> LoadedPart {
    switch part {
    case .ids:
      let dictionary = try TextDictionary(parts: texts, count: idTextCount)
      let entities = try Entities(parts: cells, blockCount: blockCount, texts: dictionary)
      return LoadedPart(content: .ids(entities))
    case .column(let number):
      guard columns.indices.contains(number) else { throw SegmentFault("a column too many") }
      let dictionary = try TextDictionary(parts: texts, count: columns[number].texts)
      let kind = columns[number].attribute.map(Column.Kind.init) ?? .value
      let column = try Column(
        kind, chunks: cells, texts: dictionary, entities: blockCount << Int(Chunk.shift))
      return LoadedPart(content: .column(number, column))
    }
  }

  /// Puts the parts together.
  /// - Throws: when a part is missing, or has cells of entities that are not there.
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
      throw SegmentFault("a part is missing")
    }
    var store = TripleStore()
    store.entities = Boxed(entities)
    for (number, head) in columns.enumerated() {
      guard let column = found[number], entities.hasAllRows(of: column) else {
        throw SegmentFault("a cell of an entity that is not there")
      }
      store.append(head.attribute, Boxed(column))
    }
    store.schema = Schema(columns.compactMap(\.attribute), layout: layout)
    store.transactionID = transactionID
    return store
  }
}

extension Entities {
  /// Whether every cell that holds something is one of a row that was given.
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
  /// Adds a column as it is.
  fileprivate mutating func append(_ attribute: Attribute?, _ column: Boxed<Column>) {
    let number = columns.count
    columns.append(column)
    attributes.append(attribute)
    guard let attribute else { return }
    numbers[attribute.id] = number
    if attribute.isIdentity { memberships[attribute.namespace] = number }
  }
}
