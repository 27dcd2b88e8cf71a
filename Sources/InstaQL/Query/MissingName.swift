package import Triples

/// A name that a query requires of linked entities although no entity has it, so that no row
/// matches.
package struct MissingName: Hashable, Sendable {
  /// The namespace of the linked entities.
  package let namespace: String
  /// The attribute whose values are the names. Its values are unique.
  package let label: String
  /// The alternative names. A row can match only if at least one of them exists.
  package let names: [String]
  /// The existing name that is most similar to the missing one; nil if no name is similar.
  package private(set) var nearest: String?
  /// One of the names that is the value of another unique attribute; nil if there is none.
  private var elsewhere: Elsewhere?

  private struct Elsewhere: Hashable {
    let label: String
    let name: String
  }

  package init(namespace: String, label: String, names: [String], nearest: String? = nil) {
    (self.namespace, self.label, self.names) = (namespace, label, names)
    self.nearest = nearest
  }

  /// The reason as a sentence, with a suggestion if there is one.
  package var sentence: String {
    let list = names.prefix(Self.maxListed).map { JSONWriter.text(.text($0)) }
      .joined(separator: " or ")
    let rest = names.count > Self.maxListed ? " or …" : ""
    return "No \(namespace) row has the \(label) \(list)\(rest)."
      + (elsewhere.map { " One has the \($0.label) \(JSONWriter.text(.text($0.name)))." } ?? "")
      + (nearest.map { " Did you mean \(JSONWriter.text(.text($0)))?" } ?? "")
  }

  private static let maxListed = 3
  /// The maximum number of other attributes that are searched for a name.
  private static let maxOthers = 4
  /// The maximum number of existing names that are searched for a similar one.
  private static let maxSearched = 50_000

  /// The query for the entities that have one of the required names.
  private var matches: QueryPlan { matches(in: label) }

  /// Returns the query for an entity whose value of an attribute is one of the required names.
  private func matches(in label: String) -> QueryPlan {
    let condition = ConditionNode.isIn(AttributePath([label]), names.map { .text($0) })
    return QueryPlan(namespace, condition: condition).fields([label]).limit(1)
  }

  /// Returns the other unique attributes with texts, up to a limit.
  private func otherLabels(in schema: Schema) -> [String] {
    schema.attributes(of: namespace).filter {
      $0.isUnique && !$0.isIdentity && $0.checkedType == .string && $0.label != label
    }.prefix(Self.maxOthers).map(\.label)
  }

  /// The query for the names that exist.
  private var others: QueryPlan {
    QueryPlan(namespace).fields([label]).limit(Self.maxSearched)
  }

  /// Returns the first name that a plan requires of linked entities, but that no entity has. Nil if
  /// there is no such name.
  ///
  /// - Parameter answer: Answers a query of the same store.
  package static func first<Failure: Error>(
    of plan: QueryPlan, in schema: Schema,
    answer: (QueryPlan) async throws(Failure) -> Answer
  ) async throws(Failure) -> MissingName? {
    for var required in plan.requiredNames(in: schema) {
      guard try await answer(required.matches).rows.isEmpty else { continue }
      for label in required.otherLabels(in: schema) {
        let found = try await answer(required.matches(in: label))
        guard let entity = found.rows.first, case .text(let name)? = found.value(entity, label)
        else { continue }
        required.elsewhere = Elsewhere(label: label, name: name)
        return required
      }
      let others = try await answer(required.others)
      let known = others.rows.compactMap { entity -> String? in
        guard case .text(let name)? = others.value(entity, required.label) else { return nil }
        return name
      }
      required.nearest =
        required.names.lazy.compactMap { NearestName.nearest($0, among: known) }
        .first
      return required
    }
    return nil
  }
}

extension QueryPlan {
  /// Whether the filter requires names of linked entities.
  package func requiresNames(in schema: Schema) -> Bool { !requiredNames(in: schema).isEmpty }

  /// The names that the filter requires of linked entities. If any of them does not exist, no row
  /// matches.
  fileprivate func requiredNames(in schema: Schema) -> [MissingName] {
    condition?.requiredNames(of: namespace, in: schema) ?? []
  }
}

extension ConditionNode {
  /// The names that the condition requires of entities to which links lead from a namespace.
  fileprivate func requiredNames(of namespace: String, in schema: Schema) -> [MissingName] {
    switch self {
    case .compare(let path, .equal, let value):
      MissingName(at: path, from: namespace, in: schema, values: [value]).map { [$0] } ?? []
    case .isIn(let path, let values):
      MissingName(at: path, from: namespace, in: schema, values: values).map { [$0] } ?? []
    case .all(let parts), .together(let parts):
      parts.flatMap { $0.requiredNames(of: namespace, in: schema) }
    case .any(let parts): Self.requiredOfAny(parts, of: namespace, in: schema)
    case .compare, .isNull, .compareFields, .idStartsWith, .not, .quantified, .linkCount: []
    }
  }

  /// Returns what a list of alternatives requires: a name only if all parts require a name in the
  /// same attribute.
  private static func requiredOfAny(
    _ parts: [ConditionNode], of namespace: String, in schema: Schema
  ) -> [MissingName] {
    let required = parts.map { $0.requiredNames(of: namespace, in: schema).first }
    guard let first = required.first ?? nil,
      required.allSatisfy({ $0?.namespace == first.namespace && $0?.label == first.label })
    else { return [] }
    return [
      MissingName(
        namespace: first.namespace, label: first.label, names: required.flatMap { $0?.names ?? [] })
    ]
  }
}

extension MissingName {
  /// Creates the requirement that a linked entity has one of these values as its name. Nil if the
  /// values are not names.
  fileprivate init?(
    at path: AttributePath, from namespace: String, in schema: Schema, values: [Value]
  ) {
    guard path.expression == nil, !path.isOwn, !values.isEmpty,
      let target = schema.namespace(from: namespace, along: path.links),
      let attribute = schema.attribute(target, path.label), attribute.isUnique,
      !attribute.isIdentity, attribute.valueType == .blob
    else { return nil }
    var names: [String] = []
    for value in values {
      guard case .text(let name) = value else { return nil }
      names.append(name)
    }
    self.init(namespace: target, label: path.label, names: names)
  }
}
