import InstaQL
import Triples

/// The differences between two answers to the same query: added, removed and changed entities.
///
/// Entities are matched by their ids, and rows of groups or aggregates by their group. A changed
/// entity lists each member that differs, with its old and new value. A nested relation counts as
/// one member. If a member is missing in one of the answers, that value is omitted.
struct JSONChanges {
  enum Kind: String { case added, removed, changed }

  struct Change: Equatable {
    let kind: Kind
    /// The key that identifies the row: `id` with the entity's id, `group` with the values that it
    /// is grouped by, or `row` with all members of a database row without an id.
    let name: Member.Side
    /// All members of an added or removed entity, or the changed members.
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

  /// The changes by namespace, in the order of the answers. Removed entities come first.
  let changes: [(namespace: String, changes: [Change])]

  /// Computes the differences between two answers.
  ///
  /// - Parameters:
  ///   - old: The `data` of an answer: lists of objects by namespace.
  ///   - new: The `data` of a later answer.
  ///   - answers: The answers of the namespaces in `new`. They determine how rows that are not
  ///     entities, such as groups, are identified.
  init(from old: Value?, to new: Value?, of answers: [Answer]) {
    guard case .object(let new)? = new else {
      changes = []
      return
    }
    let old: JSONObject = if case .object(let object)? = old { object } else { JSONObject() }
    changes = new.members.compactMap { member in
      let identification = Self.identification(
        of: answers.filter { $0.plan.namespace == member.key })
      let changes = Self.changes(
        from: Self.rows(old[member.key]), to: Self.rows(member.value), by: identification)
      return changes.isEmpty ? nil : (member.key, changes)
    }
  }

  private enum Identification {
    case id
    case members([String])
    case allMembers
  }

  private static func identification(of answers: [Answer]) -> Identification {
    if let answer = answers.first(where: { $0.table != nil }) {
      return .members(
        answer.plan.groups.isEmpty && answer.plan.isDistinct
          ? answer.table?.columns ?? [] : answer.plan.groups.map(\.dotted))
    }
    guard let answer = answers.first else { return .id }
    return answer.store.schema.shownID(of: answer.namespace) == nil ? .allMembers : .id
  }

  private static func changes(
    from old: [JSONObject], to new: [JSONObject], by identification: Identification
  ) -> [Change] {
    func name(_ object: JSONObject) -> Member.Side {
      switch identification {
      case .id: return Member.Side(key: "id", value: object["id"] ?? .null)
      case .members(let columns):
        let members = columns.map { JSONObject.Member(key: $0, value: object[$0] ?? .null) }
        return Member.Side(key: "group", value: .object(JSONObject(members)))
      case .allMembers: return Member.Side(key: "row", value: .object(object))
      }
    }
    let difference = RowDifference(
      from: RowKey.all(of: old.map { name($0).value }),
      to: RowKey.all(of: new.map { name($0).value }))
    let removed = difference.removed.map {
      Change(kind: .removed, name: name(old[$0]), object: old[$0])
    }
    return removed
      + new.enumerated().compactMap { row, object in
        guard let place = difference.place(of: row) else {
          return Change(kind: .added, name: name(object), object: object)
        }
        let members = differences(from: old[place], to: object)
        return members.isEmpty
          ? nil
          : Change(kind: .changed, name: name(object), object: object, members: members)
      }
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

  /// The key of a row, and which of the rows with this key it is.
  private struct RowKey: Hashable {
    let value: Value
    let occurrence: Int

    static func all(of values: [Value]) -> [RowKey] {
      var counts: [Value: Int] = [:]
      return values.map { value in
        counts[value, default: 0] += 1
        return RowKey(value: value, occurrence: counts[value] ?? 1)
      }
    }
  }

  private static func rows(_ value: Value?) -> [JSONObject] {
    guard case .array(let items)? = value else { return [] }
    return items.compactMap { if case .object(let object) = $0 { object } else { nil } }
  }
}

extension JSONChanges {
  /// The changes as a JSON object with a list for each namespace.
  ///
  ///     {"cities": [{"type": "changed", "id": …, "attributes": {"name": {"old": …, "new": …}}}, …]}
  ///
  /// For an added or removed entity, `entity` contains all its members. Groups and aggregates use
  /// `row` instead.
  var json: Value {
    .object(
      JSONObject(
        changes.map { .init(key: $0.namespace, value: .array($0.changes.map(\.json))) }))
  }
}

extension JSONChanges.Change {
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

extension JSONChanges.Member {
  fileprivate var json: Value {
    var sides = JSONObject()
    sides["old"] = old
    sides["new"] = new
    return .object(sides)
  }
}
