import InstaQL
import TerminalUI
import Triples

/// Why an entity is in the answer to a query or is not: each condition, whether it holds of the
/// entity, and the values that decide it.
///
/// What holds is asked of the engine that answers queries, so both always agree.
struct Verdict {
  /// One condition, those within it deeper.
  struct Line: Equatable {
    let depth: Int
    /// The condition as the query's text spells it, or how the ones beneath are joined.
    let what: String
    let holds: Bool
    /// What the entity has where the condition looks; nil where the lines beneath tell it.
    let values: String?
  }

  /// Where the entity stands.
  enum Place: Equatable {
    /// In the answer, as this of so many.
    case row(Int, of: Int)
    /// It fits, but the page ends before it or begins after it.
    case beyondPage(Int, of: Int)
    /// It fits as far as is known here, and is among the rows that a server sent or is not.
    case fits(isShown: Bool)
    case fails
    /// It is of this other namespace, where that is known.
    case otherNamespace(String?)
    case gone
    /// A server was asked about it and told nothing.
    case untold
  }

  let name: String
  let place: Place
  let lines: [Line]

  /// - Complexity: O(matches of the query).
  /// - Parameter isShown: Of a store elsewhere, whether the entity is among the rows that came; nil
  ///   where all is known.
  init(_ entity: EntityID, _ plan: QueryPlan, in catalog: Catalog, isShown: Bool? = nil) {
    let store = catalog.store
    guard let handle = store.handle(of: entity) else {
      (name, place, lines) = (entity.text, isShown == nil ? .gone : .untold, [])
      return
    }
    guard store.contains(handle, in: plan.namespace) else {
      let other = catalog.schema.namespaces.first { store.contains(handle, in: $0) }
      name = catalog.label(of: handle, in: other ?? plan.namespace)
      (place, lines) = (.otherNamespace(other), [])
      return
    }
    name = catalog.label(of: handle, in: plan.namespace)
    var builder = VerdictBuilder(catalog: catalog)
    for condition in plan.condition?.conjuncts ?? [] {
      builder.add(condition, of: handle, in: plan.namespace, depth: 0)
    }
    lines = builder.lines
    if let isShown {
      let holds = builder.lines.allSatisfy { $0.depth > 0 || $0.holds }
      place = holds ? .fits(isShown: isShown) : .fails
    } else {
      place = Self.place(of: handle, plan, in: catalog)
    }
  }

  private static func place(
    of entity: EntityHandle, _ plan: QueryPlan, in catalog: Catalog
  ) -> Place {
    do throws(QueryError) {
      let all = try QueryEngine.answer(
        plan.removing(.page, .count, .summary, .relations), in: catalog.store)
      guard let row = all.rows.firstIndex(of: entity) else { return .fails }
      let page = try QueryEngine.answer(
        plan.removing(.count, .summary, .relations), in: catalog.store)
      return page.rows.contains(entity)
        ? .row(row + 1, of: all.rows.count) : .beyondPage(row + 1, of: all.rows.count)
    } catch {
      return .fails
    }
  }

  /// The verdict in one sentence.
  func sentence(by keeper: ExplainOrder.Keeper) -> String {
    switch place {
    case .row(let row, let count):
      count == 1
        ? "\(name) is in: it is the only one that matches"
        : "\(name) is in: it is row \(NumberText.grouped(row)) of the "
          + "\(NumberText.grouped(count)) that match"
    case .beyondPage(let row, let count):
      "\(name) is out: it is row \(NumberText.grouped(row)) of the "
        + "\(NumberText.grouped(count)) that match, but the limit or the page leaves it out"
    case .fits(true):
      switch keeper {
      case .server: "\(name) is in: it is among the rows that the server sent"
      case .database: "\(name) is in: it is among the rows that the database found"
      }
    case .fits(false):
      switch keeper {
      case .server:
        "\(name) is out: it matches, but is not among the rows that the server sent: the limit, the "
          + "page or a rule of the server leaves it out"
      case .database:
        "\(name) matches, but is not among the rows that were read: it stands elsewhere in the order, "
          + "or the limit or the page leaves it out"
      }
    case .fails: "\(name) is out: a condition does not hold"
    case .otherNamespace(let other?): "\(name) is out: it is of \(other)"
    case .otherNamespace(nil): "\(name) is out: it is not of this namespace"
    case .gone: "\(name) is out: the store has no such entity, or has it no longer"
    case .untold:
      switch keeper {
      case .server:
        "\(name) is out: the server tells nothing of it: it is not there, or a rule of the server "
          + "hides it"
      case .database: "\(name) is out: the database has no such entity, or has it no longer"
      }
    }
  }

  var isIn: Bool {
    switch place {
    case .row, .fits(isShown: true): true
    case .beyondPage, .fits, .fails, .otherNamespace, .gone, .untold: false
    }
  }
}

/// Goes down a condition and writes a line for each of its parts.
private struct VerdictBuilder {
  let catalog: Catalog
  var lines: [Verdict.Line] = []

  private static let mostLines = 500
  private static let mostValues = 5

  mutating func add(
    _ node: ConditionNode, of entity: EntityHandle, in namespace: String, depth: Int
  ) {
    guard lines.count < Self.mostLines else { return }
    let holds = holds(node, of: entity, in: namespace)
    func line(_ what: String, _ values: String?) {
      lines.append(Verdict.Line(depth: depth, what: what, holds: holds, values: values))
    }
    switch node {
    case .all(let parts), .any(let parts), .together(let parts):
      line(Self.heading(of: node), parts.isEmpty ? "there are none" : nil)
      for part in parts { add(part, of: entity, in: namespace, depth: depth + 1) }
    case .not(let inner):
      line("not", nil)
      add(inner, of: entity, in: namespace, depth: depth + 1)
    case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _):
      line(node.text, values(along: path, of: entity, in: namespace))
    case .compareFields(let path, _, let other):
      line(
        node.text,
        values(along: path, of: entity, in: namespace) + ", "
          + values(along: other, of: entity, in: namespace))
    case .idStartsWith(let links, _):
      line(node.text, values(along: AttributePath(links + ["id"]), of: entity, in: namespace))
    case .quantified(_, let path, let inner):
      line(node.text, nil)
      let (ends, target) = ends(of: path.labels[...], from: [entity], in: namespace)
      for end in ends.prefix(Self.mostValues) {
        let name = catalog.label(of: end, in: target)
        lines.append(
          Verdict.Line(
            depth: depth + 1, what: name, holds: self.holds(inner, of: end, in: target),
            values: nil))
      }
    }
  }

  private static func heading(of node: ConditionNode) -> String {
    switch node {
    case .all: "all of"
    case .any: "one of"
    case .together: "all of, of the same linked entity"
    case .compare, .isIn, .isNull, .compareFields, .idStartsWith, .not, .quantified: ""
    }
  }

  private func holds(
    _ condition: ConditionNode, of entity: EntityHandle, in namespace: String
  ) -> Bool {
    do throws(QueryError) {
      let prepared = try QueryEngine.prepare(
        QueryPlan(namespace).filter(condition), catalog.schema)
      return try !QueryEngine.matches(prepared, among: RowSet([entity]), in: catalog.store).isEmpty
    } catch {
      return false
    }
  }

  /// `population is 2 138 551`; over links the values of all that they lead to.
  private func values(
    along path: AttributePath, of entity: EntityHandle, in namespace: String
  ) -> String {
    let (ends, target) = ends(of: path.links, from: [entity], in: namespace)
    var texts: [String] = []
    for end in ends.prefix(Self.mostValues) {
      texts.append(catalog.words(for: path.label, of: end, in: target))
    }
    if ends.count > Self.mostValues { texts.append("…") }
    return "\(path.dotted) is " + (texts.isEmpty ? "not linked" : texts.joined(separator: ", "))
  }

  /// Whom links lead to, one after the other, and their namespace.
  private func ends(
    of links: ArraySlice<String>, from start: [EntityHandle], in namespace: String
  ) -> ([EntityHandle], String) {
    var (entities, namespace) = (start, namespace)
    for label in links {
      guard let link = catalog.schema.link(namespace, label) else { return ([], namespace) }
      var seen: Set<EntityHandle> = []
      entities = entities.flatMap { catalog.store.targets($0, link) }
        .filter { seen.insert($0).inserted }
      if entities.count > Self.mostFollowed { entities.removeSubrange(Self.mostFollowed...) }
      namespace = link.target
    }
    return (entities, namespace)
  }

  private static let mostFollowed = 1_000
}

extension Catalog {
  /// What an entity has under a label: a value, or the names of those that a link leads to.
  fileprivate func words(
    for label: String, of entity: EntityHandle, in namespace: String
  ) -> String {
    if label == "id" { return store.id(of: entity).text }
    if let link = schema.link(namespace, label) {
      let targets = store.targets(entity, link)
      let names = targets.prefix(3).map { self.label(of: $0, in: link.target) }
      return targets.isEmpty
        ? "not linked" : names.joined(separator: ", ") + (targets.count > 3 ? ", …" : "")
    }
    guard let attribute = schema.attribute(namespace, label) else { return "unknown here" }
    guard let value = store.value(entity, attribute.id) else { return "missing" }
    switch value {
    case .integer(let number) where attribute.checkedType != .date:
      return NumberText.grouped(number)
    case .double(let number) where attribute.checkedType != .date:
      return NumberText.grouped(number)
    case .integer, .double, .null, .bool, .text, .array, .object:
      return String(JSONWriter.text(value).prefix(80))
    }
  }
}
