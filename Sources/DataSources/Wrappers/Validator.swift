/// The verdict of a rule on an object.
public enum Verdict: Sendable, Hashable {
  /// The object is valid. Later rules are not applied.
  case valid
  /// The object is invalid. The reason is a sentence.
  case invalid(reason: String)
  /// The rule does not apply. The next rule decides.
  case undecided
}

/// One rule that decides whether an object is still valid.
///
/// A rule is created with a closure that reads the property it needs, so a rule for another type of
/// object does not compile:
///
/// ```swift
/// ValidationStrategy<Goal>.timestamp({ $0.fetchedAt }, timeToLive: .seconds(60), clock: clock)
/// ```
public struct ValidationStrategy<Object: Sendable>: Sendable {
  let verdict: @Sendable (Object) async -> Verdict

  /// Creates a rule from a closure.
  public init(_ verdict: @escaping @Sendable (Object) async -> Verdict) {
    self.verdict = verdict
  }

  /// Returns a rule that rejects objects for which `isInvalid` returns true, and is undecided about
  /// all others.
  public static func invalidation(
    _ isInvalid: @escaping @Sendable (Object) -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { isInvalid($0) ? .invalid(reason: "it was marked as invalid") : .undecided }
  }

  /// Returns a rule that accepts objects for which `isValid` returns true, and is undecided about
  /// all others.
  public static func validation(
    _ isValid: @escaping @Sendable (Object) -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { isValid($0) ? .valid : .undecided }
  }

  /// Returns a rule that accepts every object while the network is unreachable. While it is
  /// reachable, the rule is undecided.
  public static func reachability(
    _ isReachable: @escaping @Sendable () async -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { _ in await isReachable() ? .undecided : .valid }
  }

  /// Returns a rule that accepts objects younger than `timeToLive` and rejects older ones.
  ///
  /// - Parameters:
  ///   - lastUpdate: Returns the time when the object was last updated. If it is nil, the rule is
  ///     undecided. A time in the future counts as age zero.
  ///   - timeToLive: The duration for which objects are valid. With nil they never expire; with
  ///     zero they expire immediately.
  public static func timestamp<Time: Clock>(
    _ lastUpdate: @escaping @Sendable (Object) -> Time.Instant?, timeToLive: Duration?,
    clock: Time
  ) -> ValidationStrategy where Time.Duration == Duration {
    ValidationStrategy { object in
      guard let lastUpdate = lastUpdate(object) else { return .undecided }
      guard let timeToLive else { return .valid }
      let age = max(.zero, lastUpdate.duration(to: clock.now))
      return age < timeToLive
        ? .valid : .invalid(reason: "it is \(age) old, but is valid only for \(timeToLive)")
    }
  }
}

/// Applies rules in order. The first rule that decides determines the result.
public struct Validator<Object: Sendable>: Sendable {
  /// Whether an empty array is valid.
  public enum EmptyArrays: Sendable, Hashable {
    /// A listing without objects is valid.
    case valid
    /// A listing without objects throws `notValid`.
    case invalid
  }

  private let strategies: [ValidationStrategy<Object>]
  private let undecided: Verdict
  private let empty: EmptyArrays

  /// Creates a validator.
  /// - Parameter undecided: The verdict if no rule decides.
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

  /// Returns the verdict of the first rule that decides, or else the default verdict.
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
  /// - Throws: `notValid` with the index of the first invalid object, counted from 0.
  public func check(all objects: [Object]) async throws(DataSourceError) {
    if objects.isEmpty, empty == .invalid {
      throw .notValid("The list of objects is empty, but must contain at least one object.")
    }
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
