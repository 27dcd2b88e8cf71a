import LiveQueries
import Triples

// The formats of an export.
extension Export {
  // MARK: Backup

  /// Writes a backup: `config.json`, entities, and uploaded files, in the order that Instant's
  /// restore expects. Unknown entries come last.
  ///
  /// - Returns: The data that the backup lacks or that cannot be restored, each as a sentence.
  func backup(title: String, now: Int64) throws -> [String] {
    let configuration = BackupConfiguration(
      try attachments[BackupConfiguration.name]?.bytes())
    var zip = try ZipWriter(draft)
    var description = Deflater()
    description.append(
      JSONWriter.bytes(.object(configuration.json(of: store, title: title, at: now))))
    try zip.add(BackupConfiguration.name, description)
    for namespace in store.schema.entityNamespaces {
      var content = Deflater()
      let rows = EntityRows(namespace, of: store)
      try eachPortion(of: rows) { entity, output in
        rows.writeWithTime(entity, into: &output)
      } _: { bytes throws(SystemError) in
        content.append(bytes)
      }
      try zip.add(Self.entry(of: namespace), content)
    }
    let uploads = BackupUploads(store, attachments)
    let others = attachments.all.filter {
      $0.name != BackupConfiguration.name && !$0.name.hasPrefix(BackupUploads.folder)
    }
    for attachment in uploads.found + others {
      if Task.isCancelled { throw SystemError.cancelled }
      try zip.add(attachment.named(Self.safe(attachment.name)))
    }
    try zip.finish()
    return uploads.remarks
  }

  /// Returns the entry name of a namespace in a backup.
  static func entry(of namespace: String) -> String {
    "entities/\(PortableName.encoded(namespace)).jsonl"
  }

  /// Changes an entry name so that the entry stays within its folder when unpacked.
  private static func safe(_ name: String) -> String {
    name.split(separator: "/", omittingEmptySubsequences: false)
      .map { part in
        part.isEmpty || part == "." || part == ".." || part.contains("\\")
          ? PortableName.encoded(String(part)) : String(part)
      }.joined(separator: "/")
  }

  // MARK: Folders

  /// Writes a folder.
  ///
  /// - Returns: The data that the format cannot represent, each as a sentence.
  func folder(_ format: StoreExport.Format) throws(SystemError) -> [String] {
    var schema = schema(namesLabels: true)
    var remark = CSVRemark(hasSchema: !goesWithoutSchema)
    try Files.makeFolder(draft)
    for namespace in store.schema.entityNamespaces {
      let rows = EntityRows(namespace, of: store)
      var file = try FileOutput(
        draft + "/" + StoreExport.fileName(of: namespace, in: format))
      switch format {
      case .csv:
        let forms = try writeCSV(rows, to: &file)
        schema.setCellForms(forms, of: namespace)
        remark.columns += forms.filter { $0.form == .json || goesWithoutSchema }
          .map { namespace + "." + $0.label }
      case .jsonl: try writeLines(rows, to: &file)
      case .json, .backup, .dump, .sqlite: try writeJSON(rows, to: &file)
      }
      try file.sync()
    }
    var output = try FileOutput(draft + "/schema.json")
    try output.write(JSONWriter.bytes(.object(schema)))
    try output.sync()
    return remark.sentences
  }

  /// Writes JSON Lines, with one object for each entity.
  private func writeLines(_ rows: EntityRows, to file: inout FileOutput) throws(SystemError) {
    try eachPortion(of: rows) { entity, output in
      rows.write(entity, into: &output)
      output.append("\n")
    } _: { bytes throws(SystemError) in
      try file.write(bytes)
    }
  }

  /// Writes a JSON array, with one line for each entity.
  private func writeJSON(_ rows: EntityRows, to file: inout FileOutput) throws(SystemError) {
    var isFirst = true
    try file.write(Array("[".utf8))
    try eachPortion(of: rows) { entity, output in
      if isFirst { output.append("\n") } else { output.append(",\n") }
      isFirst = false
      rows.write(entity, into: &output)
    } _: { bytes throws(SystemError) in
      try file.write(bytes)
    }
    try file.write(Array("\n]\n".utf8))
  }

  /// Writes a header and one record for each entity. Semicolons separate several targets of a link.
  ///
  /// - Returns: The columns whose cells are not plain, and their forms.
  private func writeCSV(
    _ rows: EntityRows, to file: inout FileOutput
  ) throws(SystemError) -> [(label: String, form: CSVCellForm)] {
    let entities = rows.entities
    let columns = rows.fields.map { ($0, CSVCells($0, of: entities, in: store)) }
    let header = (["id"] + rows.fields.map(\.label)).map { Self.quoted($0) }
    try file.write(Array((header.joined(separator: ",") + "\n").utf8))
    try eachPortion(of: rows) { entity, output in
      output.append(Array(Self.quoted(store.id(of: entity).text).utf8))
      for (field, cells) in columns {
        output.append(UInt8(ascii: ","))
        let values = store.values(entity, field.attribute)
        let isJSON = cells.form == .json && !goesWithoutSchema
        output.append(Array(Self.cell(values, field, isJSON: isJSON).utf8))
      }
      output.append("\n")
    } _: { bytes throws(SystemError) in
      try file.write(bytes)
    }
    return columns.compactMap { field, cells in cells.form.map { (field.label, $0) } }
  }

  /// Returns the text of a CSV cell. A missing value is an empty cell, and an empty text is quoted.
  private static func cell(
    _ values: [Value], _ field: EntityRows.Field, isJSON: Bool
  ) -> String {
    if field.isLink {
      return quoted(values.map { $0.textValue ?? JSONWriter.text($0) }.joined(separator: ";"))
    }
    guard let value = values.first else { return "" }
    if isJSON {
      return quoted(JSONWriter.text(field.isList ? .array(values) : value))
    }
    switch value {
    case .null: return ""
    case .text(let text): return quoted(text, isText: true)
    case let other: return quoted(JSONWriter.text(other))
    }
  }

  /// Quotes a text if it contains special characters or would be read as a number.
  private static func quoted(_ text: String, isText: Bool = false) -> String {
    let isOdd =
      text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D || $0 == 0x3B }
      || isText
        && (text.isEmpty || Double(text) != nil || ["true", "false"].contains(text.lowercased()))
      || text.utf8.first == 0x20 || text.utf8.last == 0x20
    guard isOdd else { return text }
    return "\"" + text.escaping("\"", as: "\"\"") + "\""
  }

  // MARK: Dump

  func dump() throws(SystemError) {
    var file = try FileOutput(draft)
    let attributes = store.schema.attributes
    let head = JSONWriter.bytes(.array(attributes.map(\.json)))
    try file.write(Array(#"{"attrs":"#.utf8) + head + Array(#","triples":["#.utf8))
    var output = JSONOutput(capacity: Self.portion + 4096)
    var isFirst = true
    for attribute in attributes {
      for entity in store.rows(attribute.id, .stored).handles {
        for (value, time) in zip(
          store.values(entity, attribute.id), store.createdTimes(entity, attribute.id))
        {
          output.append(isFirst ? "\n[" : ",\n[")
          isFirst = false
          store.writeID(entity, into: &output)
          output.append(UInt8(ascii: ","))
          output.write(attribute.id.text)
          output.append(UInt8(ascii: ","))
          output.write(value)
          output.append(UInt8(ascii: ","))
          output.write(time)
          output.append(UInt8(ascii: "]"))
        }
        if output.count >= Self.portion {
          try file.write(output.bytes)
          output.removeAll()
          if Task.isCancelled { throw .cancelled }
        }
      }
    }
    try file.write(output.bytes)
    try file.write(Array("\n]}\n".utf8))
    try file.sync()
  }
}

extension TripleStore {
  /// The number of triples.
  ///
  /// - Complexity: O(entities with lists).
  package var tripleCount: Int {
    schema.attributes.reduce(0) { count, attribute in
      let holders = rows(attribute.id, .stored)
      guard attribute.cardinality == .many, !attribute.isIdentity else {
        return count + holders.count
      }
      return holders.handles.reduce(count) { $0 + values($1, attribute.id).count }
    }
  }
}
