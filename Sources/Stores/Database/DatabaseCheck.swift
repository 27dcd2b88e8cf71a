import GRDB

/// Runs SQLite's own checks of a database.
package enum DatabaseCheck {
  /// Checks a database file.
  ///
  /// - Throws: ``StoreError`` if the file cannot be opened.
  @concurrent
  package static func run(file path: String) async throws(StoreError) -> DamageList {
    guard Files.kind(of: path) == .file else { throw .missing(path: path) }
    do {
      let connection = try DatabaseConnection(path)
      return try await connection.read(.background) { db in
        var damage = StoreCheck.integrity(db)
        damage.add(foreignKeys(db))
        return damage
      }
    } catch {
      throw StoreError(error, of: path)
    }
  }

  private static func foreignKeys(_ db: Database) -> DamageList {
    var damage = DamageList()
    do {
      let rows = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
      while let row = try rows.next() {
        let table: String? = row[0]
        let id: Int64? = row[1]
        let parent: String? = row[2]
        damage.add(
          .init(
            entity: id.map { "row \($0)" }, attribute: table,
            fault:
              "A foreign key refers to a row that does not exist in \(parent ?? "the other table")")
        )
      }
    } catch {
      damage.add(.init(fault: "SQLite: \(StoreSalvage.reason(error))"))
    }
    return damage
  }
}
