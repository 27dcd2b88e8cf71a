/// Keeps bytes in the files of one folder, a file for each key.
///
/// Objects of other types are kept by a mapper around it:
///
/// ```swift
/// let exports = FileSystemStorageDataSource(folder: path).mappedAsJSON(Export.self)
/// ```
///
/// A file is the object's bytes and nothing else, named after the key with the ending `.one`; an
/// array is a file with the ending `.many`. Files with other names are neither listed nor deleted.
/// Listings are in the order of the keys. The folder is made by the first write, for the owner alone.
///
/// A write of several keys first writes all files under draft names and then renames them: what the
/// disk refuses leaves everything as it was; a cut of power may fall between two renames, never
/// within a file.
public actor FileSystemStorageDataSource: KeyValueDataSource {
  public typealias Object = [UInt8]

  private let folder: String
  private let disk: Disk
  public nonisolated let changes = ChangeSignal()

  public init(folder: String) {
    self.init(folder: folder, disk: Disk())
  }

  package init(folder: String, disk: Disk) {
    self.folder = folder
    self.disk = disk
  }

  public func entries(at keys: [String]) throws(DataSourceError) -> [DataEntry<[UInt8]>?] {
    var entries: [DataEntry<[UInt8]>?] = []
    for key in keys {
      try checkOwner(of: key)
      entries.append(try entry(named: FileName.name(of: key)))
    }
    return entries
  }

  public func entries() throws(DataSourceError) -> [DataEntry<[UInt8]>] {
    var entries: [DataEntry<[UInt8]>] = []
    for name in try listing() {
      if let entry = try entry(named: name) { entries.append(entry) }
    }
    return entries
  }

  public func apply(_ changes: [DataChange<[UInt8]>]) throws(DataSourceError) {
    var files: [String: DataEntry<[UInt8]>?] = [:]
    var keys: [String: String] = [:]
    for change in changes {
      switch change {
      case .set(let key, let entry):
        try checkOwner(of: key)
        files[FileName.name(of: key)] = .some(entry)
        keys[FileName.name(of: key)] = key
      case .remove(let key):
        try checkOwner(of: key)
        files[FileName.name(of: key)] = .some(nil)
      case .removeAll:
        files = [:]
        for name in try listing() { files[name] = .some(nil) }
      }
    }
    try DataSourceError.checkCancellation()
    try write(files, keys: keys)
    self.changes.ring()
  }
}

extension FileSystemStorageDataSource {
  private func write(
    _ files: [String: DataEntry<[UInt8]>?], keys: [String: String]
  ) throws(DataSourceError) {
    var drafts: [(draft: String, path: String, stale: String)] = []
    var published = 0
    do throws(DataSourceError) {
      if files.contains(where: { $0.value != nil }) { try disk.makeFolder(folder) }
      for (name, entry) in files {
        guard let entry else { continue }
        if name.utf8.first == UInt8(ascii: "~"), let key = keys[name] {
          try disk.replace(path(name, "key"), with: Array(key.utf8))
        }
        let (ending, bytes, other) = Self.form(of: entry)
        let path = path(name, ending)
        drafts.append((try disk.write(draftOf: path, bytes), path, self.path(name, other)))
      }
      try DataSourceError.checkCancellation()
      for (draft, path, stale) in drafts {
        try disk.publish(draft, as: path)
        published += 1
        try disk.remove(stale)
      }
    } catch {
      // What drafts are left must not be found by anybody; the error that matters is the first.
      for (draft, _, _) in drafts.dropFirst(published) { try? disk.remove(draft) }
      throw error
    }
    for (name, entry) in files where entry == nil {
      for ending in ["one", "many", "key"] { try disk.remove(path(name, ending)) }
    }
    if !files.isEmpty { try disk.syncFolder(of: path("x", "one")) }
  }

  private static func form(
    of entry: DataEntry<[UInt8]>
  ) -> (ending: String, bytes: [UInt8], other: String) {
    switch entry {
    case .one(let bytes): ("one", bytes, "many")
    case .many(let arrays): ("many", ByteArrays.joined(arrays), "one")
    }
  }

  /// A crash between publishing one form and removing the other leaves both: the younger one holds.
  private func entry(named name: String) throws(DataSourceError) -> DataEntry<[UInt8]>? {
    let one = try disk.stamp(of: path(name, "one"))
    let many = try disk.stamp(of: path(name, "many"))
    if let many, many.modified > one?.modified ?? .zero {
      let bytes = try disk.read(path(name, "many")) ?? []
      guard let arrays = ByteArrays.split(bytes) else {
        throw .dataSerialization("\(path(name, "many")) is damaged; it was left as it is.")
      }
      return .many(arrays)
    }
    guard one != nil else { return nil }
    return try disk.read(path(name, "one")).map { .one($0) }
  }

  /// The names of all entries in the order of their keys.
  private func listing() throws(DataSourceError) -> [String] {
    var keys: [String: String] = [:]
    for file in try disk.names(in: folder) ?? [] {
      guard let dot = file.lastIndex(of: "."), ["one", "many"].contains(file[dot...].dropFirst())
      else { continue }
      let name = String(file[..<dot])
      if let key = FileName.key(of: name) {
        keys[name] = key
      } else if let key = try disk.read(path(name, "key")) {
        keys[name] = String(decoding: key, as: UTF8.self)
      }
    }
    return keys.sorted { $0.value.utf8.lexicographicallyPrecedes($1.value.utf8) }.map(\.key)
  }

  /// - Throws: `failed` when a long key's hash is already another key's.
  private func checkOwner(of key: String) throws(DataSourceError) {
    let name = FileName.name(of: key)
    guard name.utf8.first == UInt8(ascii: "~"), let owner = try disk.read(path(name, "key")),
      owner != Array(key.utf8)
    else { return }
    throw .failed("Two long keys have the same file name; shorten \"\(key.prefix(40))…\".")
  }

  private func path(_ name: String, _ ending: String) -> String {
    folder + "/" + name + "." + ending
  }
}

/// Several arrays of bytes as one: each after its length in eight bytes, the lowest first.
enum ByteArrays {
  static func joined(_ arrays: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for array in arrays {
      withUnsafeBytes(of: UInt64(array.count).littleEndian) { bytes += $0 }
      bytes += array
    }
    return bytes
  }

  /// Nil when the bytes are no such thing.
  static func split(_ bytes: [UInt8]) -> [[UInt8]]? {
    var arrays: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard rest.count >= 8 else { return nil }
      let length = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      guard length <= rest.count else { return nil }
      arrays.append(Array(rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
    }
    return arrays
  }
}
