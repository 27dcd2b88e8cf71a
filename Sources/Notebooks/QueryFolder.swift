package import DataSources

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Saved queries in a folder, with one ``QueryFile`` for each query. Every call reads the folder
/// again, so that edits by the user apply immediately.
///
/// If a file cannot be parsed, it is skipped, and never written or removed; ``faults()`` reports
/// it. If two files contain a query of the same name for the same store, the file whose name sorts
/// first is used.
package actor QueryFolder: KeyValueDataSource {
  package typealias Object = SavedQuery

  package nonisolated let path: String
  package nonisolated let changes = ChangeSignal()
  private let disk: FileSystem

  package init(path: String, disk: FileSystem = FileSystem()) {
    self.path = path
    self.disk = disk
  }

  package func entries(
    at keys: [String]
  ) throws(DataSourceError) -> [DataEntry<SavedQuery>?] {
    let files = try contents().files
    return keys.map { key in files.first { $0.file.query.id == key }.map { .one($0.file.query) } }
  }

  package func entries() throws(DataSourceError) -> [DataEntry<SavedQuery>] {
    var seen: Set<String> = []
    return try contents().files.map(\.file.query).filter { seen.insert($0.id).inserted }
      .map { .one($0) }
  }

  /// Applies `changes` one after the other. If an I/O error occurs, the changes before it stay
  /// applied.
  package func apply(
    _ changes: [DataChange<SavedQuery>]
  ) throws(DataSourceError) {
    for change in changes {
      switch change {
      case .set(_, .many):
        throw .illegalArgument(
          "Several queries cannot be saved under one name. Save them separately.")
      case .set(_, .one(let query)): try write(query)
      case .remove(let key):
        for file in try contents().files where file.file.query.id == key {
          try disk.remove(file.path)
        }
      case .removeAll: for file in try contents().files { try disk.remove(file.path) }
      }
    }
    self.changes.ring()
  }

  /// Returns the errors of the files that were skipped.
  package func faults() throws(DataSourceError) -> [DataSourceError] { try contents().faults }

  /// Reads the query of a file at any path.
  /// - Throws: `notFound` or `dataSerialization`. The message contains advice.
  package static func query(ofFile path: String) throws(DataSourceError) -> SavedQuery {
    let name = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    let stem = name.hasSuffix(QueryFile.ending) ? name.dropLast(QueryFile.ending.count) : name[...]
    return try read(path, stem: String(stem), called: path, FileSystem()).query
  }
}

extension QueryFolder {
  private typealias Place = (path: String, stem: String, file: QueryFile)

  /// Returns the valid files sorted by name, and the errors of the other files.
  private func contents() throws(DataSourceError) -> (files: [Place], faults: [DataSourceError]) {
    var (files, faults): ([Place], [DataSourceError]) = ([], [])
    for name in try (disk.names(in: path) ?? []).sorted()
    where name.hasSuffix(QueryFile.ending) && name.first != "." {
      let (file, stem) = (path + "/" + name, String(name.dropLast(QueryFile.ending.count)))
      do throws(DataSourceError) {
        files.append((file, stem, try Self.read(file, stem: stem, called: "queries/" + name, disk)))
      } catch {
        faults.append(error)
      }
    }
    return (files, faults)
  }

  /// Reads and parses the file of a saved query.
  ///
  /// - Parameter name: The name of the file for error messages. It must be short enough for one
  ///   line on the screen.
  private static func read(
    _ path: String, stem: String, called name: String, _ disk: FileSystem
  ) throws(DataSourceError) -> QueryFile {
    try checkKind(of: path, called: name)
    guard let bytes = try disk.read(path, upTo: QueryFile.maxBytes) else {
      throw DataSourceError(.notFound, "File not found: \(name).")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .dataSerialization("\(name) is not UTF-8 text. Rewrite or remove it.")
    }
    guard let file = QueryFile(text, stem: stem) else {
      throw .dataSerialization(
        "\(name) contains no query. Add one below its comments, such as: cities limit 3")
    }
    return file
  }

  /// Rejects anything that is not a regular file, such as a pipe, before it is opened.
  private static func checkKind(
    of path: String, called name: String
  ) throws(DataSourceError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .dataSerialization("\(name) is not a regular file. Remove or rename it.")
    }
  }

  /// Writes the file of a query. If there is a query with the same name, its file is replaced, but
  /// keeps its comments.
  private func write(_ query: SavedQuery) throws(DataSourceError) {
    try disk.makeFolder(path)
    if let old = try contents().files.first(where: { $0.file.query.id == query.id }) {
      let file = QueryFile(query, remarks: old.file.remarks)
      return try disk.replace(old.path, with: Array(file.text(stem: old.stem).utf8))
    }
    let stem = QueryFile.stem(for: query.name)
    for number in 1... {
      let name = number == 1 ? stem : "\(stem)-\(number)"
      let file = path + "/" + name + QueryFile.ending
      if try disk.stamp(of: file) != nil { continue }
      let bytes = Array(QueryFile(query).text(stem: name).utf8)
      let draft = try disk.write(draftOf: file, bytes)
      do throws(DataSourceError) {
        // If another process has created the file in the meantime, `move` fails.
        return try disk.move(draft, to: file)
      } catch {
        try? disk.remove(draft)
        guard error ~= .system(errno: EEXIST) else { throw error }
      }
    }
  }
}
