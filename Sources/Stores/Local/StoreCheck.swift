import GRDB
package import LiveQueries
import Triples

/// The result of a complete check of a store file.
package struct StoreCheck: Sendable {
  package private(set) var transactionID = 0
  package private(set) var tripleCount = 0
  package private(set) var documentCount = 0
  /// Whether the file has checksums; without them, damage may go unnoticed.
  package private(set) var hasChecksums = true
  package private(set) var damage = DamageList()
  /// Whether all data can be read, from the triples or the cache.
  package private(set) var isComplete = true

  /// Reads the whole file without changing it.
  ///
  /// - Throws: ``StoreError`` if the file is missing, not a store, or not readable.
  @concurrent
  package static func run(
    file path: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> StoreCheck {
    let file: StoreFile
    do throws(StoreError) {
      file = try StoreFile(path, access: .readOnly, ifMissing: .fail)
    } catch {
      guard case .damaged(_, let place) = error else { throw error }
      var check = StoreCheck()
      check.damage.add(.init(fault: place))
      check.isComplete = false
      return check
    }
    defer { file.close() }
    do {
      var check = StoreCheck()
      for warning in file.warnings {
        check.damage.add(.init(fault: warning))
        check.isComplete = false
      }
      let (found, triples) = try await file.database.writeWithoutTransaction { [check] db in
        var check = check
        let triples = try check.read(db, progress)
        return (check, triples)
      }
      check = found
      try await check.compare(triples, file)
      return check
    } catch {
      throw StoreError(error, ofStore: path)
    }
  }

  /// Checks the database, its rows and their consistency.
  ///
  /// - Returns: The store from the triples; nil if they are damaged.
  private mutating func read(_ db: Database, _ progress: ProgressReport) throws -> TripleStore? {
    damage.add(Self.integrity(db))
    hasChecksums = try StoreTables.hasChecksums(db)
    if let head = try? StoreTables.head(db) {
      (transactionID, tripleCount) = (head.transactionID, head.triples.count)
    }
    let (store, lost) = try StoreSalvage.triples(db, progress: progress)
    damage.add(lost)
    do {
      documentCount = try StoreDocuments.names(db).count
      let lost = try StoreDocuments.damage(db)
      if lost.count > 0 { isComplete = false }
      damage.add(lost)
    } catch {
      damage.add(.init(fault: "The stored files cannot be read: \(StoreSalvage.reason(error))"))
    }
    let rows = (try? StoreLog.damagedRows(db)) ?? 1
    if rows > 0 {
      let entries = "of the transaction log"
      damage.add(
        .init(
          fault: rows == 1
            ? "1 entry \(entries) is damaged" : "\(rows) entries \(entries) are damaged"))
    }
    return lost.count == 0 ? store : nil
  }

  /// Runs SQLite's own integrity check.
  static func integrity(_ db: Database) -> DamageList {
    var damage = DamageList()
    do {
      let limit = DamageList.maxFindings
      for line in try String.fetchAll(db, sql: "PRAGMA integrity_check(\(limit))")
      where line != "ok" {
        damage.add(.init(fault: "SQLite: \(line)"))
      }
    } catch {
      damage.add(.init(fault: "SQLite: \(StoreSalvage.reason(error))"))
    }
    return damage
  }

  /// Compares the cache with the triples.
  private mutating func compare(_ triples: TripleStore?, _ file: StoreFile) async throws {
    let hasCache = try await file.database.writeWithoutTransaction { db in
      (try? StoreCache.token(db)).map { $0 != 0 } ?? true
    }
    let cached = try? await StoreLoading.cached(file)
    if triples == nil, cached == nil { isComplete = false }
    guard hasCache else { return }
    guard let cached = cached?.contents.store else {
      return damage.add(
        .init(fault: "The cache, or the transaction log since the cache was written, is damaged"))
    }
    if let triples, cached.transactionID == triples.transactionID {
      damage.add(Self.differences(triples, cached))
    }
  }

  /// Lists the differences of two stores that should be equal.
  static func differences(_ triples: TripleStore, _ cached: TripleStore) -> DamageList {
    var damage = DamageList()
    for attribute in triples.attributeStates.map(\.attribute) {
      let name = "\(attribute.namespace).\(attribute.label)"
      for entity in triples.rows(attribute.id, .stored).handles {
        let id = triples.id(of: entity)
        guard let other = cached.handle(of: id),
          cached.values(other, attribute.id) == triples.values(entity, attribute.id),
          cached.createdTimes(other, attribute.id) == triples.createdTimes(entity, attribute.id)
        else {
          damage.add(
            .init(
              entity: id.text, attribute: name, fault: "The cached value differs from the triple"
            ))
          continue
        }
      }
      let (count, expected) = (
        cached.rows(attribute.id, .stored).count, triples.rows(attribute.id, .stored).count
      )
      if count > expected {
        let extra = count - expected == 1 ? "1 value" : "\(count - expected) values"
        damage.add(.init(attribute: name, fault: "The cache has \(extra) more than the triples"))
      }
    }
    return damage
  }
}
