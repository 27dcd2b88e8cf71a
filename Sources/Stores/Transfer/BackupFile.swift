public import LiveQueries
public import Triples

/// What an Instant backup holds: a zip file of `config.json`, a file of entities for each namespace, and
/// the bytes of uploaded files.
///
/// It is read leniently: labels that the schema does not know become attributes of any type, and links
/// to entities that are not there are kept. Ids of attributes are made from their names.
public struct Backup: Sendable {
  public let store: TripleStore
  /// When the backup was made, in milliseconds since 1970; nil when it does not say.
  public let madeAt: Int64?
  public let title: String?
  /// The bytes of uploaded files: under which id, and how many.
  public let files: [StoredFile]
  /// What does not fit together though everything could be read, in sentences.
  public let warnings: [String]

  public struct StoredFile: Sendable, Hashable {
    /// The `location-id` of a row of `$files`.
    public let id: String
    /// In bytes.
    public let size: Int
  }

  /// - Throws: ``StoreError`` when the file is no backup, is damaged, or its data is unsound.
  /// - Complexity: O(bytes); all files of entities lie in memory meanwhile.
  public static func load(
    file path: String, progress: ProgressReport = .unread
  ) throws(StoreError) -> Backup {
    do throws(ZipFault) {
      return try BackupReader(path: path, progress: progress).load()
    } catch {
      throw .broken(path: "\(path): \(error.reason).")
    }
  }
}

private struct BackupReader {
  let path: String
  let progress: ProgressReport

  func load() throws(ZipFault) -> Backup {
    let zip = try ZipReader(path)
    guard let configuration = Self.configuration(of: zip.entries) else {
      throw ZipFault(reason: "it is no backup, for it has no config.json")
    }
    // Who unpacks a backup and packs it again often has all of it in one folder.
    let folder = String(configuration.name.dropLast(Self.configurationName.count))
    let bytes = try zip.bytes(of: configuration)
    let files = try entities(of: zip, in: folder)
    let reading = try dataset([(name: "config.json", bytes: bytes)] + files)
    let store = reading.store
    let description = (try? JSONReader.value(of: bytes)) ?? .null
    return Backup(
      store: store, madeAt: moment(description["backupAt"]),
      title: description["title"]?.textValue,
      files: zip.entries.compactMap { entry in
        let prefix = folder + "files/"
        return entry.name.hasPrefix(prefix) && entry.name != prefix
          ? Backup.StoredFile(id: String(entry.name.dropFirst(prefix.count)), size: entry.size)
          : nil
      },
      warnings: warnings(description, store)
        + ReadReport(reading.report) { "\(path): \($0.message)" }.lines)
  }

  private static let configurationName = "config.json"
  /// As many rows are read of the smallest archive. A larger one may have a row more for each byte: the
  /// id of a row alone takes several, for it cannot be compressed.
  private static let minMaxRows = 1_000_000

  /// The description at the top, or in the one folder that holds the rest as well.
  private static func configuration(of entries: [ZipReader.Entry]) -> ZipReader.Entry? {
    entries.first { $0.name == configurationName }
      ?? entries.first { entry in
        let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1] == configurationName && parts[0] != "__MACOSX"
      }
  }

  private func entities(
    of zip: borrowing ZipReader, in folder: String
  ) throws(ZipFault) -> [(name: String, bytes: [UInt8])] {
    let prefix = folder + "entities/"
    let own = zip.entries.filter { $0.name.hasPrefix(prefix) && $0.name.hasSuffix(".jsonl") }
    let total = own.reduce(0) { $0 + $1.size }
    var files: [(name: String, bytes: [UInt8])] = []
    var done = 0
    for entry in own {
      progress(LoadingProgress(done: done, of: total, .bytes))
      files.append((String(entry.name.dropFirst(folder.count)), try zip.bytes(of: entry)))
      done += entry.size
    }
    return files
  }

  private func dataset(
    _ files: [(name: String, bytes: [UInt8])]
  ) throws(ZipFault) -> DatasetReading {
    do throws(DatasetError) {
      let size = (try? Files.size(of: path)) ?? 0
      return try Dataset.read(files, DatasetOptions(maxRows: Self.minMaxRows + size))
    } catch {
      throw ZipFault(reason: error.message)
    }
  }

  /// Written as a number by some, as a text by others.
  private func moment(_ value: Value?) -> Int64? {
    switch value {
    case .integer(let milliseconds)?: milliseconds
    case .text(let text)?: Instant(text)?.milliseconds
    case nil, .null, .bool, .double, .array, .object: nil
    }
  }

  private func warnings(_ description: Value, _ store: TripleStore) -> [String] {
    guard case .object(let counts)? = description["counts"] else { return [] }
    return counts.members.compactMap { count in
      guard case .integer(let expected) = count.value else { return nil }
      let found = store.count(of: count.key)
      return found == Int(expected)
        ? nil : "The backup speaks of \(expected) \(count.key) and holds \(found)."
    }
  }
}

extension Value {
  /// The value of an object's key; nil for any other value.
  fileprivate subscript(key: String) -> Value? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }
}
