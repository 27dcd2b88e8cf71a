/// A JSON object that preserves the order of its members.
///
/// The order does not affect equality.
public struct JSONObject: Sendable {
  /// A key and its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: Value

    /// Creates a key with a value.
    public init(key: String, value: Value) {
      self.key = key
      self.value = value
    }

    public static func == (a: Member, b: Member) -> Bool {
      a.key.isExactly(b.key) && a.value == b.value
    }
  }

  /// The members in order, each key once.
  public private(set) var members: [Member]

  /// Creates an object.
  ///
  /// - Parameter members: The members. If a key occurs several times, its last value is used at its
  ///   first position.
  public init(_ members: [Member] = []) {
    let isShort = members.count <= 8
    if isShort
      ? Self.areUnique(members) : Set(members.map { ExactText($0.key) }).count == members.count
    {
      self.members = members
      return
    }
    self.members = []
    var places: [ExactText: Int] = [:]
    for member in members {
      if let place = places[ExactText(member.key)] {
        self.members[place].value = member.value
      } else {
        places[ExactText(member.key)] = self.members.count
        self.members.append(member)
      }
    }
  }

  private static func areUnique(_ members: [Member]) -> Bool {
    for (place, member) in members.enumerated() {
      for earlier in members[..<place] where earlier.key.isExactly(member.key) { return false }
    }
    return true
  }

  /// Creates an object from members with unique keys.
  package init(unique members: [Member]) {
    self.members = members
  }

  /// The number of members.
  public var count: Int { members.count }
  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }
  /// The keys in order.
  public var keys: [String] { members.map(\.key) }

  /// The value of a key. Setting nil removes the key; a new key is appended.
  ///
  /// - Complexity: O(members).
  public subscript(key: String) -> Value? {
    get { members.first { $0.key.isExactly(key) }?.value }
    set {
      guard let place = members.firstIndex(where: { $0.key.isExactly(key) }) else {
        if let newValue { members.append(Member(key: key, value: newValue)) }
        return
      }
      if let newValue { members[place].value = newValue } else { members.remove(at: place) }
    }
  }

  /// The members sorted by the UTF-8 of their keys, as in canonical text.
  package var sortedMembers: [Member] {
    members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

extension JSONObject: Hashable {
  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    guard a.count == b.count else { return false }
    // Values are compared only once. Comparing them twice per level would take 2ⁿ comparisons at
    // level n.
    let isInOneOrder = zip(a.members, b.members).allSatisfy { $0.key.isExactly($1.key) }
    return isInOneOrder ? a.members == b.members : a.sortedMembers == b.sortedMembers
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    // The sum of the members' hashes does not depend on their order.
    var sum = 0
    for member in members { sum &+= member.hashValue }
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements.map { Member(key: $0.0, value: $0.1) })
  }
}
