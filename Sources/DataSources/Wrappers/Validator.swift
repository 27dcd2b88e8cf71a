/// The result of validating an object.
public enum Verdict: Sendable, Hashable {
  /// The object is valid; later strategies are not applied.
  case valid
  /// The object is invalid; the reason is a sentence.
  case invalid(reason: String)
  /// This rule does not apply; the next one decides.
  case undecided
}

/// One rule about whether an object is still valid.
///
/// A rule is built from the property that it needs, so a wrong type of object does not compile:
///
/// ```swift
/// ValidationStrategy<Goal>.timestamp({ $0.fetchedAt }, timeToLive: .seconds(60), clock: clock)
/// ```
public struct ValidationStrategy<Object: Sendable>: Sendable {
  let verdict: @Sendable (Object) async -> Verdict

  /// Creates a strategy from a closure.
  public init(_ verdict: @escaping @Sendable (Object) async -> Verdict) {
    self.verdict = verdict
  }

  /// A rule that rejects objects for which `isInvalid` is true; otherwise undecided.
  public static func invalidation(
    _ isInvalid: @escaping @Sendable (Object) -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { isInvalid($0) ? .invalid(reason: "it was marked as invalid") : .undecided }
  }

  /// A rule that accepts objects for which `isValid` is true; otherwise undecided.
  public static func validation(
    _ isValid: @escaping @Sendable (Object) -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { isValid($0) ? .valid : .undecided }
  }

  /// A rule that accepts every object while the network is unreachable; otherwise undecided.
  public static func reachability(
    _ isReachable: @escaping @Sendable () async -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { _ in await isReachable() ? .undecided : .valid }
  }

  /// A rule that accepts objects younger than `timeToLive` and rejects older ones.
  ///
  /// - Parameters:
  ///   - lastUpdate: Returns the time when the object was created; nil is undecided. A future time
  ///     counts as age zero.
  ///   - timeToLive: The duration for which objects are valid. Nil never expires; zero expires
  ///     immediately.
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

/// Applies rules in order; the first that decides determines the result.
public struct Validator<Object: Sendable>: Sendable {
  /// The ways to judge an empty array.
  public enum EmptyArrays: Sendable, Hashable {
    /// A listing without objects is an answer like any other.
    case valid
    /// A listing without objects throws `notValid`.
    case invalid
  }

  private let strategies: [ValidationStrategy<Object>]
  private let undecided: Verdict
  private let empty: EmptyArrays

  /// Creates a validator.
  /// - Parameter undecided: The verdict when no rule decides.
  public init(
    _ strategies: [ValidationStrategy<Object>],
    undecided: Verdict = .invalid(reason: "no rule accepts it"), empty: EmptyArrays = .valid
  ) {
    self.strategies = strategies
    self.undecided = undecided
    self.empty = empty
  }

  /// A validator that accepts every object.
  public static var lenient: Validator { Validator([], undecided: .valid) }

  /// The verdict of the first strategy that decides, or of the default.
  public func verdict(_ object: Object) async -> Verdict {
    for strategy in strategies {
      let verdict = await strategy.verdict(object)
      if verdict != .undecided { return verdict }
    }
    return undecided
  }

  /// Checks one object.
  /// - Throws: `notValid` with the reason.
  public func check(_ object: Object) async throws(DataSourceError) {
    if let reason = refusal(await verdict(object)) {
      throw .notValid("The object is not valid: \(reason).")
    }
  }

  /// Checks all objects.
  /// - Throws: `notValid` with the index of the first invalid object, from 0.
  public func check(all objects: [Object]) async throws(DataSourceError) {
    if objects.isEmpty, empty == .invalid { throw .notValid("The list of objects is empty.") }
    for (index, object) in objects.enumerated() {
      if let reason = refusal(await verdict(object)) {
        throw .notValid("The object at index \(index) is not valid: \(reason).")
      }
    }
  }

  private func refusal(_ verdict: Verdict) -> String? {
    switch verdict {
    case .valid: nil
    case .invalid(let reason): reason
    case .undecided: "no rule accepts it"
    }
  }
}
