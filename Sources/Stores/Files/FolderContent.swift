import CMemory
import Triples

/// The files of a dataset as they lie on the disk: those of a folder, of an unpacked backup, or one.
struct FolderContent {
  let files: [(name: String, bytes: [UInt8])]
  /// Why some files could not be read, by name.
  let unreadable: [(name: String, message: String)]
  /// The paths of the files, by name.
  private let paths: [String: String]

  /// - Throws: ``StoreError`` when there is nothing to read, or the system refuses.
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
    // Without its description a folder would say something else.
    let isNeeded = unreadable.contains { ["schema.json", Self.description].contains($0.name) }
    if let first, found.isEmpty || isNeeded { throw first }
    guard !found.isEmpty else { throw .empty(folder: path) }
    (files, self.paths, self.unreadable) = (Self.namedPlainly(found), paths, unreadable)
  }

  /// By name, what tells the bytes of each file from any others: two that are alike have the same mark,
  /// and two that are not have another one but for a chance in some 10¹⁹.
  var marks: [String: UInt64] {
    Dictionary(files.map { ($0.name, Self.mark(of: $0.bytes)) }) { first, _ in first }
  }

  /// - Source: the step is that of Wang Yi's wyhash: a product of twice the width, folded.
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

  /// What is wrong, with the path of the file where it is.
  func message(of error: DatasetError) -> String {
    let path = paths[error.file] ?? error.file
    return path + error.message.dropFirst(error.file.count)
  }

  private static func allPaths(in path: String) throws(StoreError) -> [String] {
    do throws(SystemError) { return try paths(in: path) } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
  }

  /// What the file is called among the others. One that was opened by itself may be called anything: its
  /// content then says how it is read.
  private static func name(of path: String, isAlone: Bool) -> String {
    let name = Files.name(of: path)
    guard isAlone, FileKind(path) == nil else { return name }
    let base = name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) }
    return (base ?? name) + "." + FileKind.endingOfRows(path)
  }

  private static func paths(in path: String) throws(SystemError) -> [String] {
    guard Files.kind(of: path) != .file else { return [path] }
    let files = try Files.files(in: path).filter(isData)
    guard let entities = entities(of: path) else { return files }
    // The rest of an unpacked backup is no data: uploaded files, under any name.
    return try files.filter { Files.name(of: $0) == description }
      + Files.files(in: entities).filter(isData)
  }

  private static let description = "config.json"

  /// Where the entities of an unpacked backup lie; nil when the folder is none.
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

  /// What tells of changes of the files, of new ones and of those that go.
  static func watcher(of path: String) throws(SystemError) -> PathWatcher {
    if Files.kind(of: path) == .file { return try PathWatcher(file: path) }
    return try PathWatcher(folder: path, within: entities(of: path) == nil ? [] : ["entities"])
  }
}
