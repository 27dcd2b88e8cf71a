import DataSources
import InstaQL
import LiveQueries

/// An answer of the server and the time when it was current.
struct RemoteAnswer: Sendable {
  /// The rows of the answer; nil if there is no answer yet.
  var rows: ServedRows?
  /// The time when the answer was current, in milliseconds since 1970.
  var moment: Int64
  /// The number of connections lost before the answer arrived; nil for an archived answer.
  var life: Int?
}

/// The server as a data source of answers. A query is subscribed to while it is watched.
///
/// The answers contain neither archived data nor local changes; callers add these.
struct ServerAnswers: GetDataSource, WatchDataSource {
  weak let store: RemoteStore?

  func get(_ query: any Query) async throws(DataSourceError) -> RemoteAnswer {
    var answers = watch(query).makeAsyncIterator()
    guard let answer = try await answers.next(isolation: nil) else { throw .cancelled }
    return answer
  }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [RemoteAnswer] {
    [try await get(query)]
  }

  func watch(_ query: any Query) -> DataStream<RemoteAnswer> {
    guard let serverQuery = query as? QueryDocument else {
      return .failing(.unsupported(query, source: ServerAnswers.self, operation: .watch))
    }
    let (stream, continuation) = DataStream.makeStream(of: RemoteAnswer.self)
    let asking = Task { await store?.subscribe(serverQuery, for: continuation) }
    continuation.onTermination { [weak store] in
      Task {
        if let subscriber = await asking.value { await store?.unsubscribe(serverQuery, subscriber) }
      }
    }
    return stream
  }
}

/// A query to which the server sends answers, and its subscribers.
struct InFlightQuery {
  private(set) var last: RemoteAnswer?
  private var subscribers: [Int: DataStream<RemoteAnswer>.Continuation] = [:]

  var hasNoSubscribers: Bool { subscribers.isEmpty }

  mutating func add(_ subscriber: DataStream<RemoteAnswer>.Continuation, as number: Int) {
    subscribers[number] = subscriber
    if let last { subscriber.yield(last) }
  }

  mutating func remove(_ number: Int) { subscribers[number] = nil }

  mutating func publish(_ answer: RemoteAnswer) {
    last = answer
    for subscriber in subscribers.values { subscriber.yield(answer) }
  }

  /// Ends the streams of all subscribers, with an error if the query failed.
  func end(throwing error: DataSourceError? = nil) {
    for subscriber in subscribers.values { subscriber.finish(throwing: error) }
  }
}
