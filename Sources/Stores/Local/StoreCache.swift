import GRDB
import LiveQueries
import Triples

/// A copy of a store's columns in its file, so that opening does not read every triple.
///
/// The copy consists of segments. The head's `cache` lists them with the number of their last
/// transaction. New segments are written in batches, and then published in one step with a new
/// token. Readers therefore see either the old or the new cache, even after a crash.
enum StoreCache {
  /// The cache that this process last read or wrote. The next write contains only the differences
  /// from it.
  struct Base: Sendable {
    var token: Int64
    var store: TripleStore
    /// The location of each segment.
    var rows: [SegmentKey: Place]
  }

  /// The rowid of a segment and its checksum; the checksum is nil in a file without checksums.
  struct Place: Sendable {
    var row: Int64
    var checksum: UInt64?
  }

  /// The bytes of a segment.
  struct Segment: Sendable {
    var bytes: [UInt8] = []
    var checksum: UInt64?

    var isSound: Bool { checksum == nil || checksum == Checksum.of(bytes) }
  }

  /// The list of the cache's segments, as the head contains it.
  struct Manifest {
    var token: Int64
    var head: [UInt8]
    var rows: [SegmentKey: Place]
  }

  /// The number of bytes written in one step, which bounds how long other writers wait.
  static let bytesAtOnce = 4 << 20

  // MARK: Reading

  static func token(_ db: Database) throws -> Int64 {
    let statement = try db.cachedStatement(sql: "SELECT cache_token FROM head")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Reads the list of the cache's segments; nil if there is no readable cache.
  static func manifest(_ db: Database) throws -> Manifest? {
    let hasChecksums = try StoreTables.hasChecksums(db)
    let statement = try db.cachedStatement(
      sql: "SELECT cache, cache_token, \(hasChecksums ? "cache_checksum" : "NULL") FROM head")
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0),
      !hasChecksums
        || Int64(bitPattern: Checksum.of(statement, columns: 2)) == statement.integer(2),
      let json = try? JSONReader.value(of: statement.bytes(0)), case .object(let object) = json,
      let head = object["head"], case .array(let segments)? = object["segments"]
    else { return nil }
    var rows: [SegmentKey: Place] = [:]
    for segment in segments {
      guard case .array(let parts) = segment, parts.count == (hasChecksums ? 5 : 4),
        let kind = parts[0].textValue.flatMap(SegmentKey.Kind.init(rawValue:)),
        case .integer(let column) = parts[1], case .integer(let branch) = parts[2],
        case .integer(let row) = parts[3], 0..<(1 << 20) ~= column, 0..<(1 << 16) ~= branch
      else { return nil }
      var place = Place(row: row)
      if hasChecksums {
        guard case .integer(let checksum) = parts[4] else { return nil }
        place.checksum = UInt64(bitPattern: checksum)
      }
      rows[SegmentKey(kind: kind, column: Int(column), branch: Int(branch))] = place
    }
    return Manifest(token: statement.integer(1), head: JSONWriter.bytes(head), rows: rows)
  }

  /// Reads the segments of one column in order; nil if any segment cannot be read.
  static func segments(
    _ kind: SegmentKey.Kind, _ column: Int, of manifest: Manifest, _ db: Database
  ) -> [Segment]? {
    var all: [Segment] = []
    let blobs = BlobReader(db, table: "segments", column: "bytes")
    let own = manifest.rows.filter { $0.key.kind == kind && $0.key.column == column }
    for (key, place) in own.sorted(by: { $0.key.branch < $1.key.branch }) {
      while all.count < key.branch { all.append(Segment()) }
      guard let bytes = blobs.bytes(ofRow: place.row) else { return nil }
      all.append(Segment(bytes: bytes, checksum: place.checksum))
    }
    return all
  }

  // MARK: Writing

  /// Writes segments under new ids, until the size limit of one step is reached.
  ///
  /// - Returns: The written segments, and the keys of the segments that remain to be written.
  static func stage(
    _ keys: ArraySlice<SegmentKey>, of store: TripleStore, _ db: Database
  ) throws -> (rows: [SegmentKey: Place], rest: ArraySlice<SegmentKey>) {
    let statement = try db.cachedStatement(sql: "INSERT INTO segments (bytes) VALUES (?)")
    var rows: [SegmentKey: Place] = [:]
    var rest = keys
    var size = 0
    while size < bytesAtOnce, let key = rest.popFirst() {
      let bytes = store.segment(key)
      size += bytes.count
      try statement.run { $0.bind(1, blob: bytes) }
      rows[key] = Place(row: db.lastInsertedRowID, checksum: Checksum.of(bytes))
    }
    return (rows, rest)
  }

  /// Publishes staged segments, unless the cache has changed in the meantime.
  ///
  /// - Returns: The token of the new cache; nil if another process published a new cache first.
  static func publish(
    _ rows: [SegmentKey: Place], of store: TripleStore, replacing token: Int64, _ db: Database
  ) throws -> Int64? {
    guard try self.token(db) == token else { return nil }
    let segments = rows.sorted { $0.value.row < $1.value.row }.map { key, place in
      [
        .text(key.kind.rawValue), .integer(Int64(key.column)), .integer(Int64(key.branch)),
        .integer(place.row), .integer(Int64(bitPattern: place.checksum ?? 0)),
      ] as Value
    }
    let manifest: Value = ["head": store.segmentHead, "segments": .array(segments)]
    let new = Int64.random(in: 1 ... .max)
    let bytes = JSONWriter.bytes(manifest)
    var checksum = Checksum()
    checksum.mix(blob: bytes)
    checksum.mix(integer: new)
    let statement = try db.cachedStatement(
      sql: "UPDATE head SET cache = ?, cache_token = ?, cache_checksum = ?")
    try statement.run { statement in
      statement.bind(1, blob: bytes)
      statement.bind(2, new)
      statement.bind(3, Int64(bitPattern: checksum.value))
    }
    try forgetOthers(than: Set(rows.values.map(\.row)), db)
    return new
  }

  /// Removes segments that do not belong to the current cache: replaced segments, and segments of
  /// killed processes.
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
