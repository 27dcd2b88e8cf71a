import InstaQL
import Triples

/// What is different between two answers to one query: which entities came, went and changed.
///
/// Entities are told apart by their id, rows of a summary by what their entities have in common. Of a
/// changed one each member that differs is told with its old and new value, nested relations as a
/// whole; a member that was or is missing has no such side.
struct AnswerChanges {
  enum Kind: String { case added, removed, changed }

  struct Change: Equatable {
    let kind: Kind
    /// `id` and the id of an entity, or `group` and the members that name a row.
    let name: Member.Side
    /// The whole of what came or went; of what changed the members that differ.
    let object: JSONObject
    var members: [Member] = []
  }

  struct Member: Equatable {
    struct Side: Equatable {
      let key: String
      let value: Value
    }

    let key: String
    let old: Value?
    let new: Value?
  }

  /// By namespace, in the order of the answers; those that left come first.
  let changes: [(namespace: String, changes: [Change])]

  /// - Parameters:
  ///   - old: The `data` of an answer: lists of objects by namespace.
  ///   - new: The same of a later one.
  ///   - answers: What the later one is of, for the names of rows that are no entities.
  init(from old: Value?, to new: Value?, of answers: [Answer]) {
    guard case .object(let new)? = new else {
      changes = []
      return
    }
    let old: JSONObject = if case .object(let object)? = old { object } else { JSONObject() }
    changes = new.members.compactMap { member in
      let plan = answers.first { $0.plan.namespace == member.key && $0.table != nil }?.plan
      let columns = plan.map { $0.isDistinct ? $0.fields ?? [] : $0.groups.map(\.dotted) }
      let changes = Self.changes(
        from: Self.rows(old[member.key]), to: Self.rows(member.value), namedBy: columns)
      return changes.isEmpty ? nil : (member.key, changes)
    }
  }

  private static func changes(
    from old: [JSONObject], to new: [JSONObject], namedBy columns: [String]?
  ) -> [Change] {
    func name(_ object: JSONObject) -> Member.Side {
      guard let columns else { return Member.Side(key: "id", value: object["id"] ?? .null) }
      let members = columns.map { JSONObject.Member(key: $0, value: object[$0] ?? .null) }
      return Member.Side(key: "group", value: .object(JSONObject(members)))
    }
    let before = Dictionary(old.map { (name($0).value, $0) }) { first, _ in first }
    let kept = Set(new.map { name($0).value })
    var changes = old.filter { !kept.contains(name($0).value) }
      .map { Change(kind: .removed, name: name($0), object: $0) }
    for object in new {
      let name = name(object)
      guard let known = before[name.value] else {
        changes.append(Change(kind: .added, name: name, object: object))
        continue
      }
      let members = differences(from: known, to: object)
      if !members.isEmpty {
        changes.append(
          Change(kind: .changed, name: name, object: object, members: members))
      }
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
  /// what came and went stands whole under `entity`, or under `row` in a summary.
  var json: Value {
    .object(
      JSONObject(
        changes.map { .init(key: $0.namespace, value: .array($0.changes.map(\.json))) }))
  }
}

extension AnswerChanges.Change {
  fileprivate var json: Value {
    var json = JSONObject([
      .init(key: "type", value: .text(kind.rawValue)), .init(key: name.key, value: name.value),
    ])
    switch kind {
    case .added, .removed: json[name.key == "id" ? "entity" : "row"] = .object(object)
    case .changed:
      json["attributes"] = .object(
        JSONObject(members.map { .init(key: $0.key, value: $0.json) }))
    }
    return .object(json)
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
