/// Why a store cannot be opened, read or written.
public enum StoreError: Error, Sendable, Hashable {
  /// Nothing stands at the path.
  case missing(path: String)
  /// Nothing stands at the path any more, of what was opened there.
  case gone(path: String)
  /// Something stands at the path that would be overwritten.
  case exists(path: String)
  /// The system refuses.
  case unreadable(path: String, reason: String)
  /// The system refuses to write.
  case unwritable(path: String, reason: String)
  /// A folder without a file that could be a namespace.
  case empty(folder: String)
  /// A file is not what its name says: its path, the line, and what was expected.
  case broken(path: String)
  /// What stands at the path is no store of a kind that can be opened.
  case unknownKind(path: String)
  /// A database, but not a store file.
  case foreign(path: String)
  /// A store file whose format this program does not know yet.
  case newerFormat(path: String, found: Int, known: Int)
  /// A store file that says what cannot be; the place is a table and row, or the database's words.
  case damaged(path: String, place: String)
  /// Another program holds the file for longer than anybody should.
  case busy(path: String)
  /// The call was given up.
  case cancelled

  /// One sentence: where, what, and what to do next.
  public var message: String {
    switch self {
    case .missing(let path): "There is no file or folder \(path)."
    case .gone(let path):
      "\(path) was deleted or moved away: what is shown is what it last held. It can be exported."
    case .exists(let path): "There is a file \(path) already: choose another name."
    case .unreadable(let path, let reason): "Cannot read \(path): \(reason)."
    case .unwritable(let path, let reason): "Cannot write \(path): \(reason)."
    case .empty(let folder):
      "The folder \(folder) has no .json, .jsonl, .ndjson, .csv or .tsv file: each such file is a "
        + "namespace."
    case .broken(let path): path
    case .unknownKind(let path):
      "\(path) is no kind of file that is known: .json, .jsonl, .ndjson, .csv, .tsv, .sonde, .zip, "
        + ".sqlite and .db are; or a folder of such files of rows."
    case .foreign(let path):
      "\(path) is no store file of Sonde; a database is opened as .sqlite or .db."
    case .newerFormat(let path, let found, let known):
      "\(path) has format \(found), and this Sonde knows formats up to \(known): use a newer one."
    case .damaged(let path, let place):
      "\(path) is damaged (\(place)). Keep a copy. "
        + (FileKind(path) == .store
          ? "See what is wrong with: sonde check \(path), and write what can be read with: "
            + "sonde export \(path) --salvage --to FOLDER"
          : "Restore a backup, or look with: sonde check \(path)")
    case .busy(let path):
      "\(path) is locked by another program that does not let go of it; try again when it does."
    case .cancelled: "Cancelled."
    }
  }

  /// The same as part of a sentence: no full stop at the end.
  var reason: String {
    let message = message
    return message.hasSuffix(".") ? String(message.dropLast()) : message
  }

  /// The same of an open store, which looks again by itself when a file is let go of.
  var staleness: String {
    guard case .busy(let path) = self else { return reason }
    return "\(path) is locked by another program: it is read again when that lets go of it"
  }
}
