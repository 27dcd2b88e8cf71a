import InstaQL

/// An error of a PostgreSQL server or of the connection to it.
struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The SQLSTATE; empty if the connection failed.
  var state: String
  var message: String
  var detail = ""
  var hint = ""
  var table = ""
  var column = ""
  var constraint = ""
  /// Whether the error ended only the statement, so that the session continues.
  var isOfStatement = false

  /// Whether the connection was lost or could not be opened, so that reconnecting may help.
  ///
  /// If the server cannot connect to another server, as for a foreign table, its session continues.
  var isConnectionLost: Bool {
    state.isEmpty || state.hasPrefix("08") && !isOfStatement
      || ["57P01", "57P02", "57P03"].contains(state)
  }

  /// The error of a task that is canceled between two statements.
  static let canceled = PostgresError(state: "57014", message: "the query was canceled")

  /// Whether the statement was canceled, by the caller or by another client. ``PostgresConnection``
  /// throws `CancellationError` instead if it was the caller.
  var isCancelled: Bool { state == "57014" && !message.contains("timeout") }

  /// Whether the statement exceeded a timeout.
  var isTimeout: Bool { state == "57014" && message.contains("timeout") || isOfLock }

  /// Whether the statement failed because tables or columns have changed since the catalog was
  /// read.
  var isOfOtherTables: Bool {
    ["42P01", "42703", "42704", "3F000", "42883", "42804"].contains(state)
      || message.contains("cached plan must not change")
  }

  /// Whether another transaction changed the same rows at the same time.
  var isConflict: Bool { state == "40001" || state == "40P01" }

  /// Whether the statement waited too long for a lock of another transaction.
  var isOfLock: Bool { state == "55P03" }

  /// Whether the server rejected a change, for example because of a rule, or for lack of space,
  /// memory or time.
  var isRejection: Bool { !isConnectionLost && !isOfLock && !isConflict }

  /// The columns of a violated constraint, parsed from `Key (a, b)=(1, 2) already exists.`
  private var keyColumns: String? {
    guard let start = detail.firstRange(of: "Key (")?.upperBound,
      let end = detail[start...].firstRange(of: ")=(")?.lowerBound
    else { return nil }
    return detail[start..<end].split(separator: ", ").map { "\(table).\($0)" }
      .joined(separator: ", ")
  }

  /// A sentence that says why a change was rejected.
  var rejection: String {
    let what =
      switch state {
      case "23505": "Another row has the same \(keyColumns ?? constraint)"
      case "23502": "\(table).\(column) must have a value"
      case "23514" where constraint.isEmpty && message.hasPrefix("no partition"):
        "The table \(table) has no partition for the row"
      case "23514":
        "The change violates a constraint of the database "
          + "(\(constraint.isEmpty ? message : constraint))"
      case "23503" where detail.contains("is not present"):
        "The row that \(keyColumns ?? constraint) should link to does not exist"
      case "23503":
        "Rows of \(table) still reference this row (\(constraint)). Delete or re-link them first"
      case "23P01": "The row conflicts with an existing row (\(constraint))"
      case "42501": "Your database role has no permission for this change (\(message))"
      case "25006": "The server accepts no changes (\(message))"
      case "53100": "The server's disk is full (\(message))"
      case "57014" where isCancelled: "The change failed: \(reason)"
      case _ where state.hasPrefix("22"): "The value is not valid for its column (\(message))"
      default: "The database rejected the change (\(reason))"
      }
    let isAboutValue = ["23505", "23514", "23P01"].contains(state) || state.hasPrefix("22")
    return what + ". Nothing was written." + (isAboutValue ? " Choose another value." : "")
  }

  /// Whether SQL cannot execute a valid query, although it can be evaluated in memory.
  ///
  /// The statement is too long, or contains text that the database's encoding lacks.
  var isAboutForm: Bool {
    ["22P05", "54000", "54001", "54011", "54023"].contains(state)
  }

  var description: String { reason }

  /// The reason for the failure and advice, without a period at the end.
  var reason: String {
    switch state {
    case "": return message
    case "28P01", "28000": return "the server rejected the login (\(message))"
    case "3D000": return message
    case "42501": return "your database role has no permission (\(message))"
    case "53300":
      return "the server has too many connections (\(message)). Close one and try again"
    case "57014" where isTimeout:
      return
        "the query took longer than the statement timeout. Add a filter or a limit to the query, or "
        + "an index to the database"
    case "57014" where message.contains("user request"):
      return "an administrator canceled the statement on the server"
    case "57014": return "the server canceled the statement (\(message))"
    case "55P03":
      return "another program has locked the table. Try again later"
    case "53100": return "the server's disk is full (\(message))"
    case "55000": return message
    default:
      // Each dependent object is a line of the detail.
      let detail = detail.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
        .joined(separator: "; ")
      return detail.isEmpty ? message : "\(message) (\(detail))"
    }
  }
}

/// The settings of each session.
enum PostgresSettings {
  static let statementTimeoutSeconds = 30
  static let lockTimeoutSeconds = 2
  /// The timeout for a server that does not respond at all, in seconds. It is longer than the
  /// statement timeout.
  static let silenceTimeoutSeconds = 45
  /// The timeout for a server while statements may take any time, in seconds.
  static let longTimeoutSeconds = 6 * 3_600
  /// The timeout for connecting to a server, unless the user sets `connect_timeout`.
  static let connectTimeoutSeconds = 10

  /// Returns the statements that configure a session.
  ///
  /// - Parameter isWritable: Whether the session may change data.
  static func statements(isWritable: Bool) -> String {
    let settings = [
      "client_encoding = 'UTF8'", "TimeZone = 'UTC'", "DateStyle = 'ISO, MDY'",
      "IntervalStyle = 'iso_8601'", "extra_float_digits = 1", "bytea_output = 'hex'",
      "default_transaction_read_only = \(isWritable ? "DEFAULT" : "on")",
      "standard_conforming_strings = on",
    ]
    return (settings.map { "SET \($0)" } + [rawEncoding, standards, outcome])
      .joined(separator: "; ")
  }

  /// A statement that turns off conversions if the database has no encoding. Otherwise no text with
  /// bytes that are not UTF-8 could be read.
  private static let rawEncoding = """
    SELECT pg_catalog.set_config('client_encoding', 'SQL_ASCII', false)
    WHERE pg_catalog.current_setting('server_encoding') = 'SQL_ASCII' LIMIT 1
    """

  /// A statement for the settings that the user may choose in the address or in PGOPTIONS. Older
  /// servers lack some of them.
  private static let standards = """
    SELECT pg_catalog.set_config(s.name, v.value, false) FROM pg_catalog.pg_settings AS s
    JOIN (VALUES ('statement_timeout', '\(statementTimeoutSeconds)s'),
      ('lock_timeout', '\(lockTimeoutSeconds)s'), ('idle_in_transaction_session_timeout', '10s'),
      -- Otherwise the server notices only at the end of a statement that its client has disconnected.
      ('client_connection_check_interval', '200'),
      -- Compiling a statement often takes longer than running it until its LIMIT.
      ('jit', 'off')) AS v(name, value) ON v.name = s.name
    WHERE s.source IS DISTINCT FROM 'client' LIMIT 5
    """

  /// A query for the settings in effect: whether transactions are read-only, and the statement
  /// timeout in milliseconds.
  private static let outcome = """
    SELECT pg_catalog.current_setting('default_transaction_read_only') = 'on', setting
    FROM pg_catalog.pg_settings WHERE name = 'statement_timeout' LIMIT 1
    """

  /// Returns the timeout for a server that does not respond at all, in seconds, for a statement
  /// timeout in milliseconds. The server then responds first.
  static func silenceTimeoutSeconds(forStatements milliseconds: Int) -> Int {
    milliseconds == 0
      ? longTimeoutSeconds
      : max(
        silenceTimeoutSeconds,
        milliseconds / 1_000 + silenceTimeoutSeconds - statementTimeoutSeconds)
  }
}

extension StoreError {
  /// Converts an error of PostgreSQL to a store error with a message for the user.
  init(postgres error: any Error, of parameters: PostgresParameters) {
    switch error {
    case let error as PostgresError:
      self = .unreadable(path: parameters.shown, reason: error.reason)
    default: self.init(error, of: parameters.shown)
    }
  }
}
