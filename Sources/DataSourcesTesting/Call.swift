public import DataSources

/// One call on a source, as a value that can be listed, recorded and performed.
public enum Call<Object: Sendable & Hashable>: Sendable, CustomStringConvertible {
  case get(any Query)
  case getAll(any Query)
  case put(Object?, any Query)
  case putAll([Object], any Query)
  case delete(any Query)
  case deleteAll(any Query)

  public var operation: DataOperation {
    switch self {
    case .get: .get
    case .getAll: .getAll
    case .put: .put
    case .putAll: .putAll
    case .delete, .deleteAll: .delete
    }
  }

  /// Performs the call on `source`.
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
  case object(Object)
  case objects([Object])
  case done
  case failure(DataSourceError.Code)
}
