/// The entities of an answer as a sequence.
///
/// The query runs once per iteration, when the first element is requested.
/// A failure is thrown and ends the sequence.
///
/// ```swift
/// for try await employee in query.rows(in: store) { print(employee.name) }
/// ```
public struct RowSequence<E: QueryEntity>: AsyncSequence, Sendable {
  public typealias Element = E
  public typealias Failure = QueryError

  let query: EntityQuery<E>

  public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

  /// An iterator over a sequence of rows.
  public struct Iterator: AsyncIteratorProtocol {
    let query: EntityQuery<E>
    private var rows: [DataRow]?
    private var next = 0

    init(query: EntityQuery<E>) { self.query = query }

    /// Returns the next row.
    ///
    /// - Throws: The errors of `all`. The sequence ends after an error.
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
  /// Returns the entities as a sequence for `for try await`.
  ///
  /// The query itself is not a sequence, because `filter` would then be the method of sequences,
  /// which runs locally.
  public func rows(in store: (any QueryStore)? = nil) -> RowSequence<E> {
    RowSequence(query: store.map(self.in) ?? self)
  }
}
