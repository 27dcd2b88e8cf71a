/// A folder of files as a store: one file of entities for each namespace, and `schema.json`.
///
/// `NAME.json` is an array of objects, `NAME.jsonl` or `NAME.ndjson` has an object a line, `NAME.csv`
/// and `NAME.tsv` a header and a record a line. Other files are passed over.
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
  /// - Parameter files: The names as in the folder; a path before the name is passed over, and what stands
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
  /// - Parameters:
  ///   - warnings: The first few of each file are appended.
  ///   - progress: Told now and then how many bytes of the files have been read.
  public static func load(
    _ files: [(name: String, bytes: [UInt8])], warnings: inout [DatasetError],
    progress: @escaping (_ bytes: Int) -> Void = { _ in }
  ) throws(DatasetError) -> TripleStore {
    try load(files, without: [], warnings: &warnings, progress: progress)
  }

  /// - Parameter leftOut: What was wrong with files that are not among these: others may lead to what
  ///   they held.
  static func load(
    _ files: [(name: String, bytes: [UInt8])], without leftOut: [DatasetError],
    warnings: inout [DatasetError], progress: @escaping (_ bytes: Int) -> Void
  ) throws(DatasetError) -> TripleStore {
    var parts = files.map { DatasetFile(path: $0.name, bytes: $0.bytes) }
    var schema = try takeSchema(from: &parts)
    if !leftOut.isEmpty { schema.allowsDanglingLinks = true }
    parts.removeAll { $0.format == nil || $0.namespace.isEmpty }
    parts = parts.enumerated().sorted { one, other in
      one.element.namespace == other.element.namespace
        ? one.offset < other.offset
        : one.element.namespace.utf8.lexicographicallyPrecedes(other.element.namespace.utf8)
    }.map(\.element)
    for (file, next) in zip(parts, parts.dropFirst()) where file.namespace == next.namespace {
      throw DatasetError(
        .rivalFile(other: file.name, namespace: file.namespace), file: next.name)
    }
    var loader = DatasetLoader(schema, files: parts, progress: progress)
    try loader.loadAll()
    warnings += loader.warnings
    return loader.store
  }

  /// The schema, be it in a file of its own or in the description of a backup.
  private static func takeSchema(
    from files: inout [DatasetFile]
  ) throws(DatasetError) -> DatasetSchema {
    if let place = files.firstIndex(where: { $0.name == "schema.json" }) {
      let file = files.remove(at: place)
      return try DatasetSchema(value(of: file), file: file.name)
    }
    guard let place = files.firstIndex(where: { $0.name == "config.json" && $0.isObject }) else {
      return DatasetSchema()
    }
    let file = files.remove(at: place)
    guard case .object(let object) = try value(of: file), let json = object["schema"] else {
      throw DatasetError(.schema("a description without 'schema'"), file: file.name)
    }
    var schema = try DatasetSchema(json, file: file.name)
    schema.allowsDanglingLinks = true
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
      default: self.init(rawValue: ending)
      }
    }
  }

  /// Where a backup has the entities of its namespaces.
  private static let entities = "entities/"

  /// Without the folders before it.
  let name: String
  let namespace: String
  /// Nil for a file that is none of ours.
  let format: Format?
  let bytes: [UInt8]

  init(path: String, bytes: [UInt8]) {
    // In a backup a namespace may be called anything; nothing is opened by the name.
    let name =
      path.hasPrefix(Self.entities)
      ? String(path.dropFirst(Self.entities.count))
      : path.split(separator: "/").last.map(String.init) ?? path
    self.name = name
    self.bytes = bytes
    guard let dot = name.lastIndex(of: ".") else {
      namespace = name
      format = nil
      return
    }
    namespace = String(name[..<dot])
    format = Format(ending: String(name[name.index(after: dot)...]).lowercased())
  }

  /// Whether the first thing in it is an object.
  var isObject: Bool {
    bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF } == UInt8(ascii: "{")
  }
}
