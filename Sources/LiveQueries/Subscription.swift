/// Identifies a subscription. It is unique within one manager.
public struct SubscriptionID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) {
    self.number = number
  }
}

/// A subscription to a query.
///
/// `results` delivers the last known result immediately, then the newest result after each change.
/// The subscription ends when the sequence is released, or with ``QueryManager/unsubscribe(_:)``.
public struct Subscription: Sendable {
  /// The id with which to end the subscription.
  public let id: SubscriptionID
  /// The results. Of those that are not read yet, only the newest is kept.
  public let results: LiveResults
}

/// Identifies a distinct query of a manager, as long as the query has subscribers.
package struct QueryNumber: Hashable, Sendable, Comparable {
  let value: Int

  package static func < (a: QueryNumber, b: QueryNumber) -> Bool { a.value < b.value }

  package init(_ value: Int) {
    self.value = value
  }
}
