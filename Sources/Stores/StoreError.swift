import Triples

/// The reason why a store cannot be opened, read or written.
public enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path does not exist.
  case missing(path: String)
  /// The path of an open store no longer exists.
  case gone(path: String)
  /// The path exists, and the call would overwrite it.
  case exists(path: String)
  /// The file or folder cannot be read, for the given reason.
  case unreadable(path: String, reason: String)
  /// The file or folder cannot be written, for the given reason.
  case unwritable(path: String, reason: String)
  /// The folder contains no data files.
  case empty(folder: String)
  /// The file does not match its format. The value contains the file's path, the line, and what was
  /// expected.
  case broken(path: String)
  /// The file is not a supported kind of store.
  case unknownKind(path: String)
  /// The file is a database, but not a store file.
  case foreign(path: String)
  /// The store file has a newer format than this version reads.
  case newerFormat(path: String, found: Int, known: Int)
  /// The store file is damaged. The place is a table and row, or the database's message.
  case damaged(path: String, place: String)
  /// Another program held a lock for too long.
  case busy(path: String)
  /// The caller canceled the call.
  case cancelled

  /// A sentence that says what failed, where, and what to do next.
  public var message: String {
    switch self {
    case .missing(let path): "\(path) does not exist."
    case .gone(let path):
      "\(path) was deleted or moved. Its last contents are shown and can be exported."
    case .exists(let path): "\(path) already exists. Choose another name."
    case .unreadable(let path, let reason):
      "Cannot read \(path): \(reason.withoutFullStop)" + (reason.hasSuffix("?") ? "" : ".")
    case .unwritable(let path, let reason): "Cannot write \(path): \(reason.withoutFullStop)."
    case .empty(let folder):
      "The folder \(folder) contains no data files. Supported: .json, .jsonl, .ndjson, .csv and .tsv."
    case .broken(let path): path.withoutFullStop + "."
    case .unknownKind(let path):
      "\(path) has an unsupported file type. Supported: .json, .jsonl, .ndjson, .csv, .tsv, .sonde, .zip, "
        + ".sqlite and .db, or a folder of data files."
    case .foreign(let path):
      "\(path) is a database, but not a Sonde store. To open it as a database, rename it to .sqlite or .db."
    case .newerFormat(let path, let found, let known):
      "\(path) has format \(found), but this version of Sonde supports formats up to \(known). Use a "
        + "newer version."
    case .damaged(let path, let place):
      "\(path) is damaged (\(place)). Keep a copy. "
        + (FileKind(path) == .store
          ? "List the damage with: sonde check \(path), and export the readable part with: "
            + "sonde export \(path) --salvage --to FOLDER"
          : "Restore a backup, or list the damage with: sonde check \(path)")
    case .busy(let path):
      "\(path) is locked by another program. Try again later."
    case .cancelled: "Canceled."
    }
  }

  public var description: String { message }

  /// The message as part of a sentence, without a period at the end.
  var reason: String {
    let message = message
    return message.hasSuffix(".") ? String(message.dropLast()) : message
  }

  /// The message for a store that is open, and shows its previous data because of this error.
  var staleness: String {
    guard case .busy(let path) = self else { return reason }
    return "\(path) is locked by another program and will be read again when it is unlocked"
  }
}
