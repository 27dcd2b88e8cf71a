import Triples

// The forms of an export.
extension Export {
  // MARK: Backup

  /// The description first, then a file for each namespace, as the tool that restores them wants it.
  func backup(title: String, now: Int64) throws(SystemError) {
    var zip = try ZipWriter(draft)
    var description = Deflater()
    description.append(JSONWriter.bytes(configuration(title: title, now: now)))
    try zip.add("config.json", description)
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
    try zip.finish()
  }

  /// What the file of a namespace is called in a backup.
  static func entry(of namespace: String) -> String { "entities/\(namespace).jsonl" }

  private func configuration(title: String, now: Int64) -> Value {
    let counts = store.schema.entityNamespaces.map {
      JSONObject.Member(key: $0, value: .integer(Int64(store.count(of: $0))))
    }
    return .object(
      JSONObject([
        .init(key: "counts", value: .object(JSONObject(counts))),
        .init(key: "tripleCount", value: .integer(Int64(store.tripleCount))),
        .init(key: "schema", value: .object(store.schema.exported(namesLabels: false))),
        .init(key: "rules", value: .null), .init(key: "webhooks", value: []),
        .init(key: "emailTemplates", value: []), .init(key: "title", value: .text(title)),
        .init(key: "backupAt", value: .integer(now)),
      ]))
  }

  // MARK: Folders

  func folder(_ format: StoreExport.Format) throws(SystemError) {
    try Files.makeFolder(draft)
    var output = try FileOutput(draft + "/schema.json")
    try output.write(JSONWriter.bytes(.object(schema(namesLabels: true))))
    try output.sync()
    for namespace in store.schema.entityNamespaces {
      let rows = EntityRows(namespace, of: store)
      var file = try FileOutput("\(draft)/\(namespace).\(format.rawValue)")
      if format == .csv {
        try writeCSV(rows, to: &file)
      } else {
        try writeJSON(rows, to: &file)
      }
      try file.sync()
    }
  }

  /// An array with an entity a line.
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

  /// A header and a record for each entity; several targets of a link with semicolons between them.
  private func writeCSV(_ rows: EntityRows, to file: inout FileOutput) throws(SystemError) {
    let header = (["id"] + rows.fields.map(\.label)).map { Self.quoted($0) }
    try file.write(Array((header.joined(separator: ",") + "\n").utf8))
    try eachPortion(of: rows) { entity, output in
      output.append(Array(Self.quoted(store.id(of: entity).text).utf8))
      for field in rows.fields {
        output.append(UInt8(ascii: ","))
        let values = store.values(entity, field.attribute)
        output.append(Array(Self.cell(values, isList: field.isList).utf8))
      }
      output.append("\n")
    } _: { bytes throws(SystemError) in
      try file.write(bytes)
    }
  }

  /// A null is an empty field, as CSV knows no other; an empty text stands in quotes.
  private static func cell(_ values: [Value], isList: Bool) -> String {
    if isList {
      return quoted(values.map { $0.textValue ?? JSONWriter.text($0) }.joined(separator: ";"))
    }
    switch values.first {
    case nil, .null: return ""
    case .text(let text): return quoted(text, isText: true)
    case .some(let other): return quoted(JSONWriter.text(other))
    }
  }

  /// Quotes what could be taken for something else: a text that looks like a number too.
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
  /// How many triples there are. Looks at the lists of every entity that has one.
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
