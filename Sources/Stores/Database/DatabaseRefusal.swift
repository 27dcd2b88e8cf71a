import DataSources
import GRDB
import LiveQueries
import Triples

/// Why a change of a database was not made. The database is then as it was before.
enum DatabaseRefusal: Error {
  /// Another program changed a value that the caller has not seen.
  case changedMeanwhile(Attribute, now: Value)
  case rowIsGone(namespace: String)
  /// A row that was to be made, or to come back, is there.
  case rowIsThere(namespace: String)
  /// A row that would come back held what no value says, and too much was deleted since to keep that.
  case forgotten(namespace: String)
  /// The tables are others than those that the change speaks of.
  case otherTables
  /// The transaction changes the schema.
  case fixedAttributes
  case wrongType(Attribute, expected: CheckedType?)
  /// A number that a column of whole numbers could only keep as something else.
  case tooLarge(Attribute, Double)
  /// A blob, which no text or number may take the place of.
  case holdsBytes(Attribute)
  /// A text that is no UTF-8: writing what can be shown of it would lose the rest.
  case holdsOtherText(Attribute)
  case isWorkedOut(Attribute)
  /// A table whose rows have no numbers.
  case noNumbers(namespace: String)
  case noTarget(Attribute)
  /// Foreign keys would lead nowhere, of so many rows in each of these tables.
  case ledTo([(table: String, rows: Int)])
  /// Rows of other transactions would be deleted by an undo, or lose a link: the number per table,
  /// none where SQLite does not report it.
  case goesAlong([(table: String, rows: Int)])
  /// What a rule of the database says.
  case rule(DatabaseError)

  /// The word that servers use for this kind of refusal.
  var type: String {
    switch self {
    case .rule(let error) where Self.isUnique(error): "record-not-unique"
    case .rowIsGone, .forgotten, .noTarget: "record-not-found"
    case .changedMeanwhile, .rowIsThere, .otherTables, .fixedAttributes, .wrongType, .tooLarge,
      .holdsBytes, .holdsOtherText, .isWorkedOut, .noNumbers, .ledTo, .goesAlong, .rule:
      "validation-failed"
    }
  }

  /// One sentence: where, what, and what to do next.
  var message: String {
    switch self {
    case .changedMeanwhile(let attribute, let now):
      "Another program changed \(Self.name(attribute)) to \(Self.text(now)) meanwhile: nothing was "
        + "written. Look at it, then do it again."
    case .rowIsGone(let namespace):
      "The row is no longer in \(namespace): it was deleted meanwhile. Look again, or add it once more."
    case .rowIsThere(let namespace):
      "\(namespace) has such a row already: nothing was written. Change "
        + "that one, or make one under another key."
    case .forgotten(let namespace):
      "All that rows of \(namespace) held is no longer kept, as too much was deleted since: nothing was "
        + "written. They cannot be brought back from here."
    case .otherTables:
      "Another program changed the tables meanwhile: nothing was written. Look again, then repeat it."
    case .fixedAttributes:
      "The tables of a database are not changed from here: use its own tools for that."
    case .wrongType(let attribute, let expected?):
      "\(Self.name(attribute)) takes \(expected.words)."
    case .wrongType(let attribute, nil):
      "\(Self.name(attribute)) takes a text, a number, true or false, and no list or object."
    case .tooLarge(let attribute, let number):
      "\(Self.name(attribute)) takes whole numbers from \(Int64.min) to \(Int64.max), and "
        + "\(JSONWriter.text(.double(number))) is beyond: nothing was written. Give a smaller number, or "
        + "keep it in a column of texts."
    case .holdsBytes(let attribute):
      "\(Self.name(attribute)) holds bytes, which cannot be typed: it is changed by other programs."
    case .holdsOtherText(let attribute):
      "\(Self.name(attribute)) holds text that is no UTF-8: it is changed by the programs that wrote it."
    case .isWorkedOut(let attribute):
      "\(Self.name(attribute)) is worked out by the database: change what it is made of."
    case .noNumbers(let namespace):
      "\(namespace) is a table WITHOUT ROWID, whose rows are not changed from here: use the database's "
        + "own tools for that."
    case .noTarget(let attribute):
      "What \(Self.name(attribute)) shall lead to is not in the database (any more): nothing was "
        + "written. Add it first, or link to another."
    case .goesAlong(let tables):
      (tables.isEmpty
        ? "Rows of a table WITHOUT ROWID"
        : tables.map { "\($0.rows) of \($0.table)" }.joined(separator: ", "))
        + " would be deleted or changed with it without a question: nothing was written. Delete it "
        + "instead, which asks."
    case .ledTo(let tables):
      tables.map { "\($0.rows) of \($0.table)" }.joined(separator: ", ")
        + " would lead nowhere: nothing was written. Delete those first, or let them lead elsewhere."
    case .rule(let error): Self.sentence(error)
    }
  }

  private static func isUnique(_ error: DatabaseError) -> Bool {
    [.SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID]
      .contains(error.extendedResultCode)
  }

  /// - Source: SQLite's messages name the columns after the colon.
  private static func sentence(_ error: DatabaseError) -> String {
    let words = error.message ?? "the reason is unknown"
    let subject = words.firstRange(of: "failed: ").map { String(words[$0.upperBound...]) } ?? ""
    if isUnique(error) {
      return "Another row has the same \(subject): nothing was written. Choose another value."
    }
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_NOTNULL:
      return "\(subject) must have a value: nothing was written. Give it one."
    case .SQLITE_CONSTRAINT_CHECK:
      return "A rule of the database is broken (\(subject)): nothing was written. "
        + "Give what it allows."
    case .SQLITE_CONSTRAINT_FOREIGNKEY:
      return "A foreign key would lead nowhere, since other rows lead here: nothing was written. "
        + "Unlink or delete those first."
    default: return "The database refuses it (\(words)): nothing was written."
    }
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
  /// Whether a foreign key is in the way; one that restricts has the code of a trigger.
  var isOfForeignKey: Bool {
    resultCode == .SQLITE_CONSTRAINT && message?.contains("FOREIGN KEY constraint failed") == true
  }

  /// Whether the database refuses a change, and nothing is wrong with the file.
  var isRule: Bool {
    [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_ERROR, .SQLITE_TOOBIG].contains(resultCode)
  }
}

extension DataSourceError {
  init(_ refusal: DatabaseRefusal) {
    self.init(.refused(type: refusal.type), refusal.message, operation: .put)
  }
}
