import Triples

/// What is different between two answers to one query: which entities came, went and changed.
///
/// Entities are told apart by their id. Of a changed one each member that differs is told with its
/// old and new value, nested relations as a whole; a member that was or is missing has no such side.
struct AnswerChanges {
  enum Change: Equatable {
    case added(JSONObject)
    case removed(JSONObject)
    /// The id, and the members that differ.
    case changed(Value, [Member])
  }

  struct Member: Equatable {
    let key: String
    let old: Value?
    let new: Value?
  }

  /// By namespace, in the order of the answers; those that left come first.
  let changes: [(namespace: String, changes: [Change])]

  /// - Parameters: The `data` of two answers: lists of objects by namespace.
  init(from old: Value?, to new: Value?) {
    guard case .object(let new)? = new else {
      changes = []
      return
    }
    let old: JSONObject = if case .object(let object)? = old { object } else { JSONObject() }
    changes = new.members.compactMap { member in
      let changes = Self.changes(from: Self.rows(old[member.key]), to: Self.rows(member.value))
      return changes.isEmpty ? nil : (member.key, changes)
    }
  }

  private static func changes(from old: [JSONObject], to new: [JSONObject]) -> [Change] {
    let before = Dictionary(old.map { ($0["id"], $0) }) { first, _ in first }
    let kept = Set(new.map { $0["id"] })
    var changes = old.filter { !kept.contains($0["id"]) }.map(Change.removed)
    for entity in new {
      guard let known = before[entity["id"]] else {
        changes.append(.added(entity))
        continue
      }
      let members = differences(from: known, to: entity)
      if !members.isEmpty { changes.append(.changed(entity["id"] ?? .null, members)) }
    }
    return changes
  }

  private static func differences(from old: JSONObject, to new: JSONObject) -> [Member] {
    let gone = old.members.filter { new[$0.key] == nil }
      .map { Member(key: $0.key, old: $0.value, new: nil) }
    return gone
      + new.members.compactMap { member in
        let known = old[member.key]
        return known == member.value
          ? nil : Member(key: member.key, old: known, new: member.value)
      }
  }

  private static func rows(_ value: Value?) -> [JSONObject] {
    guard case .array(let items)? = value else { return [] }
    return items.compactMap { if case .object(let object) = $0 { object } else { nil } }
  }
}

extension AnswerChanges {
  /// `{"cities": [{"type": "changed", "id": …, "attributes": {"name": {"old": …, "new": …}}}, …]}`;
  /// entities that came and went stand whole under `entity`.
  var json: Value {
    .object(
      JSONObject(
        changes.map { .init(key: $0.namespace, value: .array($0.changes.map(\.json))) }))
  }
}

extension AnswerChanges.Change {
  fileprivate var json: Value {
    switch self {
    case .added(let entity):
      ["type": "added", "id": entity["id"] ?? .null, "entity": .object(entity)]
    case .removed(let entity):
      ["type": "removed", "id": entity["id"] ?? .null, "entity": .object(entity)]
    case .changed(let id, let members):
      [
        "type": "changed", "id": id,
        "attributes": .object(JSONObject(members.map { .init(key: $0.key, value: $0.json) })),
      ]
    }
  }
}

extension AnswerChanges.Member {
  fileprivate var json: Value {
    var sides = JSONObject()
    sides["old"] = old
    sides["new"] = new
    return .object(sides)
  }
}
