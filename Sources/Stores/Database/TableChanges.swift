import InstaQL
import Triples

/// The states of a database in which its tables changed last.
struct TableChanges: Sendable {
  /// The last state before which any table may have changed.
  private var all = 1
  private var states: [String: Int] = [:]

  /// Records a change.
  ///
  /// - Parameter tables: The changed tables as written in SQL; nil if it could be any table.
  mutating func record(_ tables: Set<String>?, in state: Int) {
    guard let tables else {
      (all, states) = (state, [:])
      return
    }
    for table in tables { states[table] = state }
  }

  /// Whether any of these tables may have changed since a state.
  func haveChanged(_ tables: Set<String>, since state: Int) -> Bool {
    all > state || tables.contains { states[$0, default: 0] > state }
  }
}

/// The tables on which an answer depends. They include the targets of all links of each table on the
/// paths of the query, because a screen shows them.
struct ReadTables {
  /// The tables as written in SQL; nil if the answer may depend on any table.
  private(set) var names: Set<String>? = []
  private let shape: SchemaMapping
  private let links: [AttributeID: String]

  init(of document: QueryDocument, _ shape: SchemaMapping) {
    self.shape = shape
    links = Dictionary(
      shape.names.links.map { ($0.attribute.id, $0.sqlName) }, uniquingKeysWith: { a, _ in a })
    for plan in document.plans { add(plan, of: plan.namespace) }
  }

  private mutating func add(_ plan: QueryPlan, of namespace: String) {
    addWithTargets(namespace)
    var paths = plan.readPaths + (plan.fields ?? []).flatMap { AttributePath($0).plainPaths }
    plan.condition?.forEachPath { paths.append($0) }
    for path in paths {
      for link in shape.schema.follow(path.labels, from: namespace).links {
        addWithTargets(link.target)
      }
    }
    for relation in plan.relations {
      guard let link = shape.schema.link(namespace, relation.label) else { continue }
      add(relation.plan, of: link.target)
    }
  }

  private mutating func addWithTargets(_ namespace: String) {
    add(namespace)
    for link in shape.schema.links(of: namespace) {
      add(link.target)
      if let table = links[link.attribute.id] { names?.insert(table) }
    }
  }

  private mutating func add(_ namespace: String) {
    guard let table = shape.names.namespace(namespace)?.table, !table.readsOtherTables else {
      names = nil
      return
    }
    names?.insert(table.sqlName)
  }
}
