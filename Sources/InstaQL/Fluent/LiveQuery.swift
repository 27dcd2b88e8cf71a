import DataSources
public import Triples

/// The answer to a live query at one transaction of the store.
public struct LivePage<E: QueryEntity>: Sendable {
  /// The entities of the page, in order.
  public let rows: [E]
  /// The cursors of the page; nil when the query has neither a page nor an order.
  public let info: PageInfo?
  /// The number of all matching entities.
  public let total: Int
  /// The number of the transaction.
  public let transactionID: Int
  /// Whether the answer is live, stale, or from before the connection was lost.
  public let freshness: StoreSnapshot.Freshness

  init(_ page: EntityPage<E>, _ snapshot: StoreSnapshot) {
    rows = page.rows
    info = page.info
    total = page.total
    transactionID = snapshot.transactionID
    freshness = snapshot.freshness
  }
}

/// A sequence of the answers to a query: the current one, and another after each change that
/// affects it.
///
/// An answer is delivered only if its content or freshness differs from the last one. A slow reader
/// gets only the newest answer. A failure is thrown and ends the sequence. Leaving the loop ends
/// the watch.
///
/// ```swift
/// for try await page in query.live(in: store) { render(page.rows) }
/// ```
public struct LiveQuery<E: QueryEntity>: AsyncSequence, Sendable {
  public typealias Element = LivePage<E>
  public typealias Failure = QueryError

  let query: EntityQuery<E>

  public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

  /// An iterator over the pages of a live query.
  public struct Iterator: AsyncIteratorProtocol {
    private let query: EntityQuery<E>
    private var snapshots: DataStream<StoreSnapshot>.Iterator?
    private var last: Seen?
    private var isOver = false

    init(query: EntityQuery<E>) { self.query = query }

    /// Returns the next element.
    ///
    /// - Throws: The errors of `all`. The sequence ends after an error.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(QueryError) -> LivePage<E>? {
      if isOver { return nil }
      do throws(QueryError) {
        if let page = try await changed(isolation: actor) { return page }
      } catch {
        end()
        throw error
      }
      end()
      return nil
    }

    private mutating func end() {
      isOver = true
      snapshots = nil
    }

    private mutating func changed(
      isolation actor: isolated (any Actor)?
    ) async throws(QueryError) -> LivePage<E>? {
      while let snapshot = try await newest(isolation: actor) {
        if let last, last.isUntouched(in: snapshot) {
          self.last = last.moved(to: snapshot)
          continue
        }
        let seen = try await Seen.evaluated(query.plan, in: snapshot)
        let isRepeated = last.map { seen.repeats($0) } ?? false
        last = seen
        if !isRepeated { return LivePage(try await seen.page(), snapshot) }
      }
      if Task.isCancelled { throw .cancelled }
      return nil
    }

    private mutating func newest(
      isolation actor: isolated (any Actor)?
    ) async throws(QueryError) -> StoreSnapshot? {
      var stream: DataStream<StoreSnapshot>.Iterator
      if let snapshots { stream = snapshots } else { stream = try watch() }
      do throws(DataSourceError) {
        let snapshot = try await stream.next(isolation: actor)
        snapshots = stream
        return snapshot
      } catch {
        throw QueryError(error)
      }
    }

    private func watch() throws(QueryError) -> DataStream<StoreSnapshot>.Iterator {
      try query.chosen(nil).watch(QueryDocument(query.plan)).makeAsyncIterator()
    }
  }
}

/// The last delivered answer, to detect whether a new one differs.
private struct Seen: Sendable {
  let snapshot: StoreSnapshot
  let answer: Answer
  /// The answer as JSON, with its relations and page. Answers are compared in this form.
  let content: [UInt8]

  @concurrent
  static func evaluated(
    _ plan: QueryPlan, in snapshot: StoreSnapshot
  ) async throws(QueryError) -> Seen {
    let answer = try await QueryRun.answer(to: plan, in: snapshot).answer
    var output = JSONOutput(capacity: 1 << 10)
    try QueryEngine.json([answer], into: &output)
    return Seen(snapshot: snapshot, answer: answer, content: output.bytes)
  }

  /// Returns whether this answer is still valid in a newer snapshot. False if it is unknown what
  /// changed in between.
  func isUntouched(in newer: StoreSnapshot) -> Bool {
    guard newer.freshness == snapshot.freshness,
      let changes = newer.changes(since: snapshot), !changes.schemaChanged
    else { return false }
    return changes.touchedAttributes.isDisjoint(with: answer.prepared.attributes)
  }

  /// Returns this answer with a newer snapshot. The answer must be valid in that snapshot.
  func moved(to newer: StoreSnapshot) -> Seen {
    Seen(snapshot: newer, answer: answer, content: content)
  }

  func repeats(_ earlier: Seen) -> Bool {
    content == earlier.content && snapshot.freshness == earlier.snapshot.freshness
  }

  @concurrent
  func page<E>() async throws(QueryError) -> EntityPage<E> {
    let level = try RowLevel(answer.prepared, answer.rows, in: answer.store)
    return try EntityPage((level, answer))
  }
}

extension EntityQuery {
  /// Returns the sequence of the query's answers: now, and after each change that affects them.
  public func live(in store: (any QueryStore)? = nil) -> LiveQuery<E> {
    LiveQuery(query: store.map(self.in) ?? self)
  }
}
