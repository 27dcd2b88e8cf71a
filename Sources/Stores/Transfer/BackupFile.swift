import DataSources
public import LiveQueries
public import Triples

/// The contents of an Instant backup: a zip file of `config.json`, entities and uploaded files.
///
/// Reading is lenient: unknown labels become untyped attributes, and broken links are kept. Ids of
/// attributes are derived from their names.
public struct Backup: Sendable {
  /// A store that contains all triples of the backup.
  public let store: TripleStore
  /// The time of the backup in milliseconds since 1970; nil if unknown.
  public let madeAt: Int64?
  /// The name of the app; nil when the backup has none.
  public let title: String?
  /// The files of the backup that contain no entities.
  ///
  /// These are `config.json`, uploaded files under `files/LOCATION-ID`, and any unknown files.
  public let attachments: StoreAttachments
  /// Inconsistencies that did not prevent reading, each as a sentence.
  public let warnings: [String]

  /// Reads a backup.
  ///
  /// - Throws: ``StoreError`` if the file is not a backup, is damaged, or has invalid data.
  /// - Complexity: O(bytes); all entity files are held in memory.
  public static func load(
    file path: String, progress: ProgressReport = .unread
  ) throws(StoreError) -> Backup {
    do throws(ZipFault) {
      return try BackupReader(path: path, progress: progress).load()
    } catch {
      throw .broken(path: "\(path): \(error.reason).")
    }
  }

  /// Reads only the attachments of a backup.
  static func attachments(file path: String) throws(StoreError) -> StoreAttachments {
    do throws(ZipFault) {
      return try BackupReader(path: path, progress: .unread).attachments()
    } catch {
      throw .broken(path: "\(path): \(error.reason).")
    }
  }
}

private struct BackupReader {
  let path: String
  let progress: ProgressReport

  func attachments() throws(ZipFault) -> StoreAttachments {
    let zip = try ZipReader(path)
    let configuration = try Self.configuration(of: zip)
    return attachments(
      of: zip.entries,
      in: String(configuration.name.dropLast(Self.configurationName.count)),
      configuration: try zip.bytes(of: configuration))
  }

  private static func configuration(
    of zip: borrowing ZipReader
  ) throws(ZipFault) -> ZipReader.Entry {
    guard let configuration = configuration(of: zip.entries) else {
      throw ZipFault(reason: "it is not a backup, because it has no config.json")
    }
    return configuration
  }

  func load() throws(ZipFault) -> Backup {
    let zip = try ZipReader(path)
    let configuration = try Self.configuration(of: zip)
    // If the backup was unpacked and packed again, all entries are often in one folder.
    let folder = String(configuration.name.dropLast(Self.configurationName.count))
    let bytes = try zip.bytes(of: configuration)
    let description = (try? JSONReader.value(of: bytes)) ?? .null
    let files = try entities(of: zip, in: folder, namespaces: description["schema"]?["entities"])
    let reading = try dataset([(name: "config.json", bytes: bytes)] + files)
    let store = reading.store
    return Backup(
      store: store, madeAt: moment(description["backupAt"]),
      title: description["title"]?.textValue,
      attachments: attachments(of: zip.entries, in: folder, configuration: bytes),
      warnings: warnings(description, store)
        + ReadReport(reading.report) { "\(path): \($0.message)" }.lines)
  }

  /// Returns the entries that are not entities; their bytes are read on demand.
  private func attachments(
    of entries: [ZipReader.Entry], in folder: String, configuration: [UInt8]
  ) -> StoreAttachments {
    var attachments = StoreAttachments()
    for entry in entries {
      let name = entry.name.hasPrefix(folder) ? String(entry.name.dropFirst(folder.count)) : nil
      guard let name, !name.isEmpty, !name.hasSuffix("/"), !name.hasPrefix("__MACOSX/"),
        name != BackupConfiguration.name, !Self.isNamespace(name)
      else { continue }
      attachments.insert(
        StoreAttachment(name: name, size: entry.size) { [path] receive throws(DataSourceError) in
          try Self.read(entry, of: path, receive)
        })
    }
    attachments.insert(StoreAttachment(name: BackupConfiguration.name, bytes: configuration))
    return attachments
  }

  private static func read(
    _ entry: ZipReader.Entry, of path: String, _ receive: StoreAttachment.Receiver
  ) throws(DataSourceError) {
    func failure(_ fault: ZipFault) -> DataSourceError { .failed("\(path): \(fault.reason).") }
    let zip: ZipReader
    do throws(ZipFault) { zip = try ZipReader(path) } catch { throw failure(error) }
    guard zip.entries.contains(entry) else {
      throw failure(
        ZipFault(
          reason: "the file changed after it was opened; open it again to read '\(entry.name)'"))
    }
    try zip.read(entry, failing: failure, receive)
  }

  private static let entities = "entities/"
  private static let lines = ".jsonl"

  private static func isNamespace(_ name: String) -> Bool {
    name.hasPrefix(entities) && name.hasSuffix(lines)
  }

  private static let configurationName = "config.json"
  /// The minimum row limit of a backup, used for very small files.
  ///
  /// Each byte of a file raises the limit by one row, since the id of a row takes several bytes
  /// even when compressed.
  private static let minMaxRows = 1_000_000

  /// Finds `config.json` at the top level, or in the only folder of the archive.
  private static func configuration(of entries: [ZipReader.Entry]) -> ZipReader.Entry? {
    entries.first { $0.name == configurationName }
      ?? entries.first { entry in
        let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1] == configurationName && parts[0] != "__MACOSX"
      }
  }

  /// Reads the entities.
  ///
  /// - Parameter namespaces: The namespaces of the schema, whose names are not encoded.
  private func entities(
    of zip: borrowing ZipReader, in folder: String, namespaces: Value?
  ) throws(ZipFault) -> [(name: String, bytes: [UInt8])] {
    let own = zip.entries.filter {
      $0.name.hasPrefix(folder) && Self.isNamespace(String($0.name.dropFirst(folder.count)))
    }
    let total = own.reduce(0) { $0 + $1.size }
    var files: [(name: String, bytes: [UInt8])] = []
    var done = 0
    for entry in own {
      progress(LoadingProgress(done: done, of: total, .bytes))
      let name = entry.name.dropFirst(folder.count + Self.entities.count)
        .dropLast(Self.lines.count)
      let plain = PortableName.decoded(String(name))
      let namespace =
        namespaces?[String(name)] == nil ? plain ?? String(name) : String(name)
      files.append((Self.entities + namespace + Self.lines, try zip.bytes(of: entry)))
      done += entry.size
    }
    return files
  }

  private func dataset(
    _ files: [(name: String, bytes: [UInt8])]
  ) throws(ZipFault) -> DatasetReading {
    do throws(DatasetError) {
      let size = Files.size(of: path) ?? 0
      return try Dataset.read(files, DatasetOptions(maxRows: Self.minMaxRows + size))
    } catch {
      throw ZipFault(reason: error.message)
    }
  }

  /// Reads a time in milliseconds that is written as a number or a text.
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
        ? nil : "The backup should contain \(expected) \(count.key), but contains \(found)."
    }
  }
}

extension Value {
  /// The member of an object; nil for other values.
  fileprivate subscript(key: String) -> Value? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }
}
