public import DataSources
public import LiveQueries
public import Triples

/// Data that came in one piece, through a pipe or as a single file: a store in memory that cannot be
/// written and does not change.
///
/// ```swift
/// let store = try PlainStore.read(Array(#"[{"name": "Ann"}]"#.utf8))   // a namespace `rows`
/// ```
public struct PlainStore: ReadOnlyStore {
  private let content: StoreSnapshot
  /// Never rung: what is there does not change.
  public let changed = ChangeSignal()

  private init(_ store: TripleStore) { content = StoreSnapshot(store) }

  /// A single file of any kind that can be taken over.
  /// - Throws: ``StoreError`` when it cannot be read.
  public static func open(
    file: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> PlainStore {
    PlainStore(try await FileSource.load(file, progress: progress))
  }

  /// Data without a name: what it is shows from its beginning.
  ///
  /// A list of objects, objects a line, or values between commas or tabs with names in the first line
  /// is one namespace, `rows`.
  /// An object of lists has a namespace for each; an answer as `sonde query` prints it is read as
  /// well, and so is a triple dump.
  ///
  /// - Throws: ``StoreError/broken(path:)`` with line and reason when it is none of these.
  public static func read(_ bytes: [UInt8]) throws(StoreError) -> PlainStore {
    do throws(DatasetError) {
      return PlainStore(try load(bytes))
    } catch {
      throw .broken(path: "What came through the pipe cannot be read: \(error.message)")
    }
  }

  public func snapshot() -> StoreSnapshot { content }

  var refusal: String {
    "What came in one piece is read-only: import it into a .sonde file to change it."
  }
}

// Telling what it is.
extension PlainStore {
  private static let namespace = "rows"

  private static func load(_ bytes: [UInt8]) throws(DatasetError) -> TripleStore {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let first = (bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]).first { $0 > 0x20 }
    switch first {
    case UInt8(ascii: "["): return try Dataset.load([(namespace + ".json", bytes)])
    case UInt8(ascii: "{"): return try load(objects: bytes)
    default:
      let isTabbed = bytes.prefix { $0 != 0x0A && $0 != 0x0D }.contains(UInt8(ascii: "\t"))
      return try Dataset.load([(namespace + (isTabbed ? ".tsv" : ".csv"), bytes)])
    }
  }

  /// One object that says what it holds, or objects that are rows.
  private static func load(objects bytes: [UInt8]) throws(DatasetError) -> TripleStore {
    guard case .object(let object)? = whole(bytes) else {
      return try Dataset.load([(namespace + ".jsonl", bytes)])
    }
    if object["attrs"] != nil, object["triples"] != nil { return try TripleDump.load(bytes) }
    var spaces = object
    if case .object(let data)? = object["data"] { spaces = data }
    let lists = spaces.members.filter { member in
      guard case .array(let elements) = member.value else { return false }
      return elements.allSatisfy { if case .object = $0 { true } else { false } }
    }
    guard !lists.isEmpty else { return try Dataset.load([(namespace + ".jsonl", bytes)]) }
    return try Dataset.load(
      lists.map { ($0.key + ".json", Array(JSONWriter.text($0.value).utf8)) })
  }

  /// The bytes as one value; nil when they are more than one, or none.
  private static func whole(_ bytes: [UInt8]) -> Value? {
    do throws(JSONError) {
      return try JSONReader.value(of: bytes)
    } catch {
      return nil
    }
  }
}
