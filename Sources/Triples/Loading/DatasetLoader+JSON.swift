// Entities from JSON: one row after the other on the same tape.
extension DatasetLoader {
  mutating func loadArray(
    _ file: SourceFile, into space: inout DatasetSpace
  ) throws(DatasetError) {
    var rows = JSONRows(file)
    guard rows.parser.take(UInt8(ascii: "[")) else {
      throw rows.unexpected("'[' before the first entity")
    }
    if !rows.parser.take(UInt8(ascii: "]")) {
      repeat {
        try rows.next()
        try load(&rows, into: &space)
        tell(rows.offset)
      } while rows.parser.take(UInt8(ascii: ","))
      guard rows.parser.take(UInt8(ascii: "]")) else { throw rows.unexpected("',' or ']'") }
    }
    rows.parser.skipSpace()
    guard rows.parser.isAtEnd else { throw rows.unexpected("the end") }
    note(rows.parser.inexact, in: file)
  }

  mutating func loadLines(
    _ file: SourceFile, into space: inout DatasetSpace
  ) throws(DatasetError) {
    var rows = JSONRows(file)
    rows.parser.skipSpace()
    while !rows.parser.isAtEnd {
      try rows.nextOfLines()
      try load(&rows, into: &space)
      tell(rows.offset)
      guard rows.skipToNextLine() else { throw rows.unexpected("the end of the line") }
      rows.parser.skipSpace()
    }
    note(rows.parser.inexact, in: file)
  }

  private mutating func load(
    _ rows: inout JSONRows, into space: inout DatasetSpace
  ) throws(DatasetError) {
    var (object, time) = (rows.parser.root, Int64?.none)
    guard object.kind == .object else {
      throw rows.file.fault(
        .expected("an object for an entity, found \(rows.scalar(of: object).kindName)"),
        at: rows.offset)
    }
    // Backups wrap an entity together with its time.
    if object.count == 2, let inner = object.member("entity"), inner.kind == .object,
      let stamp = object.member("createdAt"), stamp.kind == .small || stamp.kind == .large
    {
      (object, time) = (inner, stamp.integer)
    }
    space.rowCount += 1
    try collect(object, &rows, &space)
    let row = try begin(&rows, &space, time: time)
    for cell in rows.cells {
      try load(cell.node, at: cell.place, of: row, &rows, &space)
    }
    try checkRequired(of: row.entity, in: space, rows.file, at: rows.offset)
  }

  /// Finds the fields of all members.
  private mutating func collect(
    _ object: JSONNode, _ rows: inout JSONRows, _ space: inout DatasetSpace
  ) throws(DatasetError) {
    rows.cells.removeAll(keepingCapacity: true)
    var node = object.first
    var guess = 0
    for _ in 0..<object.count {
      let label = rows.bytes(of: node)
      let place: Int
      if let known = space.place(of: label, guess: guess) {
        place = known
      } else {
        place = try addField(
          String(decoding: label, as: UTF8.self), to: &space, file: rows.file,
          at: node.textOffset)
      }
      guard space.note(place) else {
        throw rows.file.fault(
          .twice(label: space.attributes[place].label, of: "one entity"), at: node.textOffset)
      }
      let value = node.next
      rows.cells.append(JSONRows.Cell(place: place, node: value))
      node = value.next
      guess = place + 1
    }
  }

  /// Finds out which entity the row is.
  private mutating func begin(
    _ rows: inout JSONRows, _ space: inout DatasetSpace, time: Int64?
  ) throws(DatasetError) -> RowStart {
    var id: DatasetScalar?
    var key: DatasetScalar?
    // An escaped key would lie where the id does: the hash is taken at once.
    var keyBits: UUIDBits?
    for cell in rows.cells where cell.place == space.key {
      let scalar = rows.scalar(of: cell.node)
      if scalar.isNull { break }
      key = scalar
      if scalar.isKey { keyBits = scalar.identity(after: space.prefix) }
    }
    for cell in rows.cells where cell.place == 0 { id = rows.scalar(of: cell.node) }
    return try begin(
      id: id, key: key, keyBits: keyBits, in: &space, rows.file, at: rows.offset, time: time)
  }

  @inline(__always)
  private mutating func load(
    _ node: JSONNode, at place: Int, of row: RowStart, _ rows: inout JSONRows,
    _ space: inout DatasetSpace
  ) throws(DatasetError) {
    switch space.fields[place].kind {
    case .identity: return
    case .value:
      try load(
        rows.scalar(of: node), at: place, of: row, in: &space, rows.file,
        offset: rows.place(of: node))
    case .link(let isMany, _, _):
      guard node.kind == .array else {
        return try link(
          rows.scalar(of: node), at: place, of: row, in: &space, rows.file,
          offset: rows.place(of: node))
      }
      guard isMany else {
        throw rows.file.fault(
          .severalTargets(
            label: space.attributes[place].label, of: name(of: row.entity, in: space)),
          at: rows.offset)
      }
      var item = node.first
      for _ in 0..<node.count {
        try link(
          rows.scalar(of: item), at: place, of: row, in: &space, rows.file,
          offset: rows.place(of: item))
        item = item.next
      }
    }
  }
}

/// The rows of a file of JSON, read one by one.
struct JSONRows: ~Copyable {
  struct Cell {
    var place: Int
    var node: JSONNode
  }

  var parser: JSONParser
  let file: SourceFile
  /// Where the row begins.
  private(set) var offset = 0
  var cells: [Cell] = []
  private let scratch = TextScratch()

  init(_ file: SourceFile) {
    self.file = file
    parser = JSONParser(
      // One odd number is no reason to keep all other data out; JavaScript reads it so as well.
      file.source, options: JSONOptions(largeIntegers: .doubles, hugeNumbers: .null))
  }

  mutating func next() throws(DatasetError) {
    parser.skipSpace()
    offset = parser.position
    do throws(JSONError) { try parser.parseValue() } catch {
      throw DatasetError(error, file: file.name)
    }
  }

  /// The next row of a file of lines. One that is not complete takes in what comes after it, so that
  /// the place where that is noticed says little: the row's own line is told as well.
  mutating func nextOfLines() throws(DatasetError) {
    do throws(DatasetError) { try next() } catch {
      let fault = file.fault(.brokenRow(noticed: error.withoutFile), at: offset)
      throw fault.line == error.line ? error : fault
    }
  }

  func unexpected(_ expected: String) -> DatasetError {
    DatasetError(parser.unexpected(expected), file: file.name)
  }

  /// False when something else stands on the line.
  mutating func skipToNextLine() -> Bool {
    while !parser.isAtEnd {
      let byte = file.source[parser.position]
      if byte == UInt8(ascii: "\n") { return true }
      guard byte == 0x20 || byte == 0x0D || byte == 0x09 else { return false }
      parser.position += 1
    }
    return true
  }

  /// The bytes of a text's content.
  @inline(__always)
  func bytes(of node: JSONNode) -> UnsafeBufferPointer<UInt8> {
    if !node.isEscaped { return node.rawText }
    return scratch.hold { JSONEscapes.decode(node.rawText, into: &$0) }
  }

  @inline(__always)
  func scalar(of node: JSONNode) -> DatasetScalar {
    switch node.kind {
    case .null: .null
    case .bool: .boolean(node.boolean)
    case .small, .large: .integer(node.integer)
    case .double: .double(node.double)
    case .text: .text(bytes(of: node))
    case .array, .object: .json(node)
    }
  }

  /// Where a value stands, or at least its row.
  @inline(__always)
  func place(of node: JSONNode) -> Int { node.kind == .text ? node.textOffset : offset }
}
