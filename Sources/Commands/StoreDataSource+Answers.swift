import DataSources
import InstaQL
import LiveQueries
import Stores
import Triples

extension StoreDataSource {
  /// Returns the snapshot for a query, or throws the store's error as a failure.
  func snapshotOrFail(
    _ query: any Query = AllObjectsQuery()
  ) async throws(Failure) -> StoreSnapshot {
    do throws(DataSourceError) {
      return try await get(query)
    } catch {
      throw Failure(error)
    }
  }

  /// Returns the answer to a query for printing, without data beyond its rows.
  ///
  /// - Parameter bytes: The form in which BLOBs of a database are printed.
  func answerOrFail(
    _ document: QueryDocument, bytes: AnswerView.Bytes, explains: Bool = false
  ) async throws(Failure) -> StoreSnapshot {
    guard self is SQLiteStore || self is PostgresStore else {
      return try await snapshotOrFail(document)
    }
    var view = AnswerView(bytes: bytes)
    view.explains = explains
    // Only an explanation prints the number of all matches.
    view.showsTotals = explains
    do throws(DataSourceError) {
      for try await snapshot in watch(document, showing: view) {
        return snapshot
      }
      throw .cancelled
    } catch {
      throw Failure(error)
    }
  }

  /// Reconnects to the store's server immediately, if it has one.
  func reconnect() async {
    switch self {
    case let remote as RemoteStore: await remote.retry()
    case let opening as DeferredStore: await opening.opened?.reconnect()
    default: break
    }
  }

  /// Disconnects from the store's server after all changes are on disk.
  func disconnect() async {
    switch self {
    case let remote as RemoteStore: await remote.close()
    case let opening as DeferredStore: await opening.opened?.disconnect()
    default: break
    }
  }
}
