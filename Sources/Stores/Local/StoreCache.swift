import GRDB
import LiveQueries
import Triples

/// The columns of the store, kept beside the triples so that opening need not read these one by one.
///
/// The head's `cache` says as of which transaction the segments are and which rows hold them; its
/// token is new with each writing. Segments are first written under new ids, a few at a time, and
/// then made the cache in one step: a reader, or a crash, meets the old cache or the new one.
enum StoreCache {
  /// Which cache a process has read or written, so that it can write just what differs.
  struct Base: Sendable {
    var token: Int64
    var store: TripleStore
    /// The row of each segment.
    var rows: [SegmentKey: Int64]
  }

  /// What the head says of the cache.
  struct Manifest {
    var token: Int64
    var head: [UInt8]
    var rows: [SegmentKey: Int64]
  }

  /// Bytes written in one step, so that others who want to write wait no longer than for that.
  static let bytesAtOnce = 4 << 20

  // MARK: Reading

  static func token(_ db: Database) throws -> Int64 {
    let statement = try db.cachedStatement(sql: "SELECT cache_token FROM head")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Nil when there is none, or none that can be read: it is only a cache.
  static func manifest(_ db: Database) throws -> Manifest? {
    let statement = try db.cachedStatement(sql: "SELECT cache, cache_token FROM head")
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0),
      let json = try? JSONReader.value(of: statement.bytes(0)), case .object(let object) = json,
      let head = object["head"], case .array(let segments)? = object["segments"]
    else { return nil }
    var rows: [SegmentKey: Int64] = [:]
    for segment in segments {
      guard case .array(let parts) = segment, parts.count == 4,
        let kind = parts[0].textValue.flatMap(SegmentKey.Kind.init(rawValue:)),
        case .integer(let column) = parts[1], case .integer(let branch) = parts[2],
        case .integer(let row) = parts[3], 0..<(1 << 20) ~= column, 0..<(1 << 16) ~= branch
      else { return nil }
      rows[SegmentKey(kind: kind, column: Int(column), branch: Int(branch))] = row
    }
    return Manifest(token: statement.integer(1), head: JSONWriter.bytes(head), rows: rows)
  }

  /// The bytes of the segments of one kind of a column, by branch; nil when one cannot be read.
  static func segments(
    _ kind: SegmentKey.Kind, _ column: Int, of manifest: Manifest, _ db: Database
  ) -> [[UInt8]]? {
    var all: [[UInt8]] = []
    let blobs = BlobReader(db, table: "segments", column: "bytes")
    let own = manifest.rows.filter { $0.key.kind == kind && $0.key.column == column }
    for (key, row) in own.sorted(by: { $0.key.branch < $1.key.branch }) {
      while all.count < key.branch { all.append([]) }
      guard let bytes = blobs.bytes(ofRow: row) else { return nil }
      all.append(bytes)
    }
    return all
  }

  // MARK: Writing

  /// Writes some segments under new ids.
  static func stage(
    _ keys: ArraySlice<SegmentKey>, of store: TripleStore, _ db: Database
  ) throws -> (rows: [SegmentKey: Int64], rest: ArraySlice<SegmentKey>) {
    let statement = try db.cachedStatement(sql: "INSERT INTO segments (bytes) VALUES (?)")
    var rows: [SegmentKey: Int64] = [:]
    var rest = keys
    var size = 0
    while size < bytesAtOnce, let key = rest.popFirst() {
      let bytes = store.segment(key)
      size += bytes.count
      try statement.run { $0.bind(1, blob: bytes) }
      rows[key] = db.lastInsertedRowID
    }
    return (rows, rest)
  }

  /// Makes staged segments the cache, if it is still the one that they were made for.
  ///
  /// - Returns: The token of the new cache; nil when another process was faster.
  static func publish(
    _ rows: [SegmentKey: Int64], of store: TripleStore, replacing token: Int64, _ db: Database
  ) throws -> Int64? {
    guard try self.token(db) == token else { return nil }
    let segments = rows.sorted { $0.value < $1.value }.map { key, row in
      [
        .text(key.kind.rawValue), .integer(Int64(key.column)), .integer(Int64(key.branch)),
        .integer(row),
      ] as Value
    }
    let manifest: Value = ["head": store.segmentHead, "segments": .array(segments)]
    let new = Int64.random(in: 1 ... .max)
    let statement = try db.cachedStatement(sql: "UPDATE head SET cache = ?, cache_token = ?")
    try statement.run { statement in
      statement.bind(1, blob: JSONWriter.bytes(manifest))
      statement.bind(2, new)
    }
    try forgetOthers(than: Set(rows.values), db)
    return new
  }

  /// Removes segments that no cache speaks of: replaced ones, and what a killed process staged.
  private static func forgetOthers(than kept: Set<Int64>, _ db: Database) throws {
    let statement = try db.cachedStatement(sql: "SELECT id FROM segments")
    var gone: [Int64] = []
    while try statement.step() {
      if !kept.contains(statement.integer(0)) { gone.append(statement.integer(0)) }
    }
    let delete = try db.cachedStatement(sql: "DELETE FROM segments WHERE id = ?")
    for row in gone { try delete.run { $0.bind(1, row) } }
  }
}
