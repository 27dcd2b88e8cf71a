public import DataSources

/// A call to a source as a value, which tests can list, record and perform.
public enum Call<Object: Sendable & Hashable>: Sendable, CustomStringConvertible {
  /// Calls get.
  case get(any Query)
  /// Calls getAll.
  case getAll(any Query)
  /// Calls put.
  case put(Object?, any Query)
  /// Calls putAll.
  case putAll([Object], any Query)
  /// Calls delete.
  case delete(any Query)
  /// Calls deleteAll, the alias of delete.
  case deleteAll(any Query)

  /// The operation that the call requests.
  public var operation: DataOperation {
    switch self {
    case .get: .get
    case .getAll: .getAll
    case .put: .put
    case .putAll: .putAll
    case .delete, .deleteAll: .delete
    }
  }

  /// Performs the call on `source` and returns the outcome.
  public func outcome(
    on source: any LiveDataSource<Object>
  ) async -> Outcome<Object> {
    do throws(DataSourceError) {
      switch self {
      case .get(let query): return .object(try await source.get(query))
      case .getAll(let query): return .objects(try await source.getAll(query))
      case .put(let object, let query): return .object(try await source.put(object, in: query))
      case .putAll(let objects, let query):
        return .objects(try await source.putAll(objects, in: query))
      case .delete(let query): try await source.delete(query)
      case .deleteAll(let query): try await source.deleteAll(query)
      }
      return .done
    } catch {
      return .failure(error.code)
    }
  }

  public var description: String {
    switch self {
    case .get(let query): "get(\(query))"
    case .getAll(let query): "getAll(\(query))"
    case .put(let object, let query): "put(\(object.map { "\($0)" } ?? "nil"), in: \(query))"
    case .putAll(let objects, let query): "putAll(\(objects), in: \(query))"
    case .delete(let query): "delete(\(query))"
    case .deleteAll(let query): "deleteAll(\(query))"
    }
  }
}

/// The result of a call.
public enum Outcome<Object: Sendable & Hashable>: Sendable, Hashable {
  /// The object that get or put returned.
  case object(Object)
  /// The objects that getAll or putAll returned.
  case objects([Object])
  /// A successful delete.
  case done
  /// The code of the error that the call threw.
  case failure(DataSourceError.Code)
}
