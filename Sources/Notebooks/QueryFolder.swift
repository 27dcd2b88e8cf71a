package import DataSources

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Saved queries in the files of one folder, a ``QueryFile`` for each; read anew at every call, so
/// that what a person changes there counts at once.
///
/// A file that cannot be understood is passed over, never written and never removed; ``faults()``
/// tells of it. Of two files that save the same name in the same store the first by name counts.
package actor QueryFolder: KeyValueDataSource {
  package typealias Object = SavedQuery

  package nonisolated let path: String
  package nonisolated let changes = ChangeSignal()
  private let disk: Disk

  package init(path: String, disk: Disk = Disk()) {
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

  /// Carries out `changes` one after the other: a refusal of the disk leaves those before it done.
  package func apply(
    _ changes: [DataChange<SavedQuery>]
  ) throws(DataSourceError) {
    for change in changes {
      switch change {
      case .set(_, .many): throw .illegalArgument("One name keeps one query.")
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

  /// What is wrong with the files, a sentence for each that was passed over.
  package func faults() throws(DataSourceError) -> [DataSourceError] { try contents().faults }

  /// The query of a file anywhere.
  /// - Throws: What is wrong with the file, in a sentence that says what to do.
  package static func query(ofFile path: String) throws(DataSourceError) -> SavedQuery {
    let name = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    let stem = name.hasSuffix(QueryFile.ending) ? name.dropLast(QueryFile.ending.count) : name[...]
    return try read(path, stem: String(stem), called: path, Disk()).query
  }
}

extension QueryFolder {
  private typealias Place = (path: String, stem: String, file: QueryFile)

  /// The files by name, and what is wrong with those that are none.
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

  /// - Parameter name: What a complaint calls the file: it must fit on a line of the screen.
  private static func read(
    _ path: String, stem: String, called name: String, _ disk: Disk
  ) throws(DataSourceError) -> QueryFile {
    try checkKind(of: path, called: name)
    guard let bytes = try disk.read(path, upTo: QueryFile.longestBytes) else {
      throw DataSourceError(.notFound, "There is no file \(name).")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .dataSerialization("\(name) is no UTF-8 text: write it anew, or remove it.")
    }
    guard let file = QueryFile(text, stem: stem) else {
      throw .dataSerialization(
        "\(name) holds no query: write one below its remarks, as in: cities limit 3")
    }
    return file
  }

  /// Refuses what would be waited for, such as a pipe, before it is opened.
  private static func checkKind(
    of path: String, called name: String
  ) throws(DataSourceError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .dataSerialization("\(name) is no file of text: remove it, or give it another name.")
    }
  }

  /// Puts `query` in the place of its like, whose remarks stay; else into a file of its own.
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
        // Takes the name of no file that another program saved in between.
        return try disk.move(draft, to: file)
      } catch {
        try? disk.remove(draft)
        guard error ~= .system(errno: EEXIST) else { throw error }
      }
    }
  }
}
