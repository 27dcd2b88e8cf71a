#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension DataSourceError {
  /// Returns the error for a missing object; `what` completes the sentence "Nothing found for …".
  public static func notFound(_ what: String) -> DataSourceError {
    DataSourceError(.notFound, "Nothing found for \(what).")
  }

  /// Returns the error for an argument that is invalid or contradicts the query. `reason` is a
  /// whole sentence.
  public static func illegalArgument(_ reason: String) -> DataSourceError {
    DataSourceError(.illegalArgument, reason)
  }

  /// Returns the error for an object that violates a rule; `reason` is a whole sentence.
  public static func notValid(_ reason: String) -> DataSourceError {
    DataSourceError(.notValid, reason)
  }

  /// Returns the error for data that cannot be decoded or encoded; `reason` is a whole sentence.
  public static func dataSerialization(
    _ reason: String, cause: String? = nil
  ) -> DataSourceError {
    DataSourceError(.dataSerialization, reason, cause: cause)
  }

  /// Returns the error for a failed system call; `reason` is a whole sentence.
  public static func system(errno: Int32, _ reason: String) -> DataSourceError {
    DataSourceError(.system(errno: errno), reason)
  }

  /// Returns the error for any other failure; `reason` is a whole sentence.
  public static func failed(_ reason: String, cause: String? = nil) -> DataSourceError {
    DataSourceError(.failed, reason, cause: cause)
  }

  /// The error that a canceled call throws.
  public static var cancelled: DataSourceError {
    DataSourceError(.cancelled, "The call was canceled.")
  }

  /// Returns the error for an operation that `source` does not implement.
  public static func notImplemented(source: String, operation: DataOperation) -> DataSourceError {
    DataSourceError(
      .notImplemented, "\(source) does not support the operation '\(operation.rawValue)'.",
      source: source, operation: operation)
  }

  /// Returns the error for a query that `source` does not support.
  public static func unsupported(
    _ query: any Query, source: Any.Type, operation: DataOperation
  ) -> DataSourceError {
    let name = String(describing: source)
    return DataSourceError(
      .unsupportedQuery,
      "\(name) does not support '\(operation.rawValue)' with a \(type(of: query)).",
      source: name, operation: operation)
  }

  /// Converts any error to a ``DataSourceError``.
  ///
  /// A cancellation becomes `cancelled`, an encoding or decoding error `dataSerialization`, and a
  /// `POSIXError` becomes `system` with its number. Any other error becomes `failed`, with its
  /// description as the cause.
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
      self = DataSourceError(
        .cancelled, "The call was canceled.", source: source, operation: operation)
    case let error as DecodingError:
      self = DataSourceError(
        .dataSerialization, message, source: source, operation: operation,
        cause: error.pathAndReason)
    case let error as EncodingError:
      self = DataSourceError(
        .dataSerialization, message, source: source, operation: operation,
        cause: error.pathAndReason)
    case let error as POSIXError:
      self = DataSourceError(
        .system(errno: error.code.rawValue), message, source: source, operation: operation,
        cause: "\(error.code)")
    default:
      self = DataSourceError(
        .failed, message, source: source, operation: operation, cause: "\(error)")
    }
  }

  /// Returns a copy of the error that names the source and the operation. If the error already has
  /// names, it keeps them.
  package func annotated(by source: Any.Type, in operation: DataOperation) -> DataSourceError {
    var error = self
    error.source = error.source ?? String(describing: source)
    error.operation = error.operation ?? operation
    return error
  }

  /// Checks for cancellation of the current task.
  /// - Throws: `cancelled` when the current task is canceled.
  package static func checkCancellation() throws(DataSourceError) {
    if Task.isCancelled { throw .cancelled }
  }
}

extension DecodingError {
  /// The path of the value that cannot be decoded, followed by the reason for the failure.
  ///
  /// For example, "goals[2].title: expected a string".
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
  /// The coding path as text, such as `goals[2].title`. It is "the whole value" for an empty path.
  fileprivate var written: String {
    guard !isEmpty else { return "the whole value" }
    return reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }
}
