import DataSources
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
  /// What the backup holds beside its entities: its description, uploaded files under
  /// `files/LOCATION-ID`, and entries that are not known here under their own names.
  public let attachments: StoreAttachments
  /// What does not fit together though everything could be read, in sentences.
  public let warnings: [String]

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

  /// What a backup holds beside its entities, which are not read.
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
      throw ZipFault(reason: "it is no backup, because it has no config.json")
    }
    return configuration
  }

  func load() throws(ZipFault) -> Backup {
    let zip = try ZipReader(path)
    let configuration = try Self.configuration(of: zip)
    // A backup that was unpacked and packed again often has all of it in one folder.
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

  /// Everything but the entities; bytes are read when they are asked for.
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
      throw failure(ZipFault(reason: "it changed since '\(entry.name)' was found in it"))
    }
    try zip.read(entry, failing: failure, receive)
  }

  private static let entities = "entities/"
  private static let lines = ".jsonl"

  private static func isNamespace(_ name: String) -> Bool {
    name.hasPrefix(entities) && name.hasSuffix(lines)
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

  /// - Parameter namespaces: What the schema says; a name that is in it is not encoded.
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
        ? nil : "The backup counts \(expected) \(count.key) and holds \(found)."
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
