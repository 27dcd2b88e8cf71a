import InstaQL
import Triples

/// The meaning of conditions, entity by entity.
extension NaiveWorld {
  /// Whether an entity passes the filter of a plan. False for unknown names.
  func holds(_ condition: ConditionNode?, _ entity: String, in namespace: String) -> Bool {
    guard let condition else { return true }
    if hasUnknownName(condition, in: namespace) { return false }
    if case .together(let parts) = condition { return meet(parts, entity, namespace) }
    return check(condition, entity, namespace)
  }

  private func check(_ node: ConditionNode, _ entity: String, _ namespace: String) -> Bool {
    switch node {
    case .all(let parts), .together(let parts):
      return parts.allSatisfy { check($0, entity, namespace) }
    case .any(let parts): return parts.contains { check($0, entity, namespace) }
    case .not(let inner): return !check(inner, entity, namespace)
    case .quantified(let quantifier, let path, let inner):
      let (ends, target) = walk(path.labels[...], entity, namespace)
      switch quantifier {
      case .some: return ends.contains { check(inner, $0, target) }
      case .none: return !ends.contains { check(inner, $0, target) }
      case .every: return ends.allSatisfy { check(inner, $0, target) }
      }
    case .linkCount(let path, let comparison, let count):
      let linked = Set(walk(path.labels[...], entity, namespace).ends).count
      return contains(entity, in: namespace) && Self.holds(linked, comparison, count)
    case .compareFields(let left, let comparison, let right):
      return compareFields(left, comparison, right, entity, namespace)
    case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _):
      return along(path.links, node, entity, namespace)
    case .idStartsWith(let links, _): return along(links[...], node, entity, namespace)
    }
  }

  private static func holds(_ left: Int, _ comparison: Comparison, _ right: Int) -> Bool {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .like, .ilike, .matches: false
    }
  }

  /// Whether any path along the links leads to a matching entity; for conditions that match
  /// missing values, an incomplete path suffices.
  private func along(
    _ links: ArraySlice<String>, _ node: ConditionNode, _ entity: String, _ namespace: String
  ) -> Bool {
    guard let label = links.first, let link = link(namespace, label) else {
      return atEnd(node, entity, namespace)
    }
    let ends = linked(entity, link)
    if ends.isEmpty { return node.holdsForMissing && contains(entity, in: namespace) }
    return ends.contains { along(links.dropFirst(), node, $0, link.target) }
  }

  private func walk(
    _ labels: ArraySlice<String>, _ entity: String, _ namespace: String
  ) -> (ends: [String], namespace: String) {
    var ends = [entity]
    var current = namespace
    for label in labels {
      guard let link = link(current, label) else { return ([], current) }
      ends = Array(Set(ends.flatMap { linked($0, link) }))
      current = link.target
    }
    return (ends, current)
  }

  /// The condition on the last label of its path.
  private func atEnd(_ node: ConditionNode, _ entity: String, _ namespace: String) -> Bool {
    switch node {
    case .compare(let path, let comparison, let value):
      let (values, type) = stored(path.label, entity, namespace)
      if comparison == .notEqual {
        if value == .null { return true }
        if values.isEmpty { return contains(entity, in: namespace) }
        return values.contains { !NaiveValue.equal($0, value, type) }
      }
      return values.contains { NaiveValue.holds($0, comparison, value, type) }
    case .isIn(let path, let list):
      let (values, type) = stored(path.label, entity, namespace)
      return values.contains { value in list.contains { NaiveValue.equal(value, $0, type) } }
    case .isNull(let path, let isNull):
      let isThere = stored(path.label, entity, namespace).values.contains { $0 != .null }
      return isNull ? !isThere && contains(entity, in: namespace) : isThere
    case .idStartsWith(_, let prefix):
      return contains(entity, in: namespace) && entity.hasPrefix(prefix.lowercased())
    default: return false
    }
  }

  /// The values of a label: of an attribute, or the ids of a link.
  private func stored(
    _ label: String, _ entity: String, _ namespace: String
  ) -> (values: [Value], type: CheckedType?) {
    if let attribute = attribute(namespace, label), attribute.valueType == .blob {
      return (values(entity, attribute.id), label == "id" ? nil : attribute.checkedType)
    }
    guard let link = link(namespace, label) else { return ([], nil) }
    return (linked(entity, link).map(Value.text), nil)
  }

  private func compareFields(
    _ left: AttributePath, _ comparison: Comparison, _ right: AttributePath, _ entity: String,
    _ namespace: String
  ) -> Bool {
    func side(_ path: AttributePath) -> (values: [Value], type: CheckedType?) {
      let (ends, target) = walk(path.links, entity, namespace)
      let attribute = attribute(target, path.label)
      let found = ends.flatMap { end in attribute.map { values(end, $0.id) } ?? [] }
      return (found.filter { $0 != Value.null }, attribute?.checkedType)
    }
    let (a, aType) = side(left)
    let (b, bType) = side(right)
    let type: CheckedType? = aType == .date || bType == .date ? .date : nil
    let test: Comparison = comparison == .notEqual ? .equal : comparison
    let found = a.contains { x in b.contains { NaiveValue.fieldHolds(x, test, $0, type) } }
    return comparison == .notEqual ? !found : found
  }

  // MARK: Paths that meet

  /// Whether all parts are true with shared entities at the same namespace and depth.
  private func meet(_ parts: [ConditionNode], _ entity: String, _ namespace: String) -> Bool {
    let sharing = parts.filter { $0.binds }
    let others = parts.filter { !$0.binds }
    guard others.allSatisfy({ check($0, entity, namespace) }) else { return false }
    return choose(sharing[...], entity, namespace, [:])
  }

  private func choose(
    _ parts: ArraySlice<ConditionNode>, _ entity: String, _ namespace: String,
    _ bound: [String: String]
  ) -> Bool {
    guard let part = parts.first else { return true }
    return walks(part.linkLabels, entity, namespace, 1, bound).contains { walk in
      atEnd(part, walk.end, walk.namespace)
        && choose(parts.dropFirst(), entity, namespace, walk.bound)
    }
  }

  /// Every path along the links that is consistent with the bound entities, and the new bindings.
  private func walks(
    _ labels: ArraySlice<String>, _ entity: String, _ namespace: String, _ depth: Int,
    _ bound: [String: String]
  ) -> [(end: String, namespace: String, bound: [String: String])] {
    guard let label = labels.first else { return [(entity, namespace, bound)] }
    guard let link = link(namespace, label) else { return [] }
    let variable = "\(link.target)-\(depth)"
    return linked(entity, link).flatMap { end in
      if let known = bound[variable], known != end {
        return [(end: String, namespace: String, bound: [String: String])]()
      }
      var bound = bound
      bound[variable] = end
      return walks(labels.dropFirst(), end, link.target, depth + 1, bound)
    }
  }

  // MARK: Names

  private func hasUnknownName(_ node: ConditionNode, in namespace: String) -> Bool {
    switch node {
    case .all(let parts), .any(let parts), .together(let parts):
      return parts.contains { hasUnknownName($0, in: namespace) }
    case .not(let inner): return hasUnknownName(inner, in: namespace)
    case .quantified(_, let path, let inner):
      var current = namespace
      for label in path.labels {
        guard let link = link(current, label) else { return true }
        current = link.target
      }
      return hasUnknownName(inner, in: current)
    case .linkCount(let path, _, _):
      return isUnknown(AttributePath(path.labels + ["id"]), namespace)
    case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _):
      return isUnknown(path, namespace)
    case .compareFields(let left, _, let right):
      return isUnknown(left, namespace) || isUnknown(right, namespace)
    case .idStartsWith(let links, _): return isUnknown(AttributePath(links + ["id"]), namespace)
    }
  }

  private func isUnknown(_ path: AttributePath, _ namespace: String) -> Bool {
    var current = namespace
    for label in path.links {
      guard let link = link(current, label) else { return true }
      current = link.target
    }
    return attribute(current, path.label) == nil && link(current, path.label) == nil
  }
}

extension ConditionNode {
  fileprivate var holdsForMissing: Bool {
    switch self {
    case .compare(_, .notEqual, _): true
    case .isNull(_, let isNull): isNull
    default: false
    }
  }

  /// Whether it concerns an entity at the end of links.
  fileprivate var binds: Bool {
    switch self {
    case .compare, .isIn, .isNull, .idStartsWith: !linkLabels.isEmpty && !holdsForMissing
    default: false
    }
  }

  fileprivate var linkLabels: ArraySlice<String> {
    switch self {
    case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _): path.links
    case .idStartsWith(let links, _): links[...]
    default: []
    }
  }
}
