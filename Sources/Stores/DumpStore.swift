public import DataSources
public import LiveQueries
public import Triples

/// A triple dump, a JSON file of `attrs` and `triples`, as a store in memory that cannot be written.
public struct DumpStore: StoreDataSource {
  private let snapshot: StoreSnapshot

  /// Reads the whole file.
  /// - Throws: ``StoreError`` when it cannot be read or is no dump.
  public static func open(file: String) throws(StoreError) -> DumpStore {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.bytes(of: file)
    } catch {
      throw .unreadable(path: file, reason: error.reason)
    }
    do throws(DatasetError) {
      return DumpStore(snapshot: StoreSnapshot(try TripleDump.load(bytes)))
    } catch {
      throw .broken(path: file + ": " + error.message)
    }
  }

  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    snapshot
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    [snapshot]
  }

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    throw .notValid("A triple dump is read-only")
  }

  @discardableResult
  public func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "DumpStore", operation: .putAll)
  }

  /// One snapshot, which never changes.
  public func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    continuation.yield(snapshot)
    return stream
  }
}
