// Entities from CSV and its like: the first record names the attributes, an empty field is none.
extension DatasetLoader {
  mutating func loadRecords(
    _ file: SourceFile, _ form: CSVReader.Form, into space: inout DatasetSpace
  ) throws(DatasetError) {
    var reader = CSVReader(file.source, form)
    if let place = reader.firstUnsoundByte() {
      throw file.fault(.json(.invalidUTF8), at: place)
    }
    var cells: [CSVReader.Cell] = []
    guard try next(&reader, &cells, file) else {
      throw file.fault(.csv("expected a first line with the names of the attributes"), at: 0)
    }
    let scratch = TextScratch()
    let places = try header(cells, reader, file, &space, scratch)
    let types = try types(reader, places, space, file, scratch)
    while try next(&reader, &cells, file) {
      guard cells.count == places.count else {
        throw file.fault(
          .csv("\(cells.count) fields, but the first line has \(places.count)"),
          at: reader.offset)
      }
      let record = Record(
        reader: reader, cells: cells, places: places, types: types, scratch: scratch)
      try load(record, file, &space)
      tell(reader.offset)
    }
  }

  /// A record, and what is known of its columns.
  private struct Record {
    let reader: CSVReader
    let cells: [CSVReader.Cell]
    let places: [Int]
    let types: [CSVType]
    let scratch: TextScratch

    func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
      reader.bytes(of: cells[column], scratch)
    }

    func isMissing(_ column: Int) -> Bool { cells[column].count == 0 && !cells[column].isQuoted }

    func scalar(_ column: Int) -> DatasetScalar {
      let bytes = bytes(column)
      switch types[column] {
      case .text: return .text(bytes)
      case .boolean: return CSVType.boolean(bytes).map(DatasetScalar.boolean) ?? .text(bytes)
      case .number: return CSVType.isNumber(bytes) ? CSVType.number(bytes) : .text(bytes)
      }
    }

    /// The field of a place, when the record has it and it is not empty.
    func scalar(at place: Int?) -> DatasetScalar? {
      guard let place, let column = places.firstIndex(of: place), !isMissing(column) else {
        return nil
      }
      return scalar(column)
    }
  }

  private func next(
    _ reader: inout CSVReader, _ cells: inout [CSVReader.Cell], _ file: SourceFile
  ) throws(DatasetError) -> Bool {
    do throws(CSVReader.Fault) { return try reader.next(into: &cells) } catch {
      throw file.fault(.csv(error.reason), at: error.offset)
    }
  }

  private mutating func header(
    _ cells: [CSVReader.Cell], _ reader: CSVReader, _ file: SourceFile,
    _ space: inout DatasetSpace, _ scratch: TextScratch
  ) throws(DatasetError) -> [Int] {
    var places: [Int] = []
    var seen: Set<Int> = []
    let labels = cells.map { String(decoding: reader.bytes(of: $0, scratch), as: UTF8.self) }
    for (number, cell) in cells.enumerated() {
      var label = labels[number]
      // Tables are often written with a first column of numbers that nobody named.
      if label.isEmpty, space.place(of: label) == nil {
        label = Self.name(ofColumn: number + 1, among: labels)
        warn(file.fault(.unnamed(column: number + 1, name: label), at: cell.start))
      }
      let place: Int
      if let known = space.place(of: label) {
        place = known
      } else {
        place = try addField(label, to: &space, file: file, at: cell.start)
      }
      guard seen.insert(place).inserted else {
        throw file.fault(.twice(label: label, of: "the first line"), at: cell.start)
      }
      places.append(place)
    }
    return places
  }

  private static func name(ofColumn number: Int, among labels: [String]) -> String {
    var name = "column\(number)"
    while labels.contains(name) { name += "_" }
    return name
  }

  /// The types of all columns: those of the schema, or what all fields agree on.
  private func types(
    _ reader: CSVReader, _ places: [Int], _ space: DatasetSpace, _ file: SourceFile,
    _ scratch: TextScratch
  ) throws(DatasetError) -> [CSVType] {
    var types: [CSVType?] = places.map { place in
      guard case .value = space.fields[place].kind else { return .text }
      return switch space.fields[place].checkedType {
      case .string, .date: .text
      case .number: .number
      case .boolean: .boolean
      case nil: nil
      }
    }
    let open = types.indices.filter { types[$0] == nil }
    if open.isEmpty { return types.map { $0 ?? .text } }
    var reader = reader
    var cells: [CSVReader.Cell] = []
    while try next(&reader, &cells, file) {
      for column in open where column < cells.count && types[column] != .text {
        let cell = cells[column]
        if cell.count == 0 { continue }
        // What stands in quotes was meant as text.
        types[column] =
          cell.isQuoted
          ? .text : CSVType.joining(types[column], reader.bytes(of: cell, scratch))
      }
    }
    return types.map { $0 ?? .text }
  }

  private mutating func load(
    _ record: Record, _ file: SourceFile, _ space: inout DatasetSpace
  ) throws(DatasetError) {
    space.rowCount += 1
    let offset = record.reader.offset
    let key = record.scalar(at: space.key)
    let keyBits = key.map { $0.identity(after: space.prefix) }
    let row = try begin(
      id: record.scalar(at: 0), key: key, keyBits: keyBits, in: &space, file, at: offset,
      time: nil)
    for column in record.cells.indices where !record.isMissing(column) {
      let place = record.places[column]
      _ = space.note(place)
      switch space.fields[place].kind {
      case .identity: continue
      case .value:
        try load(
          record.scalar(column), at: place, of: row, in: &space, file,
          offset: record.cells[column].start)
      case .link(let isMany, _, _):
        try link(
          record.bytes(column), isMany: isMany, at: place, of: row, in: &space, file,
          offset: record.cells[column].start)
      }
    }
    try checkRequired(of: row.entity, in: space, file, at: offset)
  }

  /// Several targets stand in one field with semicolons between them.
  private mutating func link(
    _ bytes: UnsafeBufferPointer<UInt8>, isMany: Bool, at place: Int, of row: RowStart,
    in space: inout DatasetSpace, _ file: SourceFile, offset: Int
  ) throws(DatasetError) {
    guard isMany else {
      return try link(.text(bytes), at: place, of: row, in: &space, file, offset: offset)
    }
    for part in bytes.split(separator: UInt8(ascii: ";")) {
      let part = part.drop { $0 == 0x20 }
      let end = part.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? part.startIndex
      guard end > part.startIndex else { continue }
      let key = UnsafeBufferPointer(rebasing: part[..<end])
      try link(.text(key), at: place, of: row, in: &space, file, offset: offset)
    }
  }
}
