/// The entities of an answer one by one; asking begins with the first element.
///
/// A failure ends the loop by being thrown, never by there being no more entities.
///
/// ```swift
/// for try await employee in query.rows(in: store) { print(employee.name) }
/// ```
public struct RowSequence<E: QueryEntity>: AsyncSequence, Sendable {
  public typealias Element = E
  public typealias Failure = QueryError

  let query: EntityQuery<E>

  public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

  public struct Iterator: AsyncIteratorProtocol {
    let query: EntityQuery<E>
    private var rows: [DataRow]?
    private var next = 0

    init(query: EntityQuery<E>) { self.query = query }

    /// - Throws: what `all` throws; after that there are no more.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(QueryError) -> E? {
      if rows == nil {
        let query = query
        rows = []
        rows = try await query.level(in: nil).level.rows()
      }
      if Task.isCancelled { throw .cancelled }
      guard let rows, next < rows.count else { return nil }
      let row = rows[next]
      next += 1
      do throws(QueryError) {
        return try E(row: row)
      } catch {
        next = rows.count
        throw error
      }
    }
  }
}

extension EntityQuery {
  /// The entities one by one, for `for try await`; a query itself is no sequence, whose own `filter`
  /// would quietly work on this side of the store.
  public func rows(in store: (any QueryStore)? = nil) -> RowSequence<E> {
    RowSequence(query: store.map(self.in) ?? self)
  }
}
