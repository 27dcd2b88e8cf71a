/// What somebody thinks of an object.
public enum Verdict: Sendable, Hashable {
  case valid
  case invalid(reason: String)
  /// The object is for somebody else to judge.
  case undecided
}

/// One rule about whether an object may still be used.
///
/// A rule is made from what it needs of the object, so that an object that lacks it does not compile:
///
/// ```swift
/// ValidationStrategy<Goal>.timestamp({ $0.fetchedAt }, timeToLive: .seconds(60), clock: clock)
/// ```
public struct ValidationStrategy<Object: Sendable>: Sendable {
  let verdict: @Sendable (Object) async -> Verdict

  public init(_ verdict: @escaping @Sendable (Object) async -> Verdict) {
    self.verdict = verdict
  }

  /// Invalid where `isInvalid` says so; otherwise undecided.
  public static func invalidation(
    _ isInvalid: @escaping @Sendable (Object) -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { isInvalid($0) ? .invalid(reason: "it was marked as invalid") : .undecided }
  }

  /// Valid where `isValid` says so; otherwise undecided.
  public static func validation(
    _ isValid: @escaping @Sendable (Object) -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { isValid($0) ? .valid : .undecided }
  }

  /// Valid while the network cannot be reached, since nothing better is to be had; undecided with it.
  public static func reachability(
    _ isReachable: @escaping @Sendable () async -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { _ in await isReachable() ? .undecided : .valid }
  }

  /// Valid while the object is younger than `timeToLive`, invalid from then on.
  ///
  /// - Parameters:
  ///   - lastUpdate: When the object was made; nil is undecided. A time to come is an age of zero.
  ///   - timeToLive: Nil is for ever; zero is never.
  public static func timestamp<Time: Clock>(
    _ lastUpdate: @escaping @Sendable (Object) -> Time.Instant?, timeToLive: Duration?,
    clock: Time
  ) -> ValidationStrategy where Time.Duration == Duration {
    ValidationStrategy { object in
      guard let lastUpdate = lastUpdate(object) else { return .undecided }
      guard let timeToLive else { return .valid }
      let age = max(.zero, lastUpdate.duration(to: clock.now))
      return age < timeToLive ? .valid : .invalid(reason: "it is \(age) old")
    }
  }
}

/// Judges objects by strategies in order: the first that decides has the last word.
public struct Validator<Object: Sendable>: Sendable {
  /// What an array without elements is.
  public enum EmptyArrays: Sendable, Hashable {
    case valid, invalid
  }

  private let strategies: [ValidationStrategy<Object>]
  private let undecided: Verdict
  private let empty: EmptyArrays

  /// - Parameter undecided: The verdict when no strategy decides.
  public init(
    _ strategies: [ValidationStrategy<Object>],
    undecided: Verdict = .invalid(reason: "nobody vouches for it"), empty: EmptyArrays = .valid
  ) {
    self.strategies = strategies
    self.undecided = undecided
    self.empty = empty
  }

  /// Finds every object valid.
  public static var lenient: Validator { Validator([], undecided: .valid) }

  public func verdict(_ object: Object) async -> Verdict {
    for strategy in strategies {
      let verdict = await strategy.verdict(object)
      if verdict != .undecided { return verdict }
    }
    return undecided
  }

  /// - Throws: `notValid` with the reason.
  public func check(_ object: Object) async throws(DataSourceError) {
    if let reason = refusal(await verdict(object)) {
      throw .notValid("The object is not valid: \(reason).")
    }
  }

  /// - Throws: `notValid` with the place of the first invalid element, counted from 0.
  public func check(all objects: [Object]) async throws(DataSourceError) {
    if objects.isEmpty, empty == .invalid { throw .notValid("There are no objects.") }
    for (index, object) in objects.enumerated() {
      if let reason = refusal(await verdict(object)) {
        throw .notValid("The object at \(index) is not valid: \(reason).")
      }
    }
  }

  private func refusal(_ verdict: Verdict) -> String? {
    switch verdict {
    case .valid: nil
    case .invalid(let reason): reason
    case .undecided: "nobody vouches for it"
    }
  }
}
