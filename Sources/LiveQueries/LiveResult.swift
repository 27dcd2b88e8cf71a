public import InstaQL
public import Triples

/// What a subscriber receives.
public enum LiveResult: Sendable, Equatable {
  /// The store has not answered yet.
  case loading
  /// The answer as of one snapshot.
  case loaded(LiveAnswer)
  /// The query cannot be answered now; an answer may still follow.
  case failed(LiveFailure)
}

/// The answer to every plan of a document, as of one snapshot.
public struct LiveAnswer: Sendable {
  public let document: QueryDocument
  /// One a plan of the document, in its order.
  public let answers: [Answer]
  public let snapshot: StoreSnapshot
  /// What the evaluation took; no part of equality.
  public let elapsed: Duration

  public init(
    document: QueryDocument, answers: [Answer], snapshot: StoreSnapshot, elapsed: Duration = .zero
  ) {
    self.document = document
    self.answers = answers
    self.snapshot = snapshot
    self.elapsed = elapsed
  }
}

extension LiveAnswer: Equatable {
  /// The same question to the same snapshot has the same answer.
  public static func == (a: LiveAnswer, b: LiveAnswer) -> Bool {
    a.document == b.document && a.snapshot == b.snapshot
  }
}

/// Why there is no answer, in words for a person.
public struct LiveFailure: Error, Sendable, Hashable {
  /// What is wrong.
  public let message: String
  /// What to do next, when that is known.
  public let hint: String?

  public init(message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}
