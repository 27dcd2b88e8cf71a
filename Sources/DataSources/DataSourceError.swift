/// Why a data source could not do what it was asked.
public enum DataSourceError: Error, Sendable, Hashable {
  /// Nothing is stored under what was asked for.
  case notFound(String)
  /// The source does not know queries of this type.
  case unsupportedQuery(String, source: String, operation: DataOperation)
  /// The source knows the query, but not this operation.
  case notImplemented(source: String, operation: DataOperation)
  /// An argument contradicts itself or the query; nothing was written.
  case illegalArgument(String)
  /// What was given or found breaks a rule of the data.
  case notValid(String)
  /// What is stored cannot be read back.
  case dataSerialization(String)
  /// The system refused, with its error number.
  case system(errno: Int32, String)
  /// The call was cancelled; nothing is half done.
  case cancelled
  /// Anything else, in words.
  case failed(String)

  /// The error of a call that `source` was never made to answer.
  public static func unsupported(
    _ query: any Query, source: Any.Type, operation: DataOperation
  ) -> DataSourceError {
    .unsupportedQuery(
      String(describing: type(of: query)), source: String(describing: source),
      operation: operation)
  }
}

/// The calls that a data source can have.
public enum DataOperation: String, Sendable, Hashable {
  case get, getAll, put, putAll, delete, watch
}

extension DataSourceError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .notFound(let what): "Nothing found for \(what)."
    case .unsupportedQuery(let query, let source, let operation):
      "\(source) cannot answer \(operation.rawValue) for \(query)."
    case .notImplemented(let source, let operation):
      "\(source) has no \(operation.rawValue)."
    case .illegalArgument(let reason), .notValid(let reason), .dataSerialization(let reason),
      .failed(let reason):
      reason
    case .system(_, let reason): reason
    case .cancelled: "Cancelled."
    }
  }
}
