/// Stores byte arrays in one folder, with one file for each key.
///
/// To store objects of other types, add a mapper:
///
/// ```swift
/// let exports = FileSystemStorageDataSource(folder: path).mappedAsJSON(Export.self)
/// ```
///
/// A file contains only the bytes of the object. Its name is derived from the key, with the
/// extension `.one`, or `.many` for an array. Other files are neither listed nor deleted. Keys are
/// sorted and compared by their UTF-8 bytes, so two Unicode spellings of the same letter are
/// different keys. The first write creates the folder with mode 0700.
///
/// A write of several keys first writes all files under draft names and then renames them. An I/O
/// error leaves everything unchanged. A power failure can happen between two renames, but never
/// leaves a file with only a part of its content. A write is durable when its call returns.
public actor FileSystemStorageDataSource: KeyValueDataSource {
  /// The bytes of a file.
  public typealias Object = [UInt8]

  private let folder: String
  private let disk: FileSystem
  /// How many writes were published, and for how many of these the file names were synced to disk.
  private var published = 0
  private var durable = 0
  public nonisolated let changes = ChangeSignal()

  /// Creates a source of the files in `folder`. The first write creates the folder.
  public init(folder: String) {
    self.init(folder: folder, disk: FileSystem())
  }

  package init(folder: String, disk: FileSystem) {
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

  /// Applies changes: writes the drafts, then renames them. Calls write their drafts concurrently,
  /// because that is slow; the actor serializes the renaming.
  public nonisolated func apply(
    _ changes: [DataChange<[UInt8]>]
  ) async throws(DataSourceError) {
    let outcome = Outcome(of: changes)
    var drafts: [Draft] = []
    do throws(DataSourceError) {
      if !outcome.entries.isEmpty { try disk.makeFolder(folder) }
      for (key, entry) in outcome.entries { drafts.append(try draft(of: entry, for: key.text)) }
      try DataSourceError.checkCancellation()
    } catch {
      discard(drafts)
      throw error
    }
    let publication = try await publish(drafts, outcome)
    try await syncNames(of: publication)
    self.changes.ring()
  }
}

extension FileSystemStorageDataSource {
  /// A key that equals only a key with the same bytes, unlike a string.
  private struct ExactKey: Sendable, Hashable {
    var text: String

    static func == (left: ExactKey, right: ExactKey) -> Bool {
      left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
      for byte in text.utf8 { hasher.combine(byte) }
    }
  }

  /// The combined effect of several changes. For each key, only its last change counts.
  private struct Outcome: Sendable {
    var entries: [ExactKey: DataEntry<[UInt8]>] = [:]
    var removed: Set<ExactKey> = []
    var removesAll = false

    init(of changes: [DataChange<[UInt8]>]) {
      for change in changes {
        switch change {
        case .set(let key, let entry):
          entries[ExactKey(text: key)] = entry
          removed.remove(ExactKey(text: key))
        case .remove(let key):
          entries[ExactKey(text: key)] = nil
          removed.insert(ExactKey(text: key))
        case .removeAll:
          entries = [:]
          removed = []
          removesAll = true
        }
      }
    }
  }

  /// An entry that is already on disk under a draft name, which readers ignore.
  private struct Draft: Sendable {
    var key: String
    var path: String
    /// The extension of the published file. The file with the other extension becomes outdated.
    var ending: String
    var stale: String
  }

  private nonisolated func draft(
    of entry: DataEntry<[UInt8]>, for key: String
  ) throws(DataSourceError) -> Draft {
    let (ending, bytes, stale) = Self.form(of: entry)
    let path = path(FileName.name(of: key), ending)
    return Draft(
      key: key, path: try disk.write(draftOf: path, bytes), ending: ending, stale: stale)
  }

  private nonisolated func discard(_ drafts: some Sequence<Draft>) {
    // A draft that cannot be removed does no harm, and the caller already throws a more important
    // error.
    for draft in drafts { try? disk.remove(draft.path) }
  }

  /// Renames the drafts, then removes outdated files. If an I/O error occurs, it restores the
  /// previous files.
  /// - Returns: The number of published writes, including this one.
  private func publish(
    _ drafts: [Draft], _ outcome: Outcome
  ) throws(DataSourceError) -> Int {
    var waiting = drafts[...]
    var undo = FileRollback(disk)
    do throws(DataSourceError) {
      for draft in drafts { try claim(draft.key) }
      for key in outcome.removed { try checkOwner(of: key.text) }
      try DataSourceError.checkCancellation()
      var old = outcome.removesAll ? Set(try listing()) : []
      old.formUnion(outcome.removed.map { FileName.name(of: $0.text) })
      while let draft = waiting.first {
        let name = FileName.name(of: draft.key)
        try undo.remember(path(name, draft.ending))
        try disk.publish(draft.path, as: path(name, draft.ending))
        waiting.removeFirst()
        old.remove(name)
        try remove(path(name, draft.stale), &undo)
      }
      for name in old {
        for ending in ["one", "many", "key"] { try remove(path(name, ending), &undo) }
      }
    } catch {
      undo.restore()
      discard(waiting)
      throw error
    }
    undo.forget()
    published += 1
    return published
  }

  private func remove(_ path: String, _ undo: inout FileRollback) throws(DataSourceError) {
    guard try disk.stamp(of: path) != nil else { return }
    try undo.remember(path)
    try disk.remove(path)
  }

  /// Syncs the file names of all published writes to disk, unless the write with this number is
  /// already synced.
  private func syncNames(of publication: Int) throws(DataSourceError) {
    guard durable < publication else { return }
    try disk.syncFolder(of: path("x", "one"))
    durable = published
  }

  private static func form(
    of entry: DataEntry<[UInt8]>
  ) -> (ending: String, bytes: [UInt8], stale: String) {
    switch entry {
    case .one(let bytes): ("one", bytes, "many")
    case .many(let arrays): ("many", ByteArrays.joined(arrays), "one")
    }
  }

  /// Reads the entry whose files have this name; nil when there are no such files.
  ///
  /// If a crash left both an object and an array under the name, the newer file is read.
  private func entry(named name: String) throws(DataSourceError) -> DataEntry<[UInt8]>? {
    let one = try disk.stamp(of: path(name, "one"))
    let many = try disk.stamp(of: path(name, "many"))
    if let many, many.modified > one?.modified ?? .zero {
      let bytes = try disk.read(path(name, "many")) ?? []
      guard let arrays = ByteArrays.split(bytes) else {
        throw .dataSerialization(
          "The file \(path(name, "many")) is damaged. It was left unchanged.")
      }
      return .many(arrays)
    }
    guard one != nil else { return nil }
    return try disk.read(path(name, "one")).map { .one($0) }
  }

  /// Returns the names of all entries, sorted by key.
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

  /// Stores a long key in its own file, next to the data files that are named by the key's hash.
  private func claim(_ key: String) throws(DataSourceError) {
    try checkOwner(of: key)
    let name = FileName.name(of: key)
    guard name.utf8.first == UInt8(ascii: "~") else { return }
    try disk.replace(path(name, "key"), with: Array(key.utf8))
  }

  /// Checks that no other key uses the hash of a long key.
  /// - Throws: `failed` when another key already uses the hash.
  private func checkOwner(of key: String) throws(DataSourceError) {
    let name = FileName.name(of: key)
    guard name.utf8.first == UInt8(ascii: "~"), let owner = try disk.read(path(name, "key")),
      owner != Array(key.utf8)
    else { return }
    throw .failed(
      "The key \"\(key.prefix(40))…\" is too long: another long key already uses its file name. "
        + "Use a shorter key.")
  }

  private nonisolated func path(_ name: String, _ ending: String) -> String {
    folder + "/" + name + "." + ending
  }
}

/// Encodes several byte arrays as one. Each is preceded by its length in eight bytes,
/// little-endian.
enum ByteArrays {
  static func joined(_ arrays: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for array in arrays {
      withUnsafeBytes(of: UInt64(array.count).littleEndian) { bytes += $0 }
      bytes += array
    }
    return bytes
  }

  /// Returns the arrays; nil when the bytes are malformed.
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
