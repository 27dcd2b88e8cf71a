public import DataSources

/// A source that returns prepared answers in order, one for each call, regardless of the query.
///
/// A call throws `failed` if no answer is left, or if the next answer has the wrong form. So a test
/// detects calls that it does not expect.
///
/// ```swift
/// let server = ScriptedDataSource<Note>([
///   .failure(.failed("The server is busy.")), .object(Note("a")),
/// ])
/// ```
public actor ScriptedDataSource<Object: Sendable & Hashable>: DataSource {
  /// A prepared answer.
  public enum Answer: Sendable {
    /// The object that get or put returns.
    case object(Object)
    /// The objects that getAll or putAll returns.
    case objects([Object])
    /// A successful delete.
    case done
    /// The failure that any call throws.
    case failure(DataSourceError)
  }

  private var answers: [Answer]
  private var recorded: [Call<Object>] = []

  /// Creates a source with `answers`, in the order in which calls return them.
  public init(_ answers: [Answer]) {
    self.answers = answers
  }

  /// Every call so far, in the order in which the calls began.
  public var calls: [Call<Object>] { recorded }

  /// The number of prepared answers that no call has returned yet.
  public var remaining: Int { answers.count }

  /// Appends answers to the script.
  public func append(_ answers: Answer...) {
    self.answers += answers
  }

  private func answer(to call: Call<Object>) throws(DataSourceError) -> Answer {
    recorded.append(call)
    guard !answers.isEmpty else {
      throw .failed("The script has no answer left for the call \(call).")
    }
    let answer = answers.removeFirst()
    if case .failure(let error) = answer { throw error }
    return answer
  }

  private func mismatch(_ answer: Answer, _ call: Call<Object>) -> DataSourceError {
    .failed("The next answer of the script, \(answer), does not fit the call \(call).")
  }

  private func object(for call: Call<Object>) throws(DataSourceError) -> Object {
    let answer = try answer(to: call)
    guard case .object(let object) = answer else { throw mismatch(answer, call) }
    return object
  }

  private func objects(for call: Call<Object>) throws(DataSourceError) -> [Object] {
    let answer = try answer(to: call)
    guard case .objects(let objects) = answer else { throw mismatch(answer, call) }
    return objects
  }

  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try object(for: .get(query))
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try objects(for: .getAll(query))
  }

  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    try self.object(for: .put(object, query))
  }

  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    try self.objects(for: .putAll(objects, query))
  }

  public func delete(_ query: any Query) async throws(DataSourceError) {
    let call = Call<Object>.delete(query)
    let answer = try answer(to: call)
    guard case .done = answer else { throw mismatch(answer, call) }
  }
}
