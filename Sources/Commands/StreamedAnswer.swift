import DataSources
import InstaQL
import LiveQueries
import Stores
import Synchronization
import Triples

/// Writes the result of a query of a SQLite database in batches of rows, which limits memory use.
final class StreamedAnswer: Sendable {
  private let store: SQLiteStore
  private let plan: QueryPlan
  private let format: ResultFormat
  private let options: QueryOptions
  private let writing = Mutex(Writing())

  private struct Writing {
    var isStarted = false
    var isRead = true
    var failure: Failure?
    /// The page info of the first batch, which the end of the output repeats; nil before that
    /// batch.
    var first: PageInfo?
    /// The text that follows the last row.
    var tail: [UInt8] = []
  }

  /// Creates a writer; nil if the store or the format does not support batches.
  init?(
    _ document: QueryDocument, of store: any StoreDataSource, as format: AnswerFormat,
    _ options: QueryOptions
  ) {
    guard let store = store as? SQLiteStore, document.plans.count == 1,
      case .result(let form) = format
    else { return nil }
    switch form {
    case .csv, .tsv, .ndjson, .json: break
    // Markdown begins with the alignment of its columns, for which all rows are needed.
    case .markdown: return nil
    }
    (self.store, self.plan, self.format, self.options) = (store, document.plans[0], form, options)
  }

  /// Writes the answer.
  ///
  /// - Returns: False if the rows cannot be read in batches. In this case, nothing was written.
  func write() throws(Failure) -> Bool {
    let isWritten = try waiting { [self] () async throws(Failure) in
      do throws(DataSourceError) {
        return try await store.readWindows(of: plan) { self.write($0) }
      } catch {
        throw Failure(error)
      }
    }
    let end = writing.withLock { $0 }
    if let failure = end.failure { throw failure }
    if isWritten, end.isRead { _ = try Output.show(end.tail) }
    return isWritten
  }

  private func write(_ snapshot: StoreSnapshot) -> Bool {
    writing.withLock { writing in
      do throws(Failure) {
        writing.isRead = try Output.show(bytes(of: snapshot, &writing))
        return writing.isRead
      } catch {
        writing.failure = error
        return false
      }
    }
  }

  /// Returns the text of a batch of rows, including separators. The first batch includes the text
  /// before the rows.
  private func bytes(
    of snapshot: StoreSnapshot, _ writing: inout Writing
  ) throws(Failure) -> [UInt8] {
    do throws(QueryError) {
      let answer = try QueryEngine.answer(plan, in: snapshot, options: options)
      let isFirst = !writing.isStarted
      if isFirst { (writing.isStarted, writing.first) = (true, answer.pageInfo) }
      guard let frame = try format.frame(of: answer, options: options),
        let end = try format.frame(of: answer.closing(writing.first), options: options)
      else { return [] }
      let rows = try format.bytes(of: [answer], options: options)
        .dropFirst(frame.head.count).dropLast(frame.tail.count)
      writing.tail = end.tail
      // The text before the rows is written once.
      return (isFirst ? frame.head : frame.separator) + rows
    } catch {
      throw Failure(error)
    }
  }
}
