import InstaQL
import Triples

/// A session on the server, which ``PostgresConnection/read(isSnapshot:_:)`` passes to its body.
struct PostgresSession: DatabaseSession {
  private let link: PostgresLink

  init(_ link: PostgresLink) { self.link = link }

  /// Executes a statement, and reads its rows one at a time. Rows must be read before the next
  /// statement is executed.
  func rows(of statement: SQLStatement, isRepeated: Bool) throws -> PostgresRows {
    try checkCancellation()
    let number = try link.begin(statement.text, statement.values.map(\.postgresText))
    return try nextRow(of: number).followed { try nextRow(of: number) }
  }

  private func nextRow(of statement: Int) throws -> PostgresRows {
    do throws(PostgresError) {
      return try link.nextRow(of: statement)
    } catch {
      throw error.isAboutForm ? QueryError.notInSQL(path: "", reason: error.message) : error
    }
  }

  /// Executes a statement without values.
  @discardableResult
  func run(_ text: String) throws(PostgresError) -> PostgresRows { try link.rows(of: text, nil) }

  func estimatedInput(of count: SQLStatement) throws -> Int? {
    let rows = try link.rows(
      of: "EXPLAIN (FORMAT JSON) " + count.text, count.values.map(\.postgresText))
    guard try rows.step(),
      case .array(let list)? = try? JSONReader.value(of: Array(rows.text(0).utf8)),
      case .object(let first)? = list.first, case .object(let top)? = first["Plan"]
    else { return nil }
    return Self.largestInput(of: top)
  }

  /// Returns how many rows the topmost aggregate of a query plan reads, in all workers together.
  private static func largestInput(of node: JSONObject) -> Int? {
    guard case .array(let inputs)? = node["Plans"], case .object(let input)? = inputs.first else {
      return nil
    }
    if case .text(let kind)? = input["Node Type"], kind.hasPrefix("Gather") {
      guard let rows = largestInput(of: input).flatMap({ _ in input["Plans"] }),
        case .array(let partial) = rows, case .object(let aggregate)? = partial.first
      else { return nil }
      let workers =
        if case .integer(let count)? = input["Workers Planned"] { Int(count) } else { 0 }
      // The planner divides the number of rows by the workers and the leader's share.
      let share = Double(workers) + max(0, 1 - 0.3 * Double(workers))
      return largestInput(of: aggregate).map { Int(Double($0) * share) }
    }
    if case .integer(let rows)? = input["Plan Rows"] { return Int(rows) }
    return nil
  }

  func plan(of statement: SQLStatement) throws -> [String] {
    let rows = try link.rows(
      of: "EXPLAIN (SETTINGS) " + statement.text, statement.values.map(\.postgresText))
    var lines: [String] = []
    while try rows.step() { lines.append(rows.text(0)) }
    return lines
  }

  static func isOverflow(_ error: any Error) -> Bool { false }

  /// Reads all rows of a statement in chunks, within a transaction.
  func allRows(of text: String) throws -> PostgresRows {
    try run("CLOSE ALL")
    try run("DECLARE sonde_rows NO SCROLL CURSOR FOR \(text)")
    let fetch = "FETCH FORWARD \(Self.rowsAtOnce) FROM sonde_rows"
    return try run(fetch).followed {
      try checkCancellation()
      return try run(fetch)
    }
  }

  private static let rowsAtOnce = 5_000

  func attempt(_ statements: () throws -> Void) throws {
    try run("SAVEPOINT sonde_attempt")
    do {
      try statements()
    } catch {
      try run("ROLLBACK TO SAVEPOINT sonde_attempt")
      throw error
    }
    try run("RELEASE SAVEPOINT sonde_attempt")
  }

  @discardableResult
  func rows(_ text: String, _ values: [String?] = []) throws(PostgresError) -> PostgresRows {
    try checkCancellation()
    return try link.rows(of: text, values)
  }

  /// Throws an error if the task was canceled. A cancellation at the server ends only a running
  /// statement, so without this check the task would continue with its next statement.
  private func checkCancellation() throws(PostgresError) {
    if Task.isCancelled { throw .canceled }
  }

  /// Allows statements of the current transaction to take hours, unless the user has set a timeout.
  func allowLongTransaction() throws(PostgresError) {
    link.silenceTimeoutSeconds = PostgresSettings.longTimeoutSeconds
    try run(
      """
      SELECT pg_catalog.set_config(name, '0', true) FROM pg_catalog.pg_settings
      WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout')
        AND source IS DISTINCT FROM 'client' LIMIT 2
      """)
  }

  var backendID: Int { link.backendID }
}

extension Value {
  /// The value as the text of a parameter; nil is NULL.
  var postgresText: String? {
    switch self {
    case .null, .array, .object: nil
    case .bool(let flag): flag ? "t" : "f"
    case .integer(let number): String(number)
    case .double(let number):
      number.isNaN
        ? "NaN" : number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
    case .text(let text): text
    }
  }
}
