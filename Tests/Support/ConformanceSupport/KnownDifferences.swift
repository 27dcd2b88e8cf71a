import InstaQL
package import Triples

/// The rules by which the engine deliberately differs from the reference, as the specification
/// recommends for a shared engine. An answer may differ only if a rule applies.
package struct KnownDifferences {
  package struct Rule: Sendable {
    package let reason: String
    fileprivate let applies: @Sendable (KnownDifferences, [Condition]) -> Bool
  }

  /// A condition of a query: `path: {operator: operand}`.
  fileprivate struct Condition {
    let path: [String]
    let comparison: String
    let operand: Value
    /// Whether it is part of an `and` or `or`.
    let isInList: Bool
  }

  private let store: TripleStore
  private let hasDateObjects: Bool

  package init(in store: TripleStore, hasDateObjects: Bool) {
    self.store = store
    self.hasDateObjects = hasDateObjects
  }

  /// The rules by which the answer to a query may differ.
  package func rules(for query: Value) -> [Rule] {
    let conditions = Self.conditions(of: query)
    return Self.all.filter { $0.applies(self, conditions) }
  }

  package static let all = [
    Rule(reason: "a null is never less or greater; there it counts as 0") { known, conditions in
      conditions.contains {
        order.contains($0.comparison) && ($0.operand == .null || known.values($0).contains(.null))
      }
    },
    Rule(reason: "only values of one type are less or greater; there a text is a number, too") {
      known, conditions in
      conditions.contains { condition in
        guard order.contains(condition.comparison), let kind = condition.operand.kind else {
          return false
        }
        return known.values(condition).contains { $0.kind.map { $0 != kind } ?? false }
      }
    },
    Rule(reason: "a list is never less or greater; there it is compared as a text") {
      known, conditions in
      conditions.contains {
        order.contains($0.comparison)
          && ($0.operand.list != nil || known.values($0).contains { $0.list != nil })
      }
    },
    Rule(reason: "`_` is one character; there it is half of one beyond U+FFFF") {
      known, conditions in
      conditions.contains { condition in
        guard let pattern = condition.pattern, pattern.contains("_") else { return false }
        return ([condition.operand] + known.values(condition)).contains { value in
          value.text?.unicodeScalars.contains { $0.value > 0xFFFF } == true
        }
      }
    },
    Rule(reason: "a backslash escapes in a pattern") { _, conditions in
      conditions.contains { $0.pattern?.contains("\\") == true }
    },
    Rule(reason: "dates are equal as instants; there as what was written") { known, conditions in
      conditions.contains { !order.contains($0.comparison) && known.isDate($0) }
    },
    Rule(reason: "paths are independent in lists, and where a value may be missing") {
      _, conditions in
      conditions.filter { $0.path.count > 1 }.count > 1
        && conditions.contains { $0.path.count > 1 && ($0.isInList || $0.holdsForMissing) }
    },
    Rule(reason: "reverse links take every operator") { known, conditions in
      conditions.contains { $0.comparison != "$isNull" && known.isReverseLink($0) }
    },
  ]

  /// Whether a step of the reference deleted an entity that the store keeps, by a cascade.
  ///
  /// The reference follows the links of an entity in all its namespaces; the specification, those of
  /// the namespace that it is deleted from. So one of the deleted must have lived in two.
  ///
  /// - Parameters:
  ///   - before: The store before the step.
  ///   - after: The store after it.
  package static func cascadesFurther(
    _ step: JSONObject, from before: TripleStore, to after: TripleStore
  ) -> Bool {
    let delta = (step["rebuiltDelta"] ?? step["delta"])?.object
    let deleted = (delta?["removed"]?.list ?? []).compactMap { triple -> (String, String)? in
      guard let parts = triple.list, let entity = parts[0].text, let name = parts[1].text,
        name.hasSuffix(".id")
      else { return nil }
      return (entity, String(name.dropLast(3)))
    }
    let hasTwoHomes = deleted.contains { homes(of: $0.0, in: before).count > 1 }
    return hasTwoHomes && deleted.contains { homes(of: $0.0, in: after).contains($0.1) }
  }

  private static func homes(of entity: String, in store: TripleStore) -> [String] {
    guard let handle = store.handle(of: EntityID(entity)) else { return [] }
    return store.schema.attributes.filter {
      $0.isIdentity && !store.values(handle, $0.id).isEmpty
    }.map(\.namespace)
  }

  private static let order: Set = ["$lt", "$lte", "$gt", "$gte"]

  // MARK: What the store has

  private func attributes(_ condition: Condition) -> [Attribute] {
    store.schema.attributes.filter { $0.label == condition.path.last }
  }

  private func values(_ condition: Condition) -> [Value] {
    attributes(condition).flatMap { attribute in
      store.rows(attribute.id, .stored).handles.flatMap { store.values($0, attribute.id) }
    }
  }

  private func isDate(_ condition: Condition) -> Bool {
    attributes(condition).contains { $0.checkedType == .date }
      || hasDateObjects && values(condition).contains { $0.instant != nil }
  }

  private func isReverseLink(_ condition: Condition) -> Bool {
    store.schema.attributes.contains { $0.reverse?.label == condition.path.last }
  }

  // MARK: What the query asks

  private static func conditions(of query: Value) -> [Condition] {
    (query.object?.members ?? []).flatMap { member in
      member.key == "$"
        ? conditions(in: member.value.object?["where"] ?? .null, isInList: false)
        : conditions(of: member.value)
    }
  }

  private static func conditions(in clause: Value, isInList: Bool) -> [Condition] {
    (clause.object?.members ?? []).flatMap { member -> [Condition] in
      if let list = member.value.list, member.key == "and" || member.key == "or" {
        return list.flatMap { conditions(in: $0, isInList: true) }
      }
      let path = member.key.split(separator: ".").map(String.init)
      let operators = member.value.object?.members ?? []
      guard !operators.isEmpty, operators.allSatisfy({ $0.key.hasPrefix("$") }),
        member.value.date == nil
      else {
        return [
          Condition(path: path, comparison: "", operand: member.value, isInList: isInList)
        ]
      }
      return operators.map {
        Condition(path: path, comparison: $0.key, operand: $0.value, isInList: isInList)
      }
    }
  }
}

extension Value {
  /// The type that `<` requires of both values; nil if they have no order.
  fileprivate var kind: String? {
    switch self {
    case .bool: "boolean"
    case .integer, .double: "number"
    case .text: "text"
    case .null, .array, .object: nil
    }
  }
}

extension KnownDifferences.Condition {
  fileprivate var pattern: String? {
    comparison == "$like" || comparison == "$ilike" ? operand.text : nil
  }

  /// Whether it holds for an entity that has nothing at the end of the path.
  fileprivate var holdsForMissing: Bool {
    ["$not", "$ne", "$isNull"].contains(comparison) || operand == .null
  }
}
