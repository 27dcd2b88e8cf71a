import DataSources
import InstaQL
import LiveQueries
import Stores
import Triples

extension StoreDataSource {
  /// The snapshot that answers a query, or one with the schema; with a failure for the command line.
  func snapshotOrFail(
    _ query: any Query = AllObjectsQuery()
  ) async throws(Failure) -> StoreSnapshot {
    do throws(DataSourceError) {
      return try await get(query)
    } catch {
      throw Failure(error)
    }
  }

  /// The same for who prints an answer and looks at nothing beside it: a database then reads no more.
  ///
  /// - Parameter bytes: As what those of a database are printed.
  func answerOrFail(
    _ document: QueryDocument, bytes: AnswerView.Bytes, explains: Bool = false
  ) async throws(Failure) -> StoreSnapshot {
    guard self is SQLiteStore || self is PostgresStore else {
      return try await snapshotOrFail(document)
    }
    var view = AnswerView(bytes: bytes)
    view.explains = explains
    do throws(DataSourceError) {
      for try await snapshot in watch(document, showing: view) {
        return snapshot
      }
      throw .cancelled
    } catch {
      throw Failure(error)
    }
  }

  /// Calls a server that is away at once; any other store has none.
  func callServer() async {
    switch self {
    case let remote as RemoteStore: await remote.retry()
    case let opening as OpeningStore: await opening.opened?.callServer()
    default: break
    }
  }

  /// Leaves a server in good order: what is to be kept is then on disk.
  func hangUp() async {
    switch self {
    case let remote as RemoteStore: await remote.close()
    case let opening as OpeningStore: await opening.opened?.hangUp()
    default: break
    }
  }
}
