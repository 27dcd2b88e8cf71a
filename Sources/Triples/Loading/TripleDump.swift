/// A complete store as one JSON object: `{"attrs": [ … ], "triples": [[e, a, v, createdAt], …
/// ]}`.
///
/// Attributes are a list, or an object whose keys are ids. Triples of unknown attributes and other
/// keys of the object are skipped.
public enum TripleDump {
  /// Loads a triple dump.
  ///
  /// - Parameter file: The file name for errors.
  /// - Throws: The first error, with its line.
  /// - Complexity: O(bytes). Besides the store, it needs memory for only one triple.
  public static func load(
    _ bytes: [UInt8], file: String = ""
  ) throws(DatasetError) -> TripleStore {
    try read(bytes, file: file).store
  }

  /// Loads a dump, and reports skipped and changed data.
  public static func read(
    _ bytes: [UInt8], file: String = "", _ options: DatasetOptions = DatasetOptions()
  ) throws(DatasetError) -> DatasetReading {
    try bytes.withUnsafeBufferPointer { source throws(DatasetError) in
      var loader = TripleDumpLoader(source, file: file)
      try loader.load()
      let report = loader.makeReport()
      if options.isStrict, let first = report.entries.first { throw first }
      return DatasetReading(store: loader.store, report: report, contentRows: RowSet())
    }
  }
}

struct TripleDumpLoader: ~Copyable {
  private(set) var store = TripleStore()
  private var parser: JSONParser
  private let source: UnsafeBufferPointer<UInt8>
  private let file: String
  private let scratch = TextScratch()
  private var columns: [ColumnPlan] = []
  private var numbers: [String: Int] = [:]
  private var hasAttributes = false
  /// For each unknown attribute, its number of triples and the file offset of its first triple.
  private var unknown: [String: (offset: Int, count: Int)] = [:]
  private static let maximumAttributes = 16_384

  /// How an attribute's triples are loaded.
  private struct ColumnPlan {
    enum Kind { case member, value, list, link, links }

    var kind: Kind
    var column: Int
    /// The namespace of the attribute's entities; `target` is the namespace of the entities that
    /// they link to.
    var home: String
    var target: String
    /// The index of the plan that was used after this plan the last time. It is tried first for the
    /// next triple.
    var successor = 0
    var id: [UInt8]
  }

  init(_ source: UnsafeBufferPointer<UInt8>, file: String) {
    self.source = source
    self.file = file
    parser = JSONParser(
      source, options: JSONOptions(largeIntegers: .doubles, hugeNumbers: .null))
  }

  /// Creates a report of skipped triples and inexact numbers.
  mutating func makeReport() -> LoadReport {
    var report = LoadReport()
    for (id, triples) in unknown.sorted(by: { $0.value.offset < $1.value.offset }) {
      report.add(fault(.unknownAttribute(id, triples: triples.count), at: triples.offset))
    }
    let numbers = parser.inexact
    for (place, number) in numbers.first.enumerated() {
      let others = place == numbers.first.count - 1 ? numbers.count - numbers.first.count : 0
      report.add(fault(.inexact(number.text, others: others), at: number.offset))
    }
    return report
  }

  /// The maximum number of unknown attributes counted separately.
  private static let maxUnknown = 100

  private mutating func countUnknown(_ attribute: JSONNode) {
    let id = attribute.text.count > 80 ? attribute.text.prefix(80) + "…" : attribute.text
    let known = unknown[id] != nil || unknown.count < Self.maxUnknown ? id : "…"
    let place = parser.position
    unknown[known, default: (place, 0)].count += 1
  }

  // MARK: The object

  mutating func load() throws(DatasetError) {
    guard parser.consume(UInt8(ascii: "{")) else { throw unexpected("'{'") }
    var triples: Int?
    if !parser.consume(UInt8(ascii: "}")) {
      repeat {
        let key = try key()
        parser.skipSpace()
        switch key {
        case "attrs": try loadAttributes()
        case "triples" where hasAttributes:
          try eachTriple { dump, node throws(DatasetError) in
            try dump.load(node)
          }
        case "triples":
          triples = parser.position
          try eachTriple { _, _ in }
        default: try parse()
        }
      } while parser.consume(UInt8(ascii: ","))
      guard parser.consume(UInt8(ascii: "}")) else { throw unexpected("',' or '}'") }
    }
    parser.skipSpace()
    guard parser.isAtEnd else { throw unexpected("the end of the file") }
    guard hasAttributes else {
      throw DatasetError(.expected("the attributes under 'attrs'"), file: file)
    }
    // The triples precede the attributes, so they are read now.
    if let triples {
      parser.position = triples
      try eachTriple { dump, node throws(DatasetError) in try dump.load(node) }
    }
  }

  private mutating func key() throws(DatasetError) -> String {
    parser.skipSpace()
    guard !parser.isAtEnd, source[parser.position] == UInt8(ascii: "\"") else {
      throw unexpected("a key in quotes")
    }
    try parse()
    let key = parser.root.text
    guard parser.consume(UInt8(ascii: ":")) else { throw unexpected("':'") }
    return key
  }

  private mutating func loadAttributes() throws(DatasetError) {
    let start = parser.position
    try parse()
    hasAttributes = true
    switch parser.root.value {
    case .array(let list):
      for json in list { try add(json, at: start) }
    case .object(let byID):
      for member in byID.members {
        guard case .object(var object) = member.value else { continue }
        if object["id"] == nil { object["id"] = .text(member.key) }
        try add(.object(object), at: start)
      }
    case let other:
      throw fault(.expected("a list of attributes, found \(other.kindName)"), at: start)
    }
  }

  private mutating func add(_ json: Value, at offset: Int) throws(DatasetError) {
    guard columns.count < Self.maximumAttributes else {
      throw fault(.expected("at most \(Self.maximumAttributes) attributes"), at: offset)
    }
    let attribute: Attribute
    do throws(Attribute.Fault) { attribute = try Attribute(json: json) } catch {
      throw fault(.schema(error.reason), at: offset)
    }
    store.addAttribute(attribute)
    guard let column = store.column(of: attribute.id) else { return }
    let kind: ColumnPlan.Kind =
      switch store.columns[column].content.kind {
      case .membership: .member
      case .value: .value
      case .valueList: .list
      case .target: .link
      case .targetList: .links
      }
    let plan = ColumnPlan(
      kind: kind, column: column, home: attribute.namespace,
      target: attribute.reverse?.namespace ?? "", id: Array(attribute.id.text.utf8))
    if let number = numbers[attribute.id.text] {
      columns[number] = plan
    } else {
      numbers[attribute.id.text] = columns.count
      columns.append(plan)
    }
  }

  // MARK: Triples

  /// The entity of the previous triple. The next triple usually has the same entity.
  private var lastEntity = EntityHandle(row: 0)
  private var lastBytes: (start: Int, count: Int) = (0, -1)
  private var lastColumn = 0

  private mutating func eachTriple(
    _ body: (inout TripleDumpLoader, JSONNode) throws(DatasetError) -> Void
  ) throws(DatasetError) {
    guard parser.consume(UInt8(ascii: "[")) else { throw unexpected("'[' before the triples") }
    if parser.consume(UInt8(ascii: "]")) { return }
    repeat {
      try parse()
      try body(&self, parser.root)
    } while parser.consume(UInt8(ascii: ","))
    guard parser.consume(UInt8(ascii: "]")) else { throw unexpected("',' or ']'") }
  }

  private mutating func load(_ node: JSONNode) throws(DatasetError) {
    guard node.kind == .array, node.count == 3 || node.count == 4,
      case let entity = node.first, entity.kind == .text,
      case let attribute = entity.next, attribute.kind == .text
    else {
      throw fault(
        .expected("a triple: a list of an entity, an attribute, a value and a time"),
        at: parser.position)
    }
    guard let number = plan(of: bytes(of: attribute)) else { return countUnknown(attribute) }
    columns[lastColumn].successor = number
    lastColumn = number
    let value = attribute.next
    var time: Int64 = 0
    if node.count == 4 {
      let stamp = value.next
      switch stamp.kind {
      case .small, .large: time = stamp.integer
      case .null: break
      default: throw fault(.expected("a time in milliseconds"), at: parser.position)
      }
    }
    let handle = handle(of: entity, in: number)
    try insert(value, of: handle, number, at: store.relative(time, to: handle.row))
  }

  /// Writes a value directly to a column; `time` is in the form that columns store.
  private mutating func insert(
    _ value: JSONNode, of entity: EntityHandle, _ number: Int, at time: Int64
  ) throws(DatasetError) {
    let (column, row) = (columns[number].column, entity.row)
    switch columns[number].kind {
    case .member: store.columns[column].content.mark(row, time: time)
    case .list: _ = store.columns[column].content.addValue(value.value, at: row, time: time)
    case .link, .links:
      guard value.kind == .text else {
        throw fault(.expected("an id as the value of a link"), at: parser.position)
      }
      let target = makeEntity(bytes(of: value), in: columns[number].target)
      if columns[number].kind == .links {
        _ = store.columns[column].content.addTarget(target.row, at: row, time: time)
      } else {
        store.columns[column].content.setTarget(target.row, at: row, time: time)
      }
    case .value: load(value, row, column, at: time)
    }
  }

  @inline(__always)
  private mutating func load(_ value: JSONNode, _ row: UInt32, _ column: Int, at time: Int64) {
    switch value.kind {
    case .null: store.columns[column].content.setNull(at: row, time: time)
    case .bool: store.columns[column].content.setBoolean(value.boolean, at: row, time: time)
    case .small, .large:
      store.columns[column].content.setInteger(value.integer, at: row, time: time)
    case .double: store.columns[column].content.setDouble(value.double, at: row, time: time)
    case .text: store.columns[column].content.setText(bytes(of: value), at: row, time: time)
    case .array, .object: store.columns[column].content.set(value.value, at: row, time: time)
    }
  }

  private mutating func plan(of id: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !columns.isEmpty else { return nil }
    let guess = columns[lastColumn].successor
    if Self.areEqual(columns[guess].id, id) { return guess }
    return numbers[String(decoding: id, as: UTF8.self)]
  }

  private mutating func handle(of node: JSONNode, in number: Int) -> EntityHandle {
    let text = bytes(of: node)
    if !node.isEscaped, text.count == lastBytes.count, isLast(text) { return lastEntity }
    lastEntity = makeEntity(text, in: columns[number].home)
    lastBytes = node.isEscaped ? (0, -1) : (node.textOffset, text.count)
    return lastEntity
  }

  private func isLast(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let last = UnsafeBufferPointer(rebasing: source[lastBytes.start..<lastBytes.start + text.count])
    for place in 0..<text.count where last[place] != text[place] { return false }
    return true
  }

  private mutating func makeEntity(
    _ text: UnsafeBufferPointer<UInt8>, in namespace: String
  ) -> EntityHandle {
    if let bits = UUIDText.bits(of: UnsafeRawBufferPointer(text)) {
      return store.loadEntity(high: bits.high, low: bits.low, in: namespace)
    }
    return store.makeEntity(EntityID(String(decoding: text, as: UTF8.self)), in: namespace)
  }

  // MARK: Reading

  @inline(__always)
  private func bytes(of node: JSONNode) -> UnsafeBufferPointer<UInt8> {
    if !node.isEscaped { return node.rawText }
    return scratch.hold { JSONEscapes.decode(node.rawText, into: &$0) }
  }

  private static func areEqual(_ a: [UInt8], _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    for place in 0..<b.count where a[place] != b[place] { return false }
    return true
  }

  private mutating func parse() throws(DatasetError) {
    do throws(JSONError) { try parser.parseValue() } catch { throw DatasetError(error, file: file) }
  }

  private func unexpected(_ expected: String) -> DatasetError {
    DatasetError(parser.unexpected(expected), file: file)
  }

  private func fault(_ problem: DatasetError.Problem, at offset: Int) -> DatasetError {
    DatasetError(problem, file: file, at: offset, in: source)
  }
}
