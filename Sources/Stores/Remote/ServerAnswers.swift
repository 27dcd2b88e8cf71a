import DataSources
import InstaQL
import LiveQueries

/// An answer of the server, and what is known of its age.
struct RemoteAnswer: Sendable {
  /// Nil when nothing is known.
  var rows: ServedRows?
  /// When it was the truth, in milliseconds since 1970.
  var moment: Int64
  /// During which of the session's lives it came; nil for one out of the archive.
  var life: Int?
}

/// The server as a source of its raw answers, each asked for as long as somebody watches it.
///
/// What is archived, and what was changed here, is for those around it.
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
    guard let question = query as? QueryDocument else {
      return .failing(.unsupported(query, source: ServerAnswers.self, operation: .watch))
    }
    let (stream, continuation) = DataStream.makeStream(of: RemoteAnswer.self)
    let asking = Task { await store?.ask(question, for: continuation) }
    continuation.onTermination { [weak store] in
      Task { if let asker = await asking.value { await store?.stopAsking(question, asker) } }
    }
    return stream
  }
}

/// One question that the server is asked, by those who wait for its answers.
struct AskedQuestion {
  private(set) var last: RemoteAnswer?
  private var askers: [Int: DataStream<RemoteAnswer>.Continuation] = [:]

  var isUnasked: Bool { askers.isEmpty }

  mutating func add(_ asker: DataStream<RemoteAnswer>.Continuation, as number: Int) {
    askers[number] = asker
    if let last { asker.yield(last) }
  }

  mutating func remove(_ number: Int) { askers[number] = nil }

  mutating func tell(_ answer: RemoteAnswer) {
    last = answer
    for asker in askers.values { asker.yield(answer) }
  }

  /// A question that is wrong stays wrong.
  func end(throwing error: DataSourceError? = nil) {
    for asker in askers.values { asker.finish(throwing: error) }
  }
}
