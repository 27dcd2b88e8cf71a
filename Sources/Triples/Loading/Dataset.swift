/// Loads a folder as a store: one file of entities for each namespace, and `schema.json`.
///
/// `NAME.json` is an array of objects, and `NAME.jsonl` or `NAME.ndjson` has an object on each
/// line. `NAME.csv` and `NAME.tsv` have a header, and then a record on each line.
/// A `.json` file that contains an object becomes several namespaces, or the entities of one; its
/// content decides. Other files are skipped.
///
///     {"entities": {"countries": {"key": "code", "label": "name",
///       "attrs": {"name": {"valueType": "string", "config": {"unique": true, "indexed": true}}}}},
///      "links": {"cityCountry": {"forward": {"on": "cities", "label": "country", "has": "one"},
///       "reverse": {"on": "countries", "label": "cities", "has": "many"}}}}
///
/// The `id` of an entity must be a UUID. An entity can have a key instead, from which its id is
/// derived. Links contain ids or keys. Without a schema, types are inferred from the values and
/// there are no links. Backups of Instant apps are supported, too: their `config.json` contains the
/// schema.
public enum Dataset {
  /// Loads the files of a folder.
  ///
  /// - Parameter files: Paths within the folder. The namespace is the file's name or, in the folder
  ///   `entities`, the rest of the path. A second file for the same namespace is an error.
  /// - Throws: The first error, with file and line.
  /// - Complexity: O(bytes).
  public static func load(
    _ files: [(name: String, bytes: [UInt8])]
  ) throws(DatasetError) -> TripleStore {
    var warnings: [DatasetError] = []
    return try load(files, warnings: &warnings)
  }

  /// Loads the files and reports numbers that cannot be represented exactly.
  ///
  /// - Parameter warnings: The function appends the first few warnings of each file.
  public static func load(
    _ files: [(name: String, bytes: [UInt8])], warnings: inout [DatasetError]
  ) throws(DatasetError) -> TripleStore {
    let reading = try read(files, DatasetOptions(isStrict: true))
    warnings += reading.report.entries
    return reading.store
  }

  /// Loads all valid data. The report lists the data that was skipped or changed.
  ///
  /// - Parameter progress: Called regularly with the number of bytes read so far.
  /// - Throws: The error of the first file that cannot be read at all; with strict options, the
  ///   first error.
  /// - Complexity: O(bytes).
  public static func read(
    _ files: [(name: String, bytes: [UInt8])], _ options: DatasetOptions = DatasetOptions(),
    progress: @escaping (_ bytes: Int) -> Void = { _ in }
  ) throws(DatasetError) -> DatasetReading {
    try read(files, without: [], options, progress: progress)
  }

  /// Loads the files that were not excluded.
  ///
  /// - Parameter leftOut: The errors of the excluded files. Other files may link to entities of
  ///   these files.
  static func read(
    _ files: [(name: String, bytes: [UInt8])], without leftOut: [DatasetError],
    _ options: DatasetOptions, progress: @escaping (_ bytes: Int) -> Void
  ) throws(DatasetError) -> DatasetReading {
    var report = LoadReport()
    var files = files.map { DatasetFile(path: $0.name, bytes: $0.bytes) }
    var schema = try removeSchema(from: &files, &report)
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

  /// Assigns each part a unique namespace, named like its file if possible.
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

  /// Removes the schema file, or the `config.json` of a backup, from the files and parses it.
  private static func removeSchema(
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
    schema.wrapsEntities = true
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

/// A file of a dataset.
struct DatasetFile {
  enum Format: String {
    case json, jsonl, csv, tsv

    /// Creates the format of a file extension.
    ///
    /// - Parameter ending: The file extension in lower case.
    init?(ending: String) {
      switch ending {
      case "ndjson": self = .jsonl
      case "geojson": self = .json
      case "tab": self = .tsv
      default: self.init(rawValue: ending)
      }
    }
  }

  /// The folder of the namespaces in a backup.
  private static let entities = "entities/"

  /// The file name without folders.
  let name: String
  let namespace: String
  /// The file extension in lower case.
  let ending: String
  /// The format of the file; nil for files of other types.
  let format: Format?
  private(set) var bytes: [UInt8]
  /// Whether the file is in the folder `entities` of a backup, where a namespace may have an empty
  /// name.
  private let isNamed: Bool

  /// Whether the file contains entities. A file whose name is only an extension is hidden and
  /// ignored.
  var isData: Bool { format != nil && (isNamed || !namespace.isEmpty) }

  init(path: String, bytes: [UInt8]) {
    // A backup's namespace can have any name, even with slashes, because no file is opened by that
    // name.
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

  /// Whether the file's content begins with an object.
  var isObject: Bool {
    bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF } == UInt8(ascii: "{")
  }

  /// Converts the bytes to UTF-8. Returns the previous encoding, or nil if it was UTF-8.
  mutating func decode() -> String? {
    guard let format, let found = DatasetEncoding.decode(bytes, as: format) else { return nil }
    bytes = found.bytes
    return found.encoding
  }

  /// Returns the entity lists in the file; nil if the file is a triple dump.
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
