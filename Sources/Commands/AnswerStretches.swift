import DataSources
import InstaQL
import LiveQueries
import Stores
import Synchronization
import Triples

/// Prints the answer to a query of a large database some rows at a time, so that memory does not grow
/// with it.
final class AnswerStretches: Sendable {
  private let store: SQLiteStore
  private let plan: QueryPlan
  private let format: ResultFormat
  private let options: QueryOptions
  private let printing = Mutex(Printing())

  private struct Printing {
    var isStarted = false
    var isRead = true
    var failure: Failure?
  }

  /// Nil where the form, or what it says around the rows, needs all of them at once.
  init?(
    _ document: QueryDocument, of store: any StoreDataSource, as format: AnswerFormat,
    _ options: QueryOptions
  ) {
    guard let store = store as? SQLiteStore, document.plans.count == 1,
      case .result(let form) = format
    else { return nil }
    let plan = document.plans[0]
    switch form {
    case .csv, .tsv, .ndjson: break
    case .json:
      // Else it says where the page begins and ends.
      guard plan.order.isEmpty, plan.page == Page() else { return nil }
    case .markdown: return nil
    }
    (self.store, self.plan, self.format, self.options) = (store, plan, form, options)
  }

  /// - Returns: False, with nothing printed, where the rows cannot be had so.
  func print() throws(Failure) -> Bool {
    let isPrinted = try waiting { [self] () async throws(Failure) in
      do throws(DataSourceError) {
        return try await store.readStretches(of: plan) { self.take($0) }
      } catch {
        throw Failure(error)
      }
    }
    let end = printing.withLock { $0 }
    if let failure = end.failure { throw failure }
    if isPrinted, end.isRead { _ = try Output.show(tail) }
    return isPrinted
  }

  private func take(_ snapshot: StoreSnapshot) -> Bool {
    printing.withLock { printing in
      do throws(Failure) {
        printing.isRead = try Output.show(bytes(of: snapshot, isFirst: !printing.isStarted))
        printing.isStarted = true
        return printing.isRead
      } catch {
        printing.failure = error
        return false
      }
    }
  }

  private func bytes(of snapshot: StoreSnapshot, isFirst: Bool) throws(Failure) -> [UInt8] {
    do throws(QueryError) {
      let answer = try QueryEngine.answer(
        plan, in: snapshot.store, options: options.answering(plan, in: snapshot))
      let frame = try format.bytes(of: [answer.showing([])], options: options)
      let head = frame.dropLast(tail.count)
      // What stands above the rows is written once.
      let rows = try format.bytes(of: [answer], options: options)
        .dropFirst(head.count).dropLast(tail.count)
      if isFirst { return Array(head + rows) }
      return (format == .json ? [UInt8(ascii: ",")] : []) + rows
    } catch {
      throw Failure(error)
    }
  }

  /// What stands below the rows.
  private var tail: [UInt8] { format == .json ? Array("]}}\n".utf8) : [] }
}
