import InstaQL
import LiveQueries
import Triples

/// A live answer as lines of JSON: a line for the current answer, then a line for each change.
///
/// A line is `{"tx": …, "freshness": …, "data": …, "changes": …}`. `changes` lists the added,
/// removed and changed entities by namespace. The first line has no `changes`.
struct NDJSONWatcher {
  /// Whether lines after the first omit the answer.
  let showsChangesOnly: Bool
  let options: QueryOptions

  private struct Line {
    let answer: JSONObject
    let freshness: StoreSnapshot.Freshness
  }

  private var last: Line?
  private var lastFailure: LiveFailure?

  init(showsChangesOnly: Bool, options: QueryOptions) {
    self.showsChangesOnly = showsChangesOnly
    self.options = options
  }

  /// Returns the line for a result, with its line break; nil if nothing changed.
  mutating func line(for result: LiveResult) throws(QueryError) -> [UInt8]? {
    switch result {
    case .loading: return nil
    case .failed(let failure):
      // A repeated failure is not written again, for example on each attempt to reconnect.
      guard failure != lastFailure else { return nil }
      lastFailure = failure
      return JSONWriter.bytes(Failure(failure).json) + [UInt8(ascii: "\n")]
    case .loaded(let answer):
      lastFailure = nil
      return try line(for: answer)
    }
  }

  private mutating func line(for live: LiveAnswer) throws(QueryError) -> [UInt8]? {
    let answer = try value(of: live)
    let freshness = live.snapshot.freshness
    // A new time for the next attempt to reconnect does not count as a change.
    if let last, last.answer == answer, last.freshness.word == freshness.word,
      last.freshness.reason == freshness.reason
    {
      return nil
    }
    var line = JSONObject()
    line["tx"] = live.snapshot.knownTransaction.map { .integer(Int64($0)) }
    line["freshness"] = .text(freshness.word)
    if let reason = freshness.reason { line["reason"] = .text(reason) }
    for member in answer.members
    where last == nil || !showsChangesOnly || member.key == "aggregate" {
      line[member.key] = member.value
    }
    if let last {
      line["changes"] =
        JSONChanges(from: last.answer["data"], to: answer["data"], of: live.answers).json
    }
    last = Line(answer: answer, freshness: freshness)
    return Self.bytes(line)
  }

  private func value(of live: LiveAnswer) throws(QueryError) -> JSONObject {
    let bytes = try ResultFormat.json.bytes(of: live.answers, options: options)
    // A value of maximum depth may be within relations of maximum depth.
    let deepest = JSONOptions(maximumDepth: 1_024)
    guard case .object(let object)? = try? JSONReader.value(of: bytes, options: deepest) else {
      preconditionFailure("Our own JSON is an object")
    }
    return object
  }

  private static func bytes(_ line: JSONObject) -> [UInt8] {
    JSONWriter.bytes(.object(line)) + [UInt8(ascii: "\n")]
  }
}

extension StoreSnapshot.Freshness {
  /// The freshness in one word, such as `live`.
  var word: String {
    switch self {
    case .live: "live"
    case .loading: "loading"
    case .stale: "stale"
    case .archived: "archived"
    case .optimistic: "optimistic"
    case .connecting: "connecting"
    case .offline: "offline"
    }
  }

  /// The reason why the data is not live; nil if there is none.
  var reason: String? {
    switch self {
    case .stale(let reason), .offline(_, _, let reason): reason
    case .live, .loading, .archived, .optimistic, .connecting: nil
    }
  }
}
