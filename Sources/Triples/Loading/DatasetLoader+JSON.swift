// Loads entities from JSON. Rows are parsed one at a time and reuse the same tape.
extension DatasetLoader {
  mutating func loadArray(
    _ file: SourceFile, _ part: DatasetPart, into space: inout NamespaceLoader
  ) throws(DatasetError) {
    var rows = JSONRows(file, at: part.offset)
    guard rows.parser.consume(UInt8(ascii: "[")) else {
      throw rows.unexpected("'[' before the first entity")
    }
    if !rows.parser.consume(UInt8(ascii: "]")) {
      repeat {
        try rows.next()
        try load(&rows, part, into: &space)
        reportProgress(rows.offset)
      } while rows.parser.consume(UInt8(ascii: ","))
      guard rows.parser.consume(UInt8(ascii: "]")) else { throw rows.unexpected("',' or ']'") }
    }
    if part.offset == 0 {
      rows.parser.skipSpace()
      guard rows.parser.isAtEnd else { throw rows.unexpected("the end of the file") }
    }
    warn(of: rows.parser.inexact, in: file)
  }

  /// Loads one object per line. Invalid lines are skipped if any line is valid.
  mutating func loadLines(
    _ file: SourceFile, _ part: DatasetPart, into space: inout NamespaceLoader
  ) throws(DatasetError) {
    var rows = JSONRows(file)
    rows.parser.skipSpace()
    var first: DatasetError?
    while !rows.parser.isAtEnd {
      do throws(DatasetError) {
        try rows.nextOfLines()
      } catch {
        if options.isStrict { throw error }
        first = first ?? error
        var skipped = error
        skipped.outcome = .rowLeftOut
        warn(skipped)
        rows.skipLine()
        continue
      }
      try load(&rows, part, into: &space)
      reportProgress(rows.offset)
      guard rows.skipToNextLine() || !options.isStrict else {
        throw rows.unexpected("the end of the line")
      }
      rows.parser.skipSpace()
    }
    if let first, space.rowCount == 0 { throw first }
    warn(of: rows.parser.inexact, in: file)
  }

  /// Loads an object whose keys are ids of entities.
  mutating func loadMap(
    _ file: SourceFile, _ part: DatasetPart, into space: inout NamespaceLoader
  ) throws(DatasetError) {
    var rows = JSONRows(file, at: part.offset)
    guard rows.parser.consume(UInt8(ascii: "{")) else { throw rows.unexpected("'{'") }
    repeat {
      rows.name = Array(try JSONRows.key(&rows.parser, file).utf8)
      try rows.next()
      try load(&rows, part, into: &space)
      reportProgress(rows.offset)
    } while rows.parser.consume(UInt8(ascii: ","))
    guard rows.parser.consume(UInt8(ascii: "}")) else { throw rows.unexpected("',' or '}'") }
    warn(of: rows.parser.inexact, in: file)
  }

  mutating func loadSingle(
    _ file: SourceFile, _ part: DatasetPart, into space: inout NamespaceLoader
  ) throws(DatasetError) {
    var rows = JSONRows(file, at: part.offset)
    try rows.next()
    try load(&rows, part, into: &space)
    warn(of: rows.parser.inexact, in: file)
  }

  private mutating func load(
    _ rows: inout JSONRows, _ part: DatasetPart, into space: inout NamespaceLoader
  ) throws(DatasetError) {
    var (object, time) = (rows.parser.root, Int64?.none)
    if let wrapped = unwrapped(object) { (object, time) = (wrapped.entity, wrapped.time) }
    space.rowCount += 1
    rows.cells.removeAll(keepingCapacity: true)
    if object.kind != .object {
      try collect(value: object, &rows, part, &space)
    } else if part.layout == .features, let properties = object.member("properties") {
      if properties.kind == .object { try collect(properties, &rows, &space) }
      try collect(object, &rows, &space, skipped: ["properties", "type"], yields: true)
    } else {
      try collect(object, &rows, &space, skipped: part.skipped)
    }
    guard let row = try begin(&rows, &space, time: time) else { return }
    for cell in rows.cells {
      try load(cell.node, at: cell.place, of: row, &rows, &space)
    }
    try checkRequired(of: row.entity, in: space, rows.file, at: rows.offset)
  }

  /// Returns the entity and the creation time that a row of a backup contains; nil for other rows.
  ///
  /// In a backup, an unknown time is 0. Elsewhere, only an object without other members is such a
  /// row.
  private func unwrapped(_ row: JSONNode) -> (entity: JSONNode, time: Int64)? {
    guard row.kind == .object, row.count == 2 || schema.wrapsEntities,
      let entity = row.member("entity"), entity.kind == .object
    else { return nil }
    let time = row.member("createdAt").flatMap(Self.time)
    if schema.wrapsEntities { return row.member("id") == nil ? (entity, time ?? 0) : nil }
    return time.map { (entity, $0) }
  }

  /// Returns the whole number of milliseconds that a value denotes; nil for other values.
  private static func time(_ node: JSONNode) -> Int64? {
    switch node.kind {
    case .small, .large: node.integer
    case .double: Int64(exactly: node.double)
    case .null, .bool, .text, .array, .object: nil
    }
  }

  /// Loads a value that is not an object, as an entity with the attribute `value`.
  private mutating func collect(
    value node: JSONNode, _ rows: inout JSONRows, _ part: DatasetPart,
    _ space: inout NamespaceLoader
  ) throws(DatasetError) {
    // A value in a map is never reported. With lenient options, a value in a list without objects
    // is not reported either.
    if options.isStrict || space.rowCount > space.valueCount + 1, part.layout != .map {
      try complain(
        .noObject(found: rows.scalar(of: node).kindName), .asValue, rows.file, at: rows.offset)
    }
    space.valueCount += 1
    guard let place = try field("value", of: &space, rows.file, at: rows.offset) else { return }
    _ = space.markField(place)
    rows.cells.append(JSONRows.Cell(place: place, node: node))
  }

  /// Assigns the members of an object to fields.
  ///
  /// - Parameter yields: Whether to rename a member if the row already has a value under its label.
  private mutating func collect(
    _ object: JSONNode, _ rows: inout JSONRows, _ space: inout NamespaceLoader,
    skipped: Set<String> = [], yields: Bool = false
  ) throws(DatasetError) {
    var node = object.first
    var guess = 0
    for _ in 0..<object.count {
      let (label, value) = (rows.bytes(of: node), node.next)
      let offset = node.textOffset
      node = value.next
      if !skipped.isEmpty, skipped.contains(String(decoding: label, as: UTF8.self)) { continue }
      var known = space.place(of: label, guess: guess)
      if known == nil {
        known = try addField(
          String(decoding: label, as: UTF8.self), to: &space, file: rows.file, at: offset)
      }
      guard var place = known else { continue }
      guess = place + 1
      if !space.markField(place) {
        if yields {
          let other = String(decoding: label, as: UTF8.self) + "_"
          guard let second = try field(other, of: &space, rows.file, at: offset) else { continue }
          _ = space.markField(second)
          place = second
        } else {
          try complain(
            .twice(label: space.attributes[place].label, of: "one entity"), .lastTaken, rows.file,
            at: offset)
          rows.cells.removeAll { $0.place == place }
        }
      }
      rows.cells.append(JSONRows.Cell(place: place, node: value))
    }
  }

  /// Creates the entity of the current row. Nil when the row is skipped.
  private mutating func begin(
    _ rows: inout JSONRows, _ space: inout NamespaceLoader, time: Int64?
  ) throws(DatasetError) -> RowStart? {
    var name = RowIdentifiers(time: time)
    // Decoding an escaped key would overwrite the id's buffer, so the hash is computed
    // immediately.
    for cell in rows.cells where cell.place == space.key {
      let scalar = rows.scalar(of: cell.node)
      if scalar.isNull { break }
      name.key = scalar
      if scalar.isKey { name.keyBits = scalar.identity(after: space.prefix) }
    }
    for cell in rows.cells where cell.place == 0 { name.id = rows.scalar(of: cell.node) }
    if let named = rows.name { try useKey(named, as: &name, in: &space, &rows) }
    name.idBits = name.id.flatMap { $0.isKey ? $0.identity(after: space.prefix) : nil }
    let (cells, scratch, seeds) = (rows.cells, rows.contentScratch, space.seeds)
    return try begin(name, in: &space, rows.file, at: rows.offset) {
      var hash = ContentHash()
      for cell in cells where cell.place != 0 {
        JSONRows.scalar(of: cell.node, scratch).add(to: &hash, under: seeds[cell.place])
      }
      return hash
    }
  }

  /// Uses a key of the map as the entity's id. If the object itself has a different `id`, that
  /// value is stored in another field.
  private mutating func useKey(
    _ key: [UInt8], as name: inout RowIdentifiers, in space: inout NamespaceLoader,
    _ rows: inout JSONRows
  ) throws(DatasetError) {
    if let id = name.id, !id.isNull {
      if id.isKey, id.text == String(decoding: key, as: UTF8.self) { return }
      if let cell = rows.cells.last(where: { $0.place == 0 }),
        let place = try idField(of: &space, rows.file, at: rows.offset)
      {
        _ = space.markField(place)
        rows.cells.append(JSONRows.Cell(place: place, node: cell.node))
      }
    }
    name.id = .text(rows.nameScratch.hold { $0 += key })
    name.isIDOutside = true
  }

  @inline(__always)
  private mutating func load(
    _ node: JSONNode, at place: Int, of row: RowStart, _ rows: inout JSONRows,
    _ space: inout NamespaceLoader
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
      var count = node.count
      if !isMany {
        try complain(
          .severalTargets(
            label: space.attributes[place].label, of: name(of: row.entity, in: space)),
          .firstTaken, rows.file, at: rows.offset)
        count = min(count, 1)
      }
      var item = node.first
      for _ in 0..<count {
        try link(
          rows.scalar(of: item), at: place, of: row, in: &space, rows.file,
          offset: rows.place(of: item))
        item = item.next
      }
    }
  }
}

/// Reads the rows of a JSON file one at a time.
struct JSONRows: ~Copyable {
  struct Cell {
    var place: Int
    var node: JSONNode
  }

  var parser: JSONParser
  let file: SourceFile
  /// The offset of the current row in bytes.
  private(set) var offset = 0
  var cells: [Cell] = []
  private let scratch = TextScratch()
  /// A separate buffer for hashing a row, while `scratch` still contains its id or key.
  let contentScratch = TextScratch()
  /// The key of the current row in a map; nil for other layouts.
  var name: [UInt8]?
  let nameScratch = TextScratch()

  /// Creates a reader for the rows of a file.
  ///
  /// - Parameter offset: The offset of the first row in bytes.
  init(_ file: SourceFile, at offset: Int = 0) {
    self.file = file
    parser = JSONParser(
      // JSON does not limit numbers, but a double does. One number beyond the limit must not reject
      // all other data; JavaScript reads it in the same way.
      file.source, options: JSONOptions(largeIntegers: .doubles, hugeNumbers: .null))
    if offset > 0 { parser.position = offset }
  }

  /// Parses the key of an object's member and the colon after it.
  static func key(
    _ parser: inout JSONParser, _ file: SourceFile
  ) throws(DatasetError) -> String {
    parser.skipSpace()
    guard !parser.isAtEnd, file.source[parser.position] == UInt8(ascii: "\"") else {
      throw DatasetError(parser.unexpected("a key in quotes"), file: file.name)
    }
    do throws(JSONError) { try parser.parseValue() } catch {
      throw DatasetError(error, file: file.name)
    }
    let key = parser.root.text
    guard parser.consume(UInt8(ascii: ":")) else {
      throw DatasetError(parser.unexpected("':'"), file: file.name)
    }
    return key
  }

  /// Skips the rest of the current row's line.
  mutating func skipLine() {
    parser.position = offset
    while !parser.isAtEnd, file.source[parser.position] != UInt8(ascii: "\n") {
      parser.position += 1
    }
    parser.skipSpace()
  }

  mutating func next() throws(DatasetError) {
    parser.skipSpace()
    offset = parser.position
    do throws(JSONError) { try parser.parseValue() } catch {
      throw DatasetError(error, file: file.name)
    }
  }

  /// Parses the next row of a file with one row per line.
  ///
  /// An incomplete row also consumes later lines, so the error names the line on which the row
  /// begins.
  mutating func nextOfLines() throws(DatasetError) {
    do throws(DatasetError) { try next() } catch {
      let fault = file.fault(.brokenRow(noticed: error.withoutFile), at: offset)
      throw fault.line == error.line ? error : fault
    }
  }

  func unexpected(_ expected: String) -> DatasetError {
    DatasetError(parser.unexpected(expected), file: file.name)
  }

  /// Moves to the next line. Returns false when other content follows on this line.
  mutating func skipToNextLine() -> Bool {
    while !parser.isAtEnd {
      let byte = file.source[parser.position]
      if byte == UInt8(ascii: "\n") { return true }
      guard byte == 0x20 || byte == 0x0D || byte == 0x09 else { return false }
      parser.position += 1
    }
    return true
  }

  /// Returns the bytes of a string's content.
  @inline(__always)
  func bytes(of node: JSONNode) -> UnsafeBufferPointer<UInt8> {
    if !node.isEscaped { return node.rawText }
    return scratch.hold { JSONEscapes.decode(node.rawText, into: &$0) }
  }

  @inline(__always)
  func scalar(of node: JSONNode) -> DatasetScalar { Self.scalar(of: node, scratch) }

  @inline(__always)
  static func scalar(of node: JSONNode, _ scratch: TextScratch) -> DatasetScalar {
    switch node.kind {
    case .null: .null
    case .bool: .boolean(node.boolean)
    case .small, .large: .integer(node.integer)
    case .double: .double(node.double)
    case .text:
      .text(
        node.isEscaped
          ? scratch.hold { JSONEscapes.decode(node.rawText, into: &$0) } : node.rawText)
    case .array, .object: .json(node)
    }
  }

  /// Returns the offset of a text value, or of its row for any other value.
  @inline(__always)
  func place(of node: JSONNode) -> Int { node.kind == .text ? node.textOffset : offset }
}
