/// Names one subscriber; never used twice by one manager.
public struct SubscriptionID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) {
    self.number = number
  }
}

/// One subscriber's interest in a query: who it is, and what it hears.
///
/// `results` gives the last known result at once, then the newest after each change. Dropping the
/// sequence ends the subscription, as does ``QueryManager/unsubscribe(_:)``.
public struct Subscription: Sendable {
  public let id: SubscriptionID
  public let results: LiveResults
}

/// Names one distinct query of a manager, for as long as it has subscribers.
package struct QueryNumber: Hashable, Sendable, Comparable {
  let value: Int

  package static func < (a: QueryNumber, b: QueryNumber) -> Bool { a.value < b.value }

  package init(_ value: Int) {
    self.value = value
  }
}
