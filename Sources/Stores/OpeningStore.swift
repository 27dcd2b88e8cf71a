public import DataSources
public import LiveQueries
public import Triples

/// A store that is still being opened: whoever asks it waits until it is there.
///
/// So a screen can be drawn, and subscriptions be made, before the data is read. When opening fails,
/// every call fails with that reason.
public struct OpeningStore: StoreDataSource {
  private let opening: Task<any StoreDataSource, any Error>

  /// Begins to open a store.
  public init(_ open: @escaping @Sendable () async throws -> any StoreDataSource) {
    opening = Task { try await open() }
  }

  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    try await store().get(query)
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    try await store().getAll(query)
  }

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    try await store().put(object, in: query)
  }

  @discardableResult
  public func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    try await store().putAll(objects, in: query)
  }

  public func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    let passing = Task {
      do throws(DataSourceError) {
        for try await snapshot in try await store().watch(query) { continuation.yield(snapshot) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination { passing.cancel() }
    return stream
  }

  private func store() async throws(DataSourceError) -> any StoreDataSource {
    do {
      return try await opening.value
    } catch let error as StoreError {
      throw .failed(error.message)
    } catch {
      throw .failed("\(error)")
    }
  }
}
