import DataSources
import GRDB
import LiveQueries
import Triples

/// The reason why a change of a database was rejected and rolled back.
enum DatabaseWriteError: Error, CustomStringConvertible {
  /// Another program changed a value since the caller read it.
  case changedMeanwhile(Attribute, now: Value)
  /// A row that the caller knew no longer exists, or has another key.
  case rowIsGone(namespace: String)
  /// No row has the id. It is unknown whether one ever had it.
  case noRowWithID(EntityID, namespace: String)
  case noTable(String)
  /// The schema has no such table or column. An example is a table that the role may no longer read.
  case noColumn
  /// No row has the value by which a row should be changed.
  case noRow(Attribute, Value)
  /// A row that the change would create or restore already exists.
  case rowIsThere(namespace: String)
  /// The row to restore had values, such as BLOBs, that are no longer kept for undo.
  case forgotten(namespace: String)
  /// Another program changed the schema.
  case otherTables
  /// The transaction changes the schema.
  case fixedAttributes
  /// The transaction sets a column that the table does not have.
  case missingColumn(namespace: String, label: String)
  /// A table that the database does not have, and a suggestion of a similar one.
  case missingTable(String, hint: String?)
  case wrongType(Attribute, expected: CheckedType?)
  /// The number does not fit into the range of an INTEGER column.
  case tooLarge(Attribute, Double)
  /// The cell contains a BLOB, which must not be replaced with a text or a number.
  case holdsBytes(Attribute)
  /// The cell contains a list or composite value of the database, which Sonde cannot edit.
  case holdsList(Attribute)
  /// The cell contains invalid UTF-8, which Sonde cannot edit because parts would be lost.
  case holdsOtherText(Attribute)
  case isGenerated(Attribute)
  /// The table is WITHOUT ROWID, so Sonde cannot change its rows.
  case noNumbers(namespace: String)
  /// The namespace is a view, or a table whose rows cannot be changed.
  ///
  /// The reason is part of a sentence, such as `is a view`.
  case readOnly(namespace: String, reason: String)
  /// The database changed no row and reported no error, for example because of row security.
  case leftUnchanged(namespace: String)
  /// Another program changed the same rows at the same time.
  case atTheSameTime
  /// The connection broke during the commit, so that the outcome is unknown.
  case unknownOutcome
  case noTarget(Attribute)
  /// The change would break foreign keys. The value lists the tables with referencing rows, and
  /// their numbers of rows.
  case stillReferenced([(table: String, rows: Int)])
  /// The undo would delete rows of other transactions, or their links.
  ///
  /// The value lists the tables of these rows, and their numbers of rows. It is empty if SQLite
  /// does not report the rows.
  case wouldChangeOthers([(table: String, rows: Int)])
  /// The change violates a constraint, or a trigger rejected it.
  case rule(DatabaseError)
  /// The PostgreSQL server rejected the change, for example because of a constraint or a trigger.
  case postgres(PostgresError)

  /// The error type in the protocol of the server.
  var type: String {
    switch self {
    case .rule(let error) where Self.isUnique(error): "record-not-unique"
    case .postgres(let error) where error.state == "23505": "record-not-unique"
    case .rowIsGone, .noRowWithID, .noTable, .noColumn, .noRow, .forgotten, .noTarget:
      "record-not-found"
    case .changedMeanwhile, .rowIsThere, .otherTables, .fixedAttributes, .missingColumn,
      .missingTable, .wrongType,
      .tooLarge, .holdsBytes, .holdsOtherText, .isGenerated, .noNumbers, .stillReferenced,
      .wouldChangeOthers, .rule,
      .holdsList, .readOnly, .leftUnchanged, .atTheSameTime, .unknownOutcome, .postgres:
      "validation-failed"
    }
  }

  /// A sentence that says what failed, where, and what to do next.
  var description: String { message }

  var message: String {
    switch self {
    case .changedMeanwhile(let attribute, let now):
      "Another program changed \(Self.name(attribute)) to \(Self.text(now)). Nothing was written. "
        + "Review that value and try again."
    case .rowIsGone(let namespace):
      "The row is no longer in \(namespace): it was deleted, or its key was changed. Nothing was "
        + "written."
    case .noRowWithID(let id, let namespace):
      "\(namespace) has no row with the id \(id.text). Nothing was written."
    case .noTable(let name): "The database has no table '\(name)'. Nothing was written."
    case .noColumn:
      "The database no longer has this table or column, or its permissions no longer allow reading "
        + "it. Nothing was written."
    case .noRow(let attribute, let value):
      "No row has \(Self.name(attribute)) = \(Self.text(value)). Nothing was written."
    case .rowIsThere(let namespace):
      "The table \(namespace) already has a row with this key. Nothing was written. Change "
        + "that row, or use another key."
    case .forgotten(let namespace):
      "The deleted rows of \(namespace) cannot be restored, because Sonde no longer has their values. "
        + "Nothing was written."
    case .otherTables:
      "Another program changed the schema of the database. Nothing was written. Try again."
    case .fixedAttributes:
      "Sonde cannot change the schema of a database. Use the database's own tools."
    case .missingColumn(let namespace, let label):
      "The table \(namespace) has no column '\(label)'. Use one of its columns, or add the column with "
        + "the database's own tools."
    case .missingTable(let name, let hint):
      "The database has no table '\(name)'. "
        + (hint ?? "Use one of its tables, or add the table with the database's own tools.")
    case .wrongType(let attribute, let expected):
      "\(Self.name(attribute)) must be "
        + (expected?.words ?? "text, a number, true or false, not a list or object") + "."
    case .tooLarge(let attribute, let number):
      "\(Self.name(attribute)) must be a whole number from \(Int64.min) to \(Int64.max), not "
        + "\(JSONWriter.text(.double(number))). Nothing was written. Use a smaller number, or "
        + "a text column."
    case .holdsBytes(let attribute): Self.uneditable(attribute, "contains binary data")
    case .holdsList(let attribute): Self.uneditable(attribute, "is an array or composite value")
    case .holdsOtherText(let attribute):
      Self.uneditable(attribute, "contains text that is not valid UTF-8")
    case .isGenerated(let attribute):
      "\(Self.name(attribute)) is a generated column and cannot be edited."
    case .noNumbers(let namespace):
      "\(namespace) is a table WITHOUT ROWID, so Sonde cannot change its rows. Use the database's "
        + "own tools."
    case .readOnly(let namespace, let reason):
      "\(namespace) \(reason), so Sonde cannot change its rows. Nothing was written."
    case .leftUnchanged(let namespace):
      "The database ignored the change of a row of \(namespace), because of row security or a "
        + "trigger. Nothing was written."
    case .atTheSameTime:
      "Another program changed the same rows at the same time. Nothing was written. Try again."
    case .unknownOutcome:
      "The connection was lost during the commit, so the change may or may not have been written. Check the "
        + "rows before you try again."
    case .noTarget(let attribute):
      "The row that \(Self.name(attribute)) should link to does not exist. Nothing was written. Add "
        + "that row first, or link another one."
    case .wouldChangeOthers(let tables):
      "Undoing this would also delete or unlink "
        + (tables.isEmpty ? "rows of a table WITHOUT ROWID" : Self.rows(tables))
        + " that other changes created or linked. Nothing was written. Delete the row instead; a "
        + "preview shows what else is affected."
    case .stillReferenced(let tables):
      Self.rows(tables)
        + " would have a broken reference. Nothing was written. Delete or re-link them first."
    case .rule(let error): Self.sentence(error)
    case .postgres(let error): error.rejection
    }
  }

  private static func uneditable(_ attribute: Attribute, _ obstacle: String) -> String {
    "\(name(attribute)) \(obstacle), which Sonde cannot edit."
  }

  private static func isUnique(_ error: DatabaseError) -> Bool {
    [.SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID]
      .contains(error.extendedResultCode)
  }

  /// Describes an error of SQLite in a sentence.
  ///
  /// - Source: SQLite's messages, which name the columns after the colon.
  private static func sentence(_ error: DatabaseError) -> String {
    let words = error.message ?? "the reason is unknown"
    let subject = words.firstRange(of: "failed: ").map { String(words[$0.upperBound...]) } ?? ""
    if isUnique(error) {
      return "Another row has the same \(subject). Nothing was written. Choose another value."
    }
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_NOTNULL:
      return "\(subject) must have a value. Nothing was written."
    case .SQLITE_CONSTRAINT_CHECK:
      return "The change violates a constraint of the database (\(subject)). Nothing was written. "
        + "Choose another value."
    case .SQLITE_CONSTRAINT_FOREIGNKEY:
      return "A foreign key would reference a row that does not exist. Nothing was written. "
        + "If you set a link, choose an existing row. If you deleted a row, first delete or re-link the "
        + "rows that reference it."
    default: return "The database rejected the change (\(words)). Nothing was written."
    }
  }

  /// Describes the number of rows per table: `3 rows of orders, 1 row of parts`.
  private static func rows(_ tables: [(table: String, rows: Int)]) -> String {
    tables.map { "\($0.rows) \($0.rows == 1 ? "row" : "rows") of \($0.table)" }
      .joined(separator: ", ")
  }

  private static func name(_ attribute: Attribute) -> String {
    "\(attribute.namespace).\(attribute.label)"
  }

  private static func text(_ value: Value) -> String {
    if case .null = value { return "nothing" }
    let text = JSONWriter.text(value)
    return text.count > 60 ? String(text.prefix(60)) + "…" : text
  }
}

extension DatabaseError {
  /// Whether a foreign key is violated. SQLite reports RESTRICT with the error code of a trigger.
  var isOfForeignKey: Bool {
    resultCode == .SQLITE_CONSTRAINT && message?.contains("FOREIGN KEY constraint failed") == true
  }

  /// Whether the database rejected the change, and not because of damage or a lock.
  var isRule: Bool {
    [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_ERROR, .SQLITE_TOOBIG].contains(resultCode)
  }
}

extension DataSourceError {
  init(_ refusal: DatabaseWriteError) {
    self.init(.refused(type: refusal.type), refusal.message, operation: .put)
  }
}
