extension DataSourceError {
  /// `what` completes the sentence "Nothing found for …".
  public static func notFound(_ what: String) -> DataSourceError {
    DataSourceError(.notFound, "Nothing found for \(what).")
  }

  public static func illegalArgument(_ reason: String) -> DataSourceError {
    DataSourceError(.illegalArgument, reason)
  }

  public static func notValid(_ reason: String) -> DataSourceError {
    DataSourceError(.notValid, reason)
  }

  public static func dataSerialization(
    _ reason: String, cause: String? = nil
  ) -> DataSourceError {
    DataSourceError(.dataSerialization, reason, cause: cause)
  }

  public static func system(errno: Int32, _ reason: String) -> DataSourceError {
    DataSourceError(.system(errno: errno), reason)
  }

  public static func failed(_ reason: String, cause: String? = nil) -> DataSourceError {
    DataSourceError(.failed, reason, cause: cause)
  }

  public static var cancelled: DataSourceError {
    DataSourceError(.cancelled, "Cancelled.")
  }

  /// The error of an operation that `source` does not have.
  public static func notImplemented(source: String, operation: DataOperation) -> DataSourceError {
    DataSourceError(
      .notImplemented, "\(source) has no \(operation.rawValue).", source: source,
      operation: operation)
  }

  /// The error of a call that `source` was never made to answer.
  public static func unsupported(
    _ query: any Query, source: Any.Type, operation: DataOperation
  ) -> DataSourceError {
    let name = String(describing: source)
    return DataSourceError(
      .unsupportedQuery,
      "\(name) cannot answer \(operation.rawValue) for \(type(of: query)).",
      source: name, operation: operation)
  }

  /// Any error as a data source's own: a cancellation stays one, a failure to read or write an
  /// encoding becomes `dataSerialization`, everything else `failed` with its words as the cause.
  public init(
    wrapping error: any Error, _ message: String, source: String? = nil,
    operation: DataOperation? = nil
  ) {
    switch error {
    case let known as DataSourceError:
      self = known
      self.source = known.source ?? source
      self.operation = known.operation ?? operation
    case is CancellationError:
      self = DataSourceError(.cancelled, "Cancelled.", source: source, operation: operation)
    case let error as DecodingError:
      self = DataSourceError(
        .dataSerialization, message, source: source, operation: operation,
        cause: error.pathAndReason)
    case let error as EncodingError:
      self = DataSourceError(
        .dataSerialization, message, source: source, operation: operation,
        cause: error.pathAndReason)
    default:
      self = DataSourceError(
        .failed, message, source: source, operation: operation, cause: "\(error)")
    }
  }

  /// The same error with the source and the operation filled in where they were not said.
  package func met(by source: Any.Type, in operation: DataOperation) -> DataSourceError {
    var error = self
    error.source = error.source ?? String(describing: source)
    error.operation = error.operation ?? operation
    return error
  }

  /// - Throws: `cancelled` when the task that calls is cancelled.
  package static func checkCancellation() throws(DataSourceError) {
    if Task.isCancelled { throw .cancelled }
  }
}

extension DecodingError {
  /// Where in the data, and why: "goals[2].title: expected a string".
  package var pathAndReason: String {
    let context: Context? =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        context
      @unknown default: nil
      }
    return context.map { "\($0.codingPath.written): \($0.debugDescription)" } ?? "\(self)"
  }
}

extension EncodingError {
  package var pathAndReason: String {
    switch self {
    case .invalidValue(_, let context): "\(context.codingPath.written): \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }
}

extension [any CodingKey] {
  /// `goals[2].title`; "the whole" for no path at all.
  fileprivate var written: String {
    guard !isEmpty else { return "the whole" }
    return reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }
}
