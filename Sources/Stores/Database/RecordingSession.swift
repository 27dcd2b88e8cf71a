import InstaQL
import Triples

/// Forwards statements to another session, and records their execution times and row counts.
struct RecordingSession<Session: DatabaseSession>: DatabaseSession {
  private let session: Session
  private let record = StatementRecord()

  init(_ session: Session) { self.session = session }

  func rows(of statement: SQLStatement, isRepeated: Bool) throws -> RecordedRows<Session.Rows> {
    let start = ContinuousClock.now
    let rows = try session.rows(of: statement, isRepeated: isRepeated)
    record.statements.append((statement, 0, ContinuousClock.now - start))
    return RecordedRows(rows, record, record.statements.count - 1)
  }

  func allRows(of text: String) throws -> RecordedRows<Session.Rows> {
    try rows(of: SQLStatement(text: text), isRepeated: false)
  }

  func attempt(_ statements: () throws -> Void) throws { try session.attempt(statements) }

  func estimatedInput(of count: SQLStatement) throws -> Int? {
    try session.estimatedInput(of: count)
  }

  func plan(of statement: SQLStatement) throws -> [String] { try session.plan(of: statement) }

  static func isOverflow(_ error: any Error) -> Bool { Session.isOverflow(error) }

  /// Returns the executed statements with their query plans.
  func statements() throws -> [ServedAnswer.Statement] {
    try record.statements.map { asked in
      ServedAnswer.Statement(
        text: asked.statement.text, values: asked.statement.values, rows: asked.rows,
        time: asked.time, plan: try session.plan(of: asked.statement))
    }
  }
}

/// The recorded statements of a session.
private final class StatementRecord {
  var statements: [(statement: SQLStatement, rows: Int, time: Duration)] = []
}

/// Forwards the rows of a recorded statement and counts them.
final class RecordedRows<Rows: DatabaseRows>: DatabaseRows {
  private let rows: Rows
  private let record: StatementRecord
  private let place: Int

  fileprivate init(_ rows: Rows, _ record: StatementRecord, _ place: Int) {
    self.rows = rows
    self.record = record
    self.place = place
  }

  func step() throws -> Bool {
    let start = ContinuousClock.now
    let isThere = try rows.step()
    record.statements[place].time += ContinuousClock.now - start
    if isThere { record.statements[place].rows += 1 }
    return isThere
  }

  func reset() { rows.reset() }
  func isNull(_ column: Int32) -> Bool { rows.isNull(column) }
  func texts(from column: Int32) -> [String?] { rows.texts(from: column) }
  func integer(_ column: Int32) -> Int64 { rows.integer(column) }
  func double(_ column: Int32) -> Double { rows.double(column) }
  func text(_ column: Int32) -> String { rows.text(column) }
  func value(_ column: Int32, _ cell: CellReader) -> Value { rows.value(column, cell) }
}
