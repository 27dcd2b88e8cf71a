public import DataSources
public import InstaQL
public import Triples

/// A result of a live query that a subscriber receives.
public enum LiveResult: Sendable, Equatable {
  /// The store has not answered yet.
  case loading
  /// The answer for one snapshot.
  case loaded(LiveAnswer)
  /// The query cannot be answered now. An answer may still follow.
  case failed(LiveFailure)
}

/// The answers to all plans of a document in one snapshot.
public struct LiveAnswer: Sendable {
  /// The answered query.
  public let document: QueryDocument
  /// One answer for each plan of the document, in order, with its rows and page.
  public let answers: [Answer]
  /// The snapshot in which the query was evaluated, with its freshness.
  public let snapshot: StoreSnapshot
  /// The duration of the evaluation, which `==` ignores.
  public let elapsed: Duration

  /// Creates an answer; see the properties.
  public init(
    document: QueryDocument, answers: [Answer], snapshot: StoreSnapshot, elapsed: Duration = .zero
  ) {
    self.document = document
    self.answers = answers
    self.snapshot = snapshot
    self.elapsed = elapsed
  }

  /// The answer to the document's plan for a namespace; nil when the document has no such plan.
  public subscript(namespace: String) -> Answer? {
    answers.first { $0.plan.namespace == namespace }
  }

  /// Returns the differences from an earlier answer to the same query, for each plan.
  ///
  /// The differences include all changes since `earlier`, even if the subscriber skipped answers in
  /// between. Nil when `earlier` answers a different query.
  ///
  /// - Complexity: O(rows + changes); compares all displayed values if the store does not know
  ///   the changes.
  public func changes(since earlier: LiveAnswer) -> [AnswerChanges]? {
    guard document == earlier.document, answers.count == earlier.answers.count else { return nil }
    var changes: ChangeSet?
    switch earlier.snapshot.difference(to: snapshot) {
    case .none: changes = ChangeSet()
    case .changed(let known): changes = known
    case .unknown:
      // The stores are identical, so no value differs. The page information may differ
      // nevertheless.
      if earlier.snapshot.store.isIdentical(to: snapshot.store) { changes = ChangeSet() }
    }
    return zip(earlier.answers, answers).map { $1.changes(since: $0, by: changes) }
  }

  /// The freshness of the answer, such as live, archived or optimistic.
  public var freshness: StoreSnapshot.Freshness { snapshot.freshness }
}

extension LiveAnswer: Equatable {
  /// Returns whether two answers have equal documents and equal snapshots, and therefore equal
  /// rows.
  public static func == (a: LiveAnswer, b: LiveAnswer) -> Bool {
    a.document == b.document && a.snapshot == b.snapshot
  }
}

/// The reason for the failure of a query or of a change, as text for users.
public struct LiveFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The category of a failure, by which a program decides how to react.
  public enum Kind: String, Sendable, Hashable {
    /// The store or server rejected the request. Repeating the request would fail again.
    case refused
    /// The server did not answer in time.
    case timedOut = "timed-out"
    /// The server limits the request rate; a later attempt can succeed.
    case rateLimited = "rate-limited"
    /// No server could be reached, so the request was not sent.
    case notAsked = "not-asked"
    /// The store or server cannot be reached or read, or has failed.
    case unavailable
  }

  /// The category of the failure.
  public let kind: Kind
  /// A description of the problem.
  public let message: String
  public var description: String { message }

  /// Advice for the user, or details from the server, which may be JSON; nil when there are none.
  public let hint: String?
  /// The store's or server's name for the kind of rejection, such as `record-not-unique`. Nil if
  /// the failure is not a rejection.
  public let type: String?

  /// Creates a failure.
  ///
  /// - Parameter kind: The kind of failure. If it is nil, the kind is derived from `type`.
  public init(
    message: String, hint: String? = nil, type: String? = nil, kind: Kind? = nil
  ) {
    self.message = message
    self.hint = hint
    self.type = type
    self.kind = kind ?? Self.kind(of: type)
  }

  private static func kind(of type: String?) -> Kind {
    switch type {
    case nil: .unavailable
    case "timeout", "operation-timed-out": .timedOut
    case "rate-limited": .rateLimited
    default: .refused
    }
  }

  /// The message followed by the advice, written as two sentences.
  package var sentences: String { Self.sentences(message, advice) }

  /// Joins a message and its advice, written as two sentences.
  package static func sentences(_ message: String, _ advice: String?) -> String {
    guard let advice else { return message }
    let ending = message.last.map { ".!?".contains($0) } == true ? "" : "."
    return "\(message)\(ending) \(advice)"
  }

  /// The hint as text for users; nil when the hint adds nothing to the message.
  ///
  /// If the hint is JSON, the text consists of its `hint` and of the messages and hints in its
  /// `errors`. Parts that the message already contains are left out.
  public var advice: String? {
    guard let hint else { return nil }
    guard case .object(let object)? = try? JSONReader.value(of: hint) else { return hint }
    var words = [object["hint"]?.textValue]
    if case .array(let faults)? = object["errors"] {
      for case .object(let fault) in faults.prefix(3) {
        words += [fault["message"]?.textValue, fault["hint"]?.textValue]
      }
    }
    var sentences: [String] = []
    for case let word? in words where !message.contains(word) && !sentences.contains(word) {
      sentences.append(word)
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// Creates the failure for a query that the server did not answer before it became unreachable.
  init(unansweredIn snapshot: StoreSnapshot) {
    let reason: String? =
      switch snapshot.freshness {
      case .stale(let reason), .offline(_, _, let reason): reason
      case .live, .loading, .archived, .optimistic, .connecting: nil
      }
    let wasAsked = snapshot.served?.wasAsked == true
    self.init(
      message: wasAsked
        ? "The server has not answered this query" : "This query was never sent to the server",
      hint: reason.map {
        "\($0.withoutFullStop). The query is sent \(wasAsked ? "again " : "")when the server is back"
      }, kind: wasAsked ? .unavailable : .notAsked)
  }

  /// Converts an error of a store to a failure.
  public init(_ error: DataSourceError) {
    var type: String?
    if case .refused(let word) = error.code { type = word }
    self.init(message: error.description, hint: error.hint, type: type)
  }

  /// Converts an error in a query to a failure.
  package init(_ error: QueryError) { self.init(message: error.message, hint: error.hint) }
}
