import CMemory
import Triples

/// The raw files of a dataset: a folder, an unpacked backup, or a single file.
struct FolderContent {
  let files: [(name: String, bytes: [UInt8])]
  /// The files that could not be read, with reasons.
  let unreadable: [(name: String, message: String)]
  /// The paths of the files, keyed by name.
  private let paths: [String: String]

  /// Reads the files.
  ///
  /// - Throws: ``StoreError`` if there is nothing to read, or reading fails.
  init(_ path: String) throws(StoreError) {
    memory_prefer_large_pages()
    var found: [(name: String, bytes: [UInt8])] = []
    var paths: [String: String] = [:]
    var unreadable: [(name: String, message: String)] = []
    var first: StoreError?
    for file in try Self.allPaths(in: path) {
      let name = Self.name(of: file, isAlone: file == path)
      do throws(SystemError) {
        found.append((name, try Files.bytes(of: file)))
        paths[name] = file
      } catch {
        let refusal = StoreError.unreadable(path: file, reason: error.reason)
        first = first ?? refusal
        unreadable.append((name, refusal.message))
      }
    }
    // Without its schema or description, the folder's other files would be read differently.
    let isNeeded = unreadable.contains { ["schema.json", Self.description].contains($0.name) }
    if let first, found.isEmpty || isNeeded { throw first }
    guard !found.isEmpty else { throw .empty(folder: path) }
    (files, self.paths, self.unreadable) = (Self.namedPlainly(found), paths, unreadable)
  }

  /// A 64-bit hash of each file's bytes, keyed by file name, to detect changes.
  var marks: [String: UInt64] {
    Dictionary(files.map { ($0.name, Self.mark(of: $0.bytes)) }) { first, _ in first }
  }

  /// Returns a hash of bytes.
  ///
  /// - Source: the step of Wang Yi's wyhash, a folded 128-bit product.
  private static func mark(of bytes: [UInt8]) -> UInt64 {
    var mark: UInt64 = 0x9E37_79B9_7F4A_7C15
    func mix(_ word: UInt64) {
      let product = (mark ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
      mark = product.high ^ product.low &+ 0xE703_7ED1_A0B4_28DB
    }
    bytes.withUnsafeBytes { bytes in
      let whole = bytes.count & ~7
      for place in stride(from: 0, to: whole, by: 8) {
        mix(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      }
      for place in whole..<bytes.count { mix(UInt64(bytes[place])) }
    }
    mix(UInt64(bytes.count))
    return mark
  }

  /// Returns the message of an error, with the file's path in place of its name.
  func message(of error: DatasetError) -> String {
    let path = paths[error.file] ?? error.file
    return path + error.message.dropFirst(error.file.count)
  }

  private static func allPaths(in path: String) throws(StoreError) -> [String] {
    do throws(SystemError) { return try paths(in: path) } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
  }

  /// Returns the name under which a file of the dataset is read.
  ///
  /// A file that was opened alone, and has an unknown extension, gets the extension of its content.
  static func name(of path: String, isAlone: Bool) -> String {
    let name = Files.name(of: path)
    guard isAlone, FileKind(path) == nil else { return name }
    let base = name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) }
    return (base ?? name) + "." + FileKind.endingOfRows(path)
  }

  /// Returns the paths of the files of a dataset.
  static func paths(in path: String) throws(SystemError) -> [String] {
    guard Files.kind(of: path) != .file else { return [path] }
    let files = try Files.files(in: path).filter(isData)
    guard let entities = entities(of: path) else { return files }
    // The other files of an unpacked backup are uploaded files, which can have any name.
    return try files.filter { Files.name(of: $0) == description }
      + Files.files(in: entities).filter(isData)
  }

  private static let description = "config.json"

  /// Returns the folder that contains the entities of an unpacked backup; nil if the folder is not
  /// a backup.
  private static func entities(of folder: String) -> String? {
    let entities = folder + "/entities"
    let isBackup =
      Files.kind(of: folder + "/" + description) == .file && Files.kind(of: entities) == .folder
    return isBackup ? entities : nil
  }

  private static func isData(_ path: String) -> Bool {
    switch FileKind(path) {
    case .json, .rows: true
    case .store, .backup, .database, nil: false
    }
  }

  /// Returns a watcher for changed, added and removed files.
  static func watcher(of path: String) throws(SystemError) -> PathWatcher {
    if Files.kind(of: path) == .file { return try PathWatcher(file: path) }
    return try PathWatcher(folder: path, within: entities(of: path) == nil ? [] : ["entities"])
  }
}
