import InstaQL

/// An error of a PostgreSQL server or of the connection to it.
struct PostgresError: Error, Sendable, Hashable {
  /// The SQLSTATE; empty if the connection failed.
  var state: String
  var message: String
  var detail = ""
  var hint = ""
  var table = ""
  var column = ""
  var constraint = ""

  /// Whether the connection is lost or failed, so that another one may succeed.
  var isConnectionLost: Bool {
    state.isEmpty || state.hasPrefix("08") || ["57P01", "57P02", "57P03"].contains(state)
  }

  /// Whether the caller canceled the statement.
  var isCancelled: Bool { state == "57014" && !message.contains("timeout") }

  /// Whether the statement exceeded a timeout.
  var isTimeout: Bool { state == "57014" && message.contains("timeout") || state == "55P03" }

  /// Whether tables or columns changed since the catalog was read.
  var isOfOtherTables: Bool {
    ["42P01", "42703", "42704", "3F000", "42883", "42804"].contains(state)
      || message.contains("cached plan must not change")
  }

  /// Whether the query is valid, but its statement is too long or its text is not in the database's
  /// encoding. Then the engine can evaluate it.
  var isAboutForm: Bool {
    ["22P05", "54000", "54001", "54011", "54023"].contains(state)
  }

  /// The reason and what helps, without a full stop.
  var reason: String {
    switch state {
    case "": return message
    case "28P01", "28000": return "the server rejected the login (\(message))"
    case "3D000": return message
    case "42501": return "\(message): the role has no permission to read it"
    case "53300":
      return "the server has too many connections (\(message)). Close one and try again"
    case "57014" where isTimeout:
      return
        "the statement took longer than \(PostgresSettings.statementTimeoutSeconds) s. Narrow the "
        + "query, or add an index"
    case "55P03":
      return "another session has locked the table. Try again later"
    case "53100": return "the disk of the server is full (\(message))"
    case "55000": return message
    default: return detail.isEmpty ? message : "\(message) (\(detail))"
    }
  }
}

/// The settings of each session.
enum PostgresSettings {
  static let statementTimeoutSeconds = 30
  static let lockTimeoutSeconds = 2
  /// The timeout for a server that does not respond at all, longer than the statement timeout.
  static let silenceTimeoutSeconds = 45
  static let connectTimeoutSeconds = "10"

  /// - Parameter isWritable: Whether the session may change data.
  static func statements(isWritable: Bool) -> String {
    let settings = [
      "client_encoding = 'UTF8'", "TimeZone = 'UTC'", "DateStyle = 'ISO, MDY'",
      "IntervalStyle = 'iso_8601'", "extra_float_digits = 1", "bytea_output = 'hex'",
      "default_transaction_read_only = \(isWritable ? "off" : "on")",
      "statement_timeout = '\(statementTimeoutSeconds)s'",
      "lock_timeout = '\(lockTimeoutSeconds)s'", "idle_in_transaction_session_timeout = '10s'",
      "standard_conforming_strings = on",
    ]
    return settings.map { "SET \($0)" }.joined(separator: "; ")
  }
}

extension StoreError {
  /// Converts an error of PostgreSQL for the user.
  init(postgres error: any Error, of parameters: PostgresParameters) {
    switch error {
    case let error as PostgresError where error.isCancelled: self = .cancelled
    case let error as PostgresError:
      self = .unreadable(path: parameters.shown, reason: error.reason)
    default: self.init(error, of: parameters.shown)
    }
  }
}
