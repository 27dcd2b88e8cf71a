/// A folder of files as a store: one file of entities for each namespace, and `schema.json`.
///
/// `NAME.json` is an array of objects, `NAME.jsonl` or `NAME.ndjson` has an object a line, `NAME.csv`
/// and `NAME.tsv` a header and a record a line. What a `.json` file holds whose value is an object,
/// ``JSONLayoutFinder`` says. Other files are skipped.
///
///     {"entities": {"countries": {"key": "code", "label": "name",
///        "attrs": {"name": {"valueType": "string", "config": {"unique": true, "indexed": true}}}}},
///      "links": {"cityCountry": {"forward": {"on": "cities", "label": "country", "has": "one"},
///        "reverse": {"on": "countries", "label": "cities", "has": "many"}}}}
///
/// An entity is named by an `id` that is a UUID, or by its key, from which its id is derived; links
/// are written as either. Without a schema the types come from the values and there are no links. A
/// backup of an Instant app reads as well: its `config.json` holds the schema.
public enum Dataset {
  /// - Parameter files: The names as in the folder; a path before the name is skipped, and what stands
  ///   after `entities/` is the name. Of two for one namespace the latter is wrong.
  /// - Throws: the first thing that is wrong, with file and line.
  /// - Complexity: O(bytes).
  public static func load(
    _ files: [(name: String, bytes: [UInt8])]
  ) throws(DatasetError) -> TripleStore {
    var warnings: [DatasetError] = []
    return try load(files, warnings: &warnings)
  }

  /// The same, and what was taken in otherwise than it was written: numbers that nothing can hold.
  ///
  /// - Parameter warnings: The first few of each file are appended.
  public static func load(
    _ files: [(name: String, bytes: [UInt8])], warnings: inout [DatasetError]
  ) throws(DatasetError) -> TripleStore {
    let reading = try read(files, DatasetOptions(isStrict: true))
    warnings += reading.report.entries
    return reading.store
  }

  /// Reads all that can be read; the report says what was left out or read otherwise than it is written.
  ///
  /// - Parameter progress: Called now and then with how many bytes of the files have been read.
  /// - Throws: what is wrong with the first file of which nothing can be read; of strict options, the
  ///   first thing that is wrong.
  /// - Complexity: O(bytes).
  public static func read(
    _ files: [(name: String, bytes: [UInt8])], _ options: DatasetOptions = DatasetOptions(),
    progress: @escaping (_ bytes: Int) -> Void = { _ in }
  ) throws(DatasetError) -> DatasetReading {
    try read(files, without: [], options, progress: progress)
  }

  /// - Parameter leftOut: What was wrong with files that are not among these: others may lead to what
  ///   they held.
  static func read(
    _ files: [(name: String, bytes: [UInt8])], without leftOut: [DatasetError],
    _ options: DatasetOptions, progress: @escaping (_ bytes: Int) -> Void
  ) throws(DatasetError) -> DatasetReading {
    var report = LoadReport()
    var files = files.map { DatasetFile(path: $0.name, bytes: $0.bytes) }
    var schema = try takeSchema(from: &files, &report)
    if !leftOut.isEmpty { schema.allowsDanglingLinks = true }
    files.removeAll { !$0.isData }
    files = files.enumerated().sorted { one, other in
      one.element.namespace == other.element.namespace
        ? one.offset < other.offset
        : one.element.namespace.utf8.lexicographicallyPrecedes(other.element.namespace.utf8)
    }.map(\.element)
    var parts: [DatasetPart] = []
    for number in files.indices {
      if options.isStrict, let encoding = DatasetEncoding.marked(files[number].bytes) {
        throw DatasetError(.encoding(encoding), file: files[number].name, line: 1)
      } else if !options.isStrict, let encoding = files[number].decode() {
        report.add(DatasetError(.decoded(encoding), file: files[number].name))
      }
      if let found = try files[number].parts(number: number) {
        parts += found
      } else if files.count == 1 {
        return try TripleDump.read(files[number].bytes, file: files[number].name, options)
      } else {
        let error = DatasetError(.dumpAmongFiles, file: files[number].name)
        if options.isStrict { throw error }
        report.add(error)
      }
    }
    try nameApart(&parts, of: files, options, &report)
    var loader = DatasetLoader(schema, files, parts, options, report, progress: progress)
    try loader.loadAll()
    return DatasetReading(
      store: loader.store, report: loader.report, contentRows: loader.contentRows,
      namespaces: Dictionary(grouping: parts, by: { files[$0.file].name }).mapValues {
        $0.map(\.name)
      })
  }

  /// Gives the parts names that differ: the namespace of a file is called like the file, unless another
  /// one has the name.
  private static func nameApart(
    _ parts: inout [DatasetPart], of files: [DatasetFile], _ options: DatasetOptions,
    _ report: inout LoadReport
  ) throws(DatasetError) {
    var owners: [String: String] = [:]
    let own = parts.indices.filter { parts[$0].name == files[parts[$0].file].namespace }
    let others = parts.indices.filter { parts[$0].name != files[parts[$0].file].namespace }
    for place in own + others {
      let file = files[parts[place].file]
      let wanted = parts[place].name.isEmpty ? file.namespace : parts[place].name
      var name = wanted
      if let other = owners[wanted] {
        name = wanted == file.namespace ? wanted + "_" + file.ending : file.namespace + "_" + wanted
        while owners[name] != nil { name += "_" }
        let error = DatasetError(
          .rivalFile(other: other, namespace: wanted, name: name), file: file.name)
        if options.isStrict { throw error }
        report.add(error)
      }
      owners[name] = file.name
      parts[place].name = name
    }
  }

  /// The schema, be it in a file of its own or in the description of a backup.
  private static func takeSchema(
    from files: inout [DatasetFile], _ report: inout LoadReport
  ) throws(DatasetError) -> DatasetSchema {
    if let place = files.firstIndex(where: { $0.name == "schema.json" }) {
      let file = files.remove(at: place)
      let json = try value(of: file)
      let schema = try DatasetSchema(json, file: file.name)
      if case .object(let object) = json, object["entities"] == nil, object["links"] == nil,
        !object.members.isEmpty
      {
        report.add(DatasetError(.emptySchema, file: file.name))
      }
      return schema
    }
    guard let place = files.firstIndex(where: { $0.name == "config.json" && $0.isObject }),
      case .object(let object) = try value(of: files[place]), let json = object["schema"]
    else { return DatasetSchema() }
    let file = files.remove(at: place)
    var schema = try DatasetSchema(json, file: file.name)
    schema.allowsDanglingLinks = true
    schema.infersTypes = false
    return schema
  }

  private static func value(of file: DatasetFile) throws(DatasetError) -> Value {
    do throws(JSONError) {
      return try JSONReader.value(
        of: file.bytes, options: JSONOptions(duplicateKeys: .refused))
    } catch {
      throw DatasetError(error, file: file.name)
    }
  }
}

/// One file of a dataset.
struct DatasetFile {
  enum Format: String {
    case json, jsonl, csv, tsv

    /// - Parameter ending: Of a file's name, in small letters.
    init?(ending: String) {
      switch ending {
      case "ndjson": self = .jsonl
      case "geojson": self = .json
      case "tab": self = .tsv
      default: self.init(rawValue: ending)
      }
    }
  }

  /// Where a backup has the entities of its namespaces.
  private static let entities = "entities/"

  /// Without the folders before it.
  let name: String
  let namespace: String
  /// What stands behind the last dot of the name, in small letters.
  let ending: String
  /// Nil for a file that is none of ours.
  let format: Format?
  private(set) var bytes: [UInt8]
  /// Whether the name before the ending is that of a namespace, also when there is none.
  private let isNamed: Bool

  /// Whether it holds entities: a file that is all ending is hidden, and none of ours.
  var isData: Bool { format != nil && (isNamed || !namespace.isEmpty) }

  init(path: String, bytes: [UInt8]) {
    // In a backup a namespace may be called anything; nothing is opened by the name.
    let name =
      path.hasPrefix(Self.entities)
      ? String(path.dropFirst(Self.entities.count))
      : path.split(separator: "/").last.map(String.init) ?? path
    self.name = name
    self.bytes = bytes
    isNamed = path.hasPrefix(Self.entities)
    guard let dot = name.lastIndex(of: ".") else {
      (namespace, ending, format) = (name, "", nil)
      return
    }
    namespace = String(name[..<dot])
    ending = String(name[name.index(after: dot)...]).lowercased()
    format = Format(ending: ending)
  }

  /// Whether the first thing in it is an object.
  var isObject: Bool {
    bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF } == UInt8(ascii: "{")
  }

  /// Makes the bytes UTF-8; what they were, or nil when they were that already.
  mutating func decode() -> String? {
    guard let format, let found = DatasetEncoding.decode(bytes, as: format) else { return nil }
    bytes = found.bytes
    return found.encoding
  }

  /// What the file holds; nil when it is a dump of triples.
  func parts(number: Int) throws(DatasetError) -> [DatasetPart]? {
    let layout: DatasetLayout
    switch format {
    case .json where isObject:
      return try bytes.withUnsafeBufferPointer { source throws(DatasetError) in
        let lent = SourceFile(number: number, name: name, source: source)
        var finder = JSONLayoutFinder(lent, name: namespace)
        return try finder.parts()
      }
    case .json: layout = .array
    case .jsonl: layout = .lines
    case .csv: layout = .records(.commas)
    case .tsv: layout = .records(.tabs)
    case nil: return []
    }
    return [DatasetPart(file: number, layout: layout, name: namespace)]
  }
}
