import DataSources
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The messages of stores. `StoreError` contains the messages about files, and `DatabaseWriteError`
// the messages about SQL writes.

/// The reasons why a store does not accept a change.
package enum ReadOnlyReason {
  package static let backup = "A backup is read-only. Import it into a .sonde file to change it."
  package static let dump = "A triple dump is read-only. Import it into a .sonde file to change it."
  package static let pipedData =
    "Piped data is read-only. Import it into a .sonde file to change it."
  static let server =
    "The server's data was opened read-only. To change it, start sonde with --write."

  static func folder(_ path: String) -> String {
    "Sonde does not write to the folder \(path). Edit its files in another program; changes appear here."
  }

  static func file(_ path: String) -> String {
    "Sonde does not write to the file \(path). Edit it in another program; changes appear here."
  }

  /// Returns the reason that a folder has reached the maximum number of changes in memory.
  static func tooManyChanges(_ count: Int, of folder: String) -> String {
    "The folder \(folder) has reached the limit of \(count) unsaved changes in memory. "
      + "Import it into a .sonde file."
  }

  static func storeFile(_ path: String) -> String {
    "\(path) is read-only. Open it with --write to change it."
  }

  static func database(_ path: String) -> String {
    "The database \(path) is read-only. Open it with --write to change it."
  }

  static func postgres(_ name: String) -> String {
    "The PostgreSQL database \(name) is read-only. Open it with --write to change it."
  }

  static let instantTables =
    "The tables of an Instant server are read-only. Change an app through the server: "
    + "sonde wss://HOST/APP-ID"

  static func instantApp(_ id: String) -> String {
    "The database of an Instant server is read-only. Change the app through the server: "
      + "sonde wss://HOST/\(id)"
  }
}

/// Texts about the database of an Instant server.
enum InstantWords {
  /// How the changes of an app are detected, and that its permission rules do not apply.
  static let detection = "polling every second, without rules"

  static func noTriggers(_ name: String) -> String {
    "\(name) is the database of an Instant server, which owns its tables. Sonde installs no triggers "
      + "there; it polls every second."
  }

  /// The end of a sentence.
  static let noExport =
    "it is the database of an Instant server, which owns its tables. Use another database"
}

/// The reasons why shown data may be out of date.
enum StaleReason {
  static let backup = "it is the snapshot of a backup"
  static let unwatched = "changes by other programs are not detected"
  static let unwatchedFolder = "changes in the folder are not detected"
  static let unreadableLog =
    "the folder is read-only, so the write-ahead log cannot be read"

  /// Returns the reason that unsaved changes were discarded because they conflict with changed
  /// files.
  static func dropped(_ count: Int) -> String {
    count == 1
      ? "an unsaved change conflicted with the changed files and was discarded"
      : "\(count) unsaved changes conflicted with the changed files and were discarded"
  }
}

extension DataSourceError {
  static func locked(_ path: String) -> DataSourceError {
    .system(
      errno: EBUSY, "\(path) is locked by another program. Nothing was written; try again later.")
  }

  /// The error for a change of a server's database that waited too long for a lock.
  static let rowsLocked = DataSourceError.system(
    errno: EBUSY,
    "Another program has locked the row or its table. Nothing was written; try again later.")

  /// The error for a query that a server did not answer.
  ///
  /// - Parameter reason: A whole clause, such as `the connection timed out`.
  static func noAnswer(_ reason: String) -> DataSourceError {
    let clause = reason.withoutFullStop
    return DataSourceError(
      .network(status: nil), "\(clause.prefix(1).uppercased() + clause.dropFirst()).",
      operation: .get)
  }

  static let queryCanceled = DataSourceError(
    .cancelled, "The query was canceled.", operation: .get)

  static func serverIncomplete(_ reason: String) -> DataSourceError {
    DataSourceError(
      .network(status: nil),
      "Cannot read all data from the server: \(reason). Try again when the server is reachable.",
      operation: .get)
  }

  static let serverUnreachable = DataSourceError(
    .network(status: nil), "The server is unreachable, so its data cannot be read.",
    operation: .get)

  static func entitiesMissing(_ found: Int, of count: Int, _ namespace: String) -> DataSourceError {
    .failed(
      "The server reports \(count) entities in \(namespace) but sent \(found), so nothing was "
        + "exported.")
  }

  /// The error for undoing a change that was sent in the meantime. The undo of a queued change can
  /// only drop that change.
  static let alreadySent = DataSourceError(
    .refused(type: "sent"),
    "The change cannot be undone: the server may already have it, and the previous values are "
      + "not known.",
    operation: .put)

  static let undoneBeforeSending = DataSourceError(
    .cancelled, "The change was undone before it was sent.", operation: .put)
}

/// Remarks about the completeness of exported data.
enum ExportRemark {
  static let inconsistent =
    "The data changed while it was read, so namespaces may be inconsistent with each other."
  static let unconfirmed = "The data contains changes that the server has not confirmed yet."

  static func notAllowed(_ namespace: String) -> String {
    "The server does not allow reading \(namespace), so this namespace is not in the export."
  }

  static func notIncluded(_ objects: [String]) -> String {
    "Not exported from the database: \(objects.joined(separator: ", "))."
  }

  static func withoutViews(_ views: [String]) -> String {
    let (noun, whose) = views.count == 1 ? ("view", "its") : ("views", "their")
    return
      "Not exported: the \(noun) \(views.joined(separator: ", ")), because \(whose) rows come from "
      + "tables."
  }

  static func withoutUnpopulated(_ views: [String]) -> String {
    let (noun, verb) = views.count == 1 ? ("view", "has") : ("views", "have")
    return
      "Not exported: the materialized \(noun) \(views.joined(separator: ", ")), which \(verb) not been "
      + "populated."
  }

  static func unreadable(_ tables: [String], because reason: String) -> String {
    let noun = tables.count == 1 ? "table" : "tables"
    let names = tables.joined(separator: ", ")
    return "Not exported: the foreign \(noun) \(names), which cannot be read: \(reason)."
  }

  static func uploadsMissing(_ count: Int) -> String {
    "The contents of \(count) uploaded \(count == 1 ? "file" : "files") in $files are not in "
      + "the backup, because the store does not contain them. Delete their rows before you "
      + "restore the backup in Instant."
  }

  static func withoutRules(_ app: String, _ note: String) -> String {
    "The app '\(app)'\(note) is shown without applying its permission rules."
  }
}

/// The log lines of a remote store.
enum RemoteLog {
  static func unreadableChanges(_ count: Int) -> String {
    "Cannot read and send \(count == 1 ? "1 queued change" : "\(count) queued changes") from an "
      + "earlier run of Sonde."
  }

  static func unreadableChanges(_ error: any Error) -> String {
    "Cannot read and send the queued changes from an earlier run of Sonde: \(error)."
  }

  static func unwritableArchive(_ error: any Error) -> String {
    "Cannot write the local copy of the server's data: \(error)."
  }

  static func rejected(_ reason: String) -> String { "The server rejected a change: \(reason)" }
}

/// Advice about access to a server.
enum AccessAdvice {
  static let tokenNeeded =
    "This server requires a token, and none or a wrong one was sent. Provide it with SONDE_TOKEN "
    + "or --token-file, or store it with: sonde token ADDRESS"
}
