import DataSourcesTesting
import InstaQL
import TestSupport
import Triples

/// Random queries about tables whose links lead from one to another, and back to the same rows.
struct RandomDatabaseQueries {
  var random: SeededGenerator
  /// The namespaces that a query may begin with.
  let roots: [String]
  /// The labels of each namespace's links.
  let links: [String: [String]]
  /// The namespace to which each label leads.
  let targets: [String: String]
  /// The fields of each namespace.
  let fields: [String: [String]]
  /// The values that fields are compared with.
  let values: [Value]
  /// Paths into the JSON of each namespace's columns.
  var paths: [String: [String]] = [:]

  mutating func plan(depth: Int, of namespace: String? = nil, named name: String? = nil)
    -> QueryPlan
  {
    let namespace = namespace ?? random.pick(roots)
    var plan = QueryPlan(name ?? namespace)
    if random.below(3) == 0 {
      let own = (fields[namespace] ?? []).filter { $0 != "id" && $0 != "_id" }
      plan.fields = own.isEmpty ? nil : [random.pick(own)]
    }
    if random.below(3) > 0 { plan.condition = condition(in: namespace, depth: 0) }
    for _ in 0..<random.below(3) {
      let field = random.pick((fields[namespace] ?? []) + (paths[namespace] ?? []))
      plan.order.append(OrderKey(AttributePath(field), random.pick([.ascending, .descending])))
    }
    switch random.below(6) {
    case 0: plan.page.limit = 1 + random.below(9)
    case 1 where depth == 0: plan.page = Page(limit: 1 + random.below(9), offset: random.below(12))
    case 2 where depth == 0:
      plan.page = Page(
        offset: random.below(2) == 0 ? nil : random.below(70), last: 1 + random.below(9))
    case 3 where depth == 0: plan.page.first = 1 + random.below(9)
    default: break
    }
    if depth < 2, random.below(2) == 0 {
      let link = random.pick(links[namespace] ?? [])
      plan.setRelation(
        link, self.plan(depth: depth + 1, of: targets[link], named: link))
    }
    return plan
  }

  mutating func condition(in namespace: String, depth: Int) -> ConditionNode {
    if depth < 3, random.below(3) == 0 {
      let parts = (0..<(1 + random.below(3))).map { _ in condition(in: namespace, depth: depth + 1)
      }
      switch random.below(5) {
      case 0: return .all(parts)
      case 1: return .any(parts)
      case 2: return .not(parts[0])
      case 3:
        return .linkCount(
          AttributePath(random.pick(links[namespace] ?? [])),
          random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
          random.below(4))
      default:
        let link = random.pick(links[namespace] ?? [])
        return .quantified(
          random.pick(Quantifier.allCases), AttributePath(link),
          condition(in: targets[link] ?? "", depth: depth + 1))
      }
    }
    var labels: [String] = []
    var there = namespace
    while random.below(3) == 0, labels.count < 3 {
      labels.append(random.pick(links[there] ?? []))
      there = targets[labels[labels.count - 1]] ?? ""
    }
    let path = AttributePath(
      labels + [random.pick((fields[there] ?? []) + (paths[there] ?? []))])
    switch random.below(5) {
    case 0: return .isNull(path, random.below(2) == 0)
    case 1: return .isIn(path, (0..<random.below(4)).map { _ in random.pick(values) })
    case 2:
      return .compare(
        path, random.pick([.like, .ilike]),
        .text(random.pick(["%a%", "P%", "_e%", "%n", "%\\%%", "ZO%"])))
    default:
      return .compare(
        path, random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
        random.pick(values))
    }
  }
}
