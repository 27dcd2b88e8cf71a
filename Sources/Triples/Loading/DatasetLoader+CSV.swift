// Loads entities from CSV and TSV. The first record contains attribute names, and empty fields are
// missing values.
extension DatasetLoader {
  mutating func loadRecords(
    _ file: SourceFile, _ form: CSVReader.Form, into space: inout NamespaceLoader
  ) throws(DatasetError) {
    var reader = CSVReader(file.source, form, isLenient: !options.isStrict)
    if let place = CSVReader.firstUnsoundByte(of: file.source) {
      throw file.fault(.json(.invalidUTF8), at: place)
    }
    var cells: [CSVReader.Cell] = []
    let comments = options.isStrict ? 0 : reader.skipComments()
    if comments > 0 { warn(.comments(count: comments), file, at: 0) }
    guard try next(&reader, &cells, file) else {
      throw file.fault(
        .csv("the file has no header. Write the names of the attributes in its first line"), at: 0)
    }
    let scratch = TextScratch()
    let places = try header(cells, reader, file, &space, scratch)
    let trustsQuotes = options.isStrict || !cells.allSatisfy(\.isQuoted)
    let types = try types(reader, places, space, file, trustsQuotes: trustsQuotes)
    var record = Record(
      reader: reader, cells: cells, places: places, types: types, scratch: scratch,
      missing: options.missingTexts.map { Array($0.utf8) })
    let width = places.count
    var isWidened = false
    while try next(&record.reader, &record.cells, file) {
      let offset = record.reader.offset
      if let odd = record.reader.oddQuote {
        try complain(.csv(odd.reason), .asWritten, file, at: odd.offset)
      }
      let count = record.cells.count
      if count < width || options.isStrict && count > width {
        try complain(.fields(found: count, expected: width), .emptyFields, file, at: offset)
      } else if count > width, !isWidened {
        isWidened = true
        let types = try widen(&record.places, reader, file, &space, trustsQuotes: trustsQuotes)
        record.types += types
      }
      try load(record, file, &space)
      reportProgress(offset)
    }
  }

  /// The current record and its columns.
  private struct Record {
    var reader: CSVReader
    var cells: [CSVReader.Cell]
    /// For each CSV column, the index of the field that receives its values; nil when the column is
    /// skipped.
    var places: [Int?]
    var types: [CSVType]
    let scratch: TextScratch
    /// The texts that denote a missing value in every column.
    let missing: [[UInt8]]
    let json = JSONCell()

    func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
      reader.bytes(of: cells[column], scratch)
    }

    func isMissing(_ column: Int) -> Bool {
      guard column < cells.count else { return true }
      let cell = cells[column]
      if cell.count == 0 { return !cell.isQuoted || types[column] != .text }
      if types[column] == .json { return false }
      guard types[column] != .text || !missing.isEmpty else { return false }
      let bytes = bytes(column)
      if missing.contains(where: { $0.elementsEqual(bytes) }) { return true }
      if types[column] == .number, CSVType.isNumber(bytes) { return false }
      return types[column] != .text && CSVType.isMissing(bytes)
    }

    func scalar(_ column: Int) -> DatasetScalar {
      let bytes = bytes(column)
      switch types[column] {
      case .text: return .text(bytes)
      case .json: return json.scalar(bytes)
      case .boolean: return CSVType.boolean(bytes).map(DatasetScalar.boolean) ?? .text(bytes)
      case .number: return CSVType.isNumber(bytes) ? CSVType.number(bytes) : .text(bytes)
      case .commaNumber:
        return CommaNumber(bytes).map { $0.plain.withUnsafeBufferPointer(CSVType.number) }
          ?? .text(bytes)
      case .date:
        // An unquoted number is a date in milliseconds, unless its digits can be read as a date,
        // such as a year.
        let isNumber =
          !cells[column].isQuoted && bytes.count > 4 && CSVType.isNumber(bytes)
          && (bytes[0] == UInt8(ascii: "-")
            || Instant(String(decoding: bytes, as: UTF8.self)) == nil)
        return isNumber ? CSVType.number(bytes) : .text(bytes)
      }
    }

    /// Returns the CSV column that supplies a field of the namespace. Nil if no column does, or if
    /// the record has no value in that column.
    func column(of place: Int?) -> Int? {
      guard let place, let column = places.firstIndex(of: place), !isMissing(column) else {
        return nil
      }
      return column
    }

    /// Returns the hash of the whole record.
    func content(_ seeds: [UInt64], _ scratch: TextScratch) -> ContentHash {
      var hash = ContentHash()
      for (column, place) in places.enumerated() where column < cells.count {
        guard let place, place != 0, cells[column].count > 0 || cells[column].isQuoted else {
          continue
        }
        hash.add(reader.bytes(of: cells[column], scratch), under: seeds[place])
      }
      return hash
    }
  }

  func next(
    _ reader: inout CSVReader, _ cells: inout [CSVReader.Cell], _ file: SourceFile
  ) throws(DatasetError) -> Bool {
    do throws(CSVReader.Fault) { return try reader.next(into: &cells) } catch {
      throw file.fault(.csv(error.reason), at: error.offset)
    }
  }

  private mutating func header(
    _ cells: [CSVReader.Cell], _ reader: CSVReader, _ file: SourceFile,
    _ space: inout NamespaceLoader, _ scratch: TextScratch
  ) throws(DatasetError) -> [Int?] {
    var places: [Int?] = []
    var seen: Set<Int> = []
    let labels = cells.map { String(decoding: reader.bytes(of: $0, scratch), as: UTF8.self) }
    for (number, cell) in cells.enumerated() {
      var label = labels[number]
      // Tables often have a first column of row numbers without a name.
      if label.isEmpty, space.place(of: label) == nil {
        label = Self.name(ofColumn: number + 1, among: labels)
        warn(.unnamed(column: number + 1, name: label), file, at: cell.start)
      }
      var place = try field(label, of: &space, file, at: cell.start)
      if let known = place, !seen.insert(known).inserted {
        if options.isStrict {
          throw file.fault(.twice(label: label, of: "the header"), at: cell.start)
        }
        var other = label + "_2"
        var count = 2
        while labels.contains(other) || space.place(of: other) != nil {
          count += 1
          other = "\(label)_\(count)"
        }
        warn(.sameColumn(label: label, name: other), file, at: cell.start)
        place = try addField(other, to: &space, file: file, at: cell.start)
        if let place { seen.insert(place) }
      }
      places.append(place)
    }
    return places
  }

  static func name(ofColumn number: Int, among labels: [String]) -> String {
    var name = "column\(number)"
    while labels.contains(name) { name += "_" }
    return name
  }

  private mutating func load(
    _ record: Record, _ file: SourceFile, _ space: inout NamespaceLoader
  ) throws(DatasetError) {
    space.rowCount += 1
    let offset = record.reader.offset
    var name = RowIdentifiers()
    if let column = record.column(of: space.key) {
      name.keyBits = DatasetScalar.text(record.bytes(column)).identity(after: space.prefix)
      name.key = record.scalar(column)
    }
    if let column = record.column(of: 0) {
      name.idBits = DatasetScalar.text(record.bytes(column)).identity(after: space.prefix)
      name.id = record.scalar(column)
    }
    let (seeds, scratch) = (space.seeds, contentScratch)
    let row = try begin(name, in: &space, file, at: offset) {
      record.content(seeds, scratch)
    }
    guard let row else { return }
    for column in record.cells.indices.prefix(record.places.count) {
      guard let place = record.places[column] else { continue }
      let start = record.cells[column].start
      if record.isMissing(column) {
        guard space.fields[place].cells == .emptyIsNull, record.cells[column].count == 0 else {
          continue
        }
        _ = space.markField(place)
        try load(.null, at: place, of: row, in: &space, file, offset: start)
        continue
      }
      _ = space.markField(place)
      switch space.fields[place].kind {
      case .identity: continue
      case .value:
        let scalar = record.scalar(column)
        if record.types[column] == .json, !record.json.isSound {
          try complain(
            .csv("'\(space.label(of: place))' must be JSON according to the schema"), .asWritten,
            file, at: start)
        }
        try load(scalar, at: place, of: row, in: &space, file, offset: start)
      case .link(let isMany, _, _):
        try link(
          record.bytes(column), isMany: isMany, at: place, of: row, in: &space, file,
          offset: record.cells[column].start)
      }
    }
    try checkRequired(of: row.entity, in: space, file, at: offset)
  }

  /// Loads a link. Several targets are separated by semicolons in one field.
  private mutating func link(
    _ bytes: UnsafeBufferPointer<UInt8>, isMany: Bool, at place: Int, of row: RowStart,
    in space: inout NamespaceLoader, _ file: SourceFile, offset: Int
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
