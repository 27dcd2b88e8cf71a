// Infers the types of CSV columns, and adds columns for the fields beyond the header.
extension DatasetLoader {
  /// The types of the fields in some columns of a CSV file.
  private struct CSVSurvey {
    /// The counts of each column; empty for the columns that were not surveyed.
    var tallies: [CSVTally] = []
    /// The number of records whose fields were counted.
    var records = 0
    /// The first record whose fields were counted, with its number of fields.
    var first: (offset: Int, count: Int)?
    /// Whether quoted fields are text.
    var trustsQuotes: Bool

    /// What the columns show about decimal commas.
    var decimalCommas: DecimalCommas {
      tallies.reduce(into: []) { $0.formUnion($1.decimalCommas(trustsQuotes: trustsQuotes)) }
    }
  }

  /// Returns the types of all columns, from the schema or inferred from all fields.
  mutating func types(
    _ reader: CSVReader, _ places: [Int?], _ space: NamespaceLoader, _ file: SourceFile,
    trustsQuotes: Bool
  ) throws(DatasetError) -> [CSVType] {
    var types: [CSVType?] = places.map { place in
      guard let place, space.fields[place].kind.isLink == false else { return .text }
      if space.fields[place].cells == .json { return .json }
      return switch space.fields[place].checkedType {
      case .string: .text
      case .date: .date
      case .number: .number
      case .boolean: .boolean
      case nil: nil
      }
    }
    let open = types.indices.filter {
      types[$0] == nil || types[$0] == .number && reader.allowsDecimalCommas
    }
    if open.isEmpty { return types.map { $0 ?? .text } }
    // The values of a record with too many fields may be in the wrong columns.
    var survey = try survey(reader, of: open, file, trustsQuotes: trustsQuotes) {
      $0 <= places.count
    }
    if survey.records == 0 {
      survey = try self.survey(reader, of: open, file, trustsQuotes: trustsQuotes) { _ in true }
    }
    for column in open {
      if types[column] == nil {
        types[column] = type(ofColumn: column, in: survey, space.label(of: places[column]), file)
      } else if column < survey.tallies.count {
        // The schema declares numbers, so commas do not separate groups of digits.
        let commas = survey.decimalCommas.union(.exist)
        types[column] = survey.tallies[column].numberType(commas) ?? .number
      }
    }
    return types.map { $0 ?? .text }
  }

  /// Adds columns for the fields beyond the header, and reports them.
  ///
  /// - Parameter reader: The reader of the records after the header.
  /// - Returns: The types of the new columns.
  mutating func widen(
    _ places: inout [Int?], _ reader: CSVReader, _ file: SourceFile,
    _ space: inout NamespaceLoader, trustsQuotes: Bool
  ) throws(DatasetError) -> [CSVType] {
    let width = places.count
    let survey = try survey(
      reader, of: width..<CSVReader.maximumFields, file, trustsQuotes: trustsQuotes
    ) { $0 > width }
    // Each record of some programs ends with a separator.
    let end = (survey.tallies.lastIndex { $0.total > 0 } ?? -1) + 1
    guard end > width, let first = survey.first else { return [] }
    var labels = space.attributes.map(\.label)
    for column in width..<end {
      labels.append(Self.name(ofColumn: column + 1, among: labels))
    }
    let names = Array(labels.suffix(end - width))
    warn(
      .extraFields(
        found: first.count, expected: width, others: survey.records - 1, first: names[0],
        last: names[names.count - 1]), file, at: first.offset)
    var types: [CSVType] = []
    for (name, column) in zip(names, width..<end) {
      places.append(try addField(name, to: &space, file: file, at: first.offset))
      types.append(type(ofColumn: column, in: survey, name, file))
    }
    return types
  }

  /// Counts the types of the fields in some columns.
  ///
  /// - Parameters:
  ///   - columns: The indexes of the columns, in ascending order.
  ///   - isCounted: Whether the fields of a record with the given number of fields are counted.
  private func survey(
    _ reader: CSVReader, of columns: some Sequence<Int>, _ file: SourceFile, trustsQuotes: Bool,
    _ isCounted: (Int) -> Bool
  ) throws(DatasetError) -> CSVSurvey {
    let missing = options.missingTexts.map { Array($0.utf8) }
    let scratch = TextScratch()
    let empty = CSVTally(allowsCommas: reader.allowsDecimalCommas)
    var survey = CSVSurvey(trustsQuotes: trustsQuotes)
    var (reader, cells, allAreQuoted) = (reader, [CSVReader.Cell](), !trustsQuotes)
    while try next(&reader, &cells, file) {
      guard isCounted(cells.count) else { continue }
      survey.records += 1
      if survey.first == nil { survey.first = (reader.offset, cells.count) }
      while survey.tallies.count < cells.count { survey.tallies.append(empty) }
      for column in columns {
        guard column < cells.count else { break }
        if survey.tallies[column].isText { continue }
        let cell = cells[column]
        if cell.count == 0 { continue }
        if !cell.isQuoted { allAreQuoted = false }
        let bytes = reader.bytes(of: cell, scratch)
        if !missing.isEmpty, missing.contains(where: { $0.elementsEqual(bytes) }) { continue }
        survey.tallies[column].count(bytes, isQuoted: cell.isQuoted, at: cell.start)
      }
    }
    // If every field is quoted, quotes do not indicate text.
    survey.trustsQuotes = !allAreQuoted
    return survey
  }

  /// Returns the type of a column, and reports a column that is text because of few fields or
  /// because its decimal separator is ambiguous.
  private mutating func type(
    ofColumn column: Int, in survey: CSVSurvey, _ label: String, _ file: SourceFile
  ) -> CSVType {
    guard column < survey.tallies.count else { return .text }
    let (tally, trustsQuotes) = (survey.tallies[column], survey.trustsQuotes)
    guard let type = tally.type(trustsQuotes: trustsQuotes, survey.decimalCommas) else {
      if let first = tally.firstCommaNumber {
        warn(.ambiguousDecimals(label: label, text: first.text), file, at: first.offset)
      }
      return .text
    }
    if type != .text, let first = tally.firstMissing {
      warn(
        .missingCells(
          count: tally.missing, of: tally.total, label: label,
          type: type == .boolean ? .boolean : .number, text: first.text), file, at: first.offset)
    } else if let near = tally.nearlyType(trustsQuotes: trustsQuotes), let first = tally.firstText {
      warn(
        .almostTyped(
          count: tally.texts + tally.missing, of: tally.total, label: label, type: near,
          text: first.text), file, at: first.offset)
    }
    return type
  }
}
