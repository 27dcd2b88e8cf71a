/// Identifies a subscriber; unique within one manager.
public struct SubscriptionID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) {
    self.number = number
  }
}

/// A subscription to a query.
///
/// `results` delivers the last known result immediately, then the newest result after each change.
/// Dropping the sequence ends the subscription, like ``QueryManager/unsubscribe(_:)``.
public struct Subscription: Sendable {
  /// The id for ending the subscription.
  public let id: SubscriptionID
  /// The results; only the newest unread one is kept.
  public let results: LiveResults
}

/// Identifies a distinct query of a manager while it has subscribers.
package struct QueryNumber: Hashable, Sendable, Comparable {
  let value: Int

  package static func < (a: QueryNumber, b: QueryNumber) -> Bool { a.value < b.value }

  package init(_ value: Int) {
    self.value = value
  }
}
