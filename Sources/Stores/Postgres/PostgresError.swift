import InstaQL

/// What a PostgreSQL server, or the way to it, says is wrong.
struct PostgresError: Error, Sendable, Hashable {
  /// Five characters; empty where the connection itself failed.
  var state: String
  var message: String
  var detail = ""
  var hint = ""
  var table = ""
  var column = ""
  var constraint = ""

  /// The connection is gone, or never came about: another one may work.
  var isConnectionLost: Bool {
    state.isEmpty || state.hasPrefix("08") || ["57P01", "57P02", "57P03"].contains(state)
  }

  /// The statement was canceled by the caller.
  var isCancelled: Bool { state == "57014" && !message.contains("timeout") }

  /// The statement took longer than statements may.
  var isTimeout: Bool { state == "57014" && message.contains("timeout") || state == "55P03" }

  /// Tables or columns are not what they were when the catalog was read.
  var isOfOtherTables: Bool {
    ["42P01", "42703", "42704", "3F000", "42883", "42804"].contains(state)
      || message.contains("cached plan must not change")
  }

  /// Whether the question was right, and only its statement is too long, or has a text that the database's
  /// encoding does not know: the engine may answer instead.
  var isAboutForm: Bool {
    ["22P05", "54000", "54001", "54011", "54023"].contains(state)
  }

  /// As half a sentence, with what helps.
  var reason: String {
    switch state {
    case "": return message
    case "28P01", "28000": return "the server does not let this user in (\(message))"
    case "3D000": return message
    case "42501": return "\(message): the role may not read it"
    case "53300":
      return "the server has no connection left (\(message)): close another one, and try again"
    case "57014" where isTimeout:
      return
        "the statement took longer than \(PostgresSettings.statementTimeoutSeconds) s: narrow the "
        + "question, or add an index"
    case "55P03":
      return "another session holds a lock on the table: try again when it lets go of it"
    case "53100": return "the disk of the server is full (\(message))"
    case "55000": return message
    default: return detail.isEmpty ? message : "\(message) (\(detail))"
    }
  }
}

/// What each session of ours is set to.
enum PostgresSettings {
  static let statementTimeoutSeconds = 30
  static let lockTimeoutSeconds = 2
  /// How long a server is waited for that does not answer at all: longer than any statement may take.
  static let silenceTimeoutSeconds = 45
  static let connectTimeoutSeconds = "10"

  /// - Parameter isWritable: Whether the session may change anything.
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
  /// Why a PostgreSQL database does not do what it was asked.
  init(postgres error: any Error, of parameters: PostgresParameters) {
    switch error {
    case let error as PostgresError where error.isCancelled: self = .cancelled
    case let error as PostgresError:
      self = .unreadable(path: parameters.shown, reason: error.reason)
    default: self.init(error, of: parameters.shown)
    }
  }
}
