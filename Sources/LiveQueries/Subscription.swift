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
/// stream ends the subscription, as does ``QueryManager/unsubscribe(_:)``.
public struct Subscription: Sendable {
  public let id: SubscriptionID
  public let results: AsyncStream<LiveResult>
}
