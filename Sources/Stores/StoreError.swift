/// Why a store cannot be opened or read.
public enum StoreError: Error, Sendable, Hashable {
  /// Nothing stands at the path.
  case missing(path: String)
  /// The system refuses.
  case unreadable(path: String, reason: String)
  /// A folder without a file that could be a namespace.
  case empty(folder: String)
  /// A file is not what its name says: its path, the line, and what was expected.
  case broken(path: String)
  /// What stands at the path is no store of a kind that can be opened.
  case unknownKind(path: String)

  /// One sentence: where, what, and what to do next.
  public var message: String {
    switch self {
    case .missing(let path): "There is no file or folder \(path)."
    case .unreadable(let path, let reason): "Cannot read \(path): \(reason)."
    case .empty(let folder):
      "The folder \(folder) has no .json, .jsonl or .csv file: each such file is a namespace."
    case .broken(let path): path
    case .unknownKind(let path):
      "\(path) is neither a folder of JSON files nor a triple dump (a .json file of attrs and "
        + "triples)."
    }
  }
}
