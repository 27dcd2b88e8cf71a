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

  /// Returns the result of a query for printing. A database omits the data that `format` does not
  /// print.
  func answerOrFail(
    _ document: QueryDocument, as format: AnswerFormat, explains: Bool = false
  ) async throws(Failure) -> StoreSnapshot {
    guard self is SQLiteStore || self is PostgresStore else {
      return try await snapshotOrFail(document)
    }
    var view = AnswerView(bytes: format.bytes)
    // Only a table prints the labels of linked rows.
    if format == .table, document.plans.contains(where: \.selectsAll) {
      view.reach = .neighbors
    }
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

  /// Prints a remark if a query sorts strings in another order than in other stores.
  ///
  /// - Parameter document: The query; nil for any query of the store.
  func printTextOrderRemark(for document: QueryDocument?) async {
    if let remark = await textOrderRemark(for: document) { StandardError.write(remark) }
  }

  /// Returns the answer to a plan.
  func completeAnswer(to plan: QueryPlan) async throws(Failure) -> Answer {
    let snapshot = try await answerOrFail(QueryDocument(plan), as: .result(.json))
    do throws(QueryError) {
      return try QueryEngine.answer(plan, in: snapshot)
    } catch {
      throw Failure(error)
    }
  }

  /// Returns whether an answer for a table contains the linked rows of all its rows.
  func hasLinks(_ answer: StoreSnapshot) -> Bool {
    guard self is SQLiteStore || self is PostgresStore, let served = answer.served else {
      return false
    }
    let rows = served.found.values.reduce(0) { $0 + $1.rows.count }
    return !served.found.isEmpty && rows <= ReadingLimits.maxRowsWithLinks
  }

  /// Reconnects to the store's server immediately, if it has one. If the server rejected the token,
  /// the token is read again.
  func reconnect() async {
    switch self {
    case let remote as RemoteStore: await remote.retry()
    case let opening as DeferredStore:
      let opened = await opening.opened
      guard let remote = opened as? RemoteStore, await remote.isRejected else {
        await opened?.reconnect()
        return
      }
      await opening.reopen { await $0.disconnect() }
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
