import InstaQL
import Triples

/// An explanation of why an entity does or does not match a query. It contains the query's
/// conditions, their results and the tested values.
///
/// The query engine evaluates the conditions, so the report always agrees with it.
struct ConditionReport {
  /// One condition of the query. Nested conditions are indented.
  struct Line: Equatable {
    let depth: Int
    /// The text of the condition, or the operator that joins the lines below.
    let what: String
    let holds: Bool
    /// The entity's values that the condition tests; nil for an operator, since its operands show
    /// them.
    let values: String?
  }

  /// The entity's place in the answer.
  enum Place: Equatable {
    /// The entity is in the answer at this position. `of` is the number of rows.
    case row(Int, of: Int)
    /// The entity matches at this position but is outside the page. `of` is the number of matches.
    case beyondPage(Int, of: Int)
    /// The entity matches according to the local data. `isShown` tells whether the answer of the
    /// server or database contains it.
    case fits(isShown: Bool)
    case fails
    /// The entity belongs to this namespace instead of the query's; nil if it belongs to none.
    case otherNamespace(String?)
    case gone
    /// The server did not return the entity when it was queried.
    case notReturned
  }

  let name: String
  let place: Place
  let lines: [Line]

  /// Evaluates a query's conditions for an entity.
  ///
  /// - Parameter isShown: For a partial store, whether the loaded rows contain the entity; nil for
  ///   a complete store.
  /// - Complexity: O(matches of the query).
  init(_ entity: EntityID, _ plan: QueryPlan, in catalog: Catalog, isShown: Bool? = nil) {
    let store = catalog.store
    guard let handle = store.handle(of: entity) else {
      (name, place, lines) = (entity.text, isShown == nil ? .gone : .notReturned, [])
      return
    }
    guard store.contains(handle, in: plan.namespace) else {
      let other = catalog.schema.namespaces.first { store.contains(handle, in: $0) }
      name = catalog.label(of: handle, in: other ?? plan.namespace)
      (place, lines) = (.otherNamespace(other), [])
      return
    }
    name = catalog.label(of: handle, in: plan.namespace)
    var builder = ConditionReportBuilder(catalog: catalog)
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

  /// Returns the result as one sentence, such as `Oslo matches: row 3 of 12`.
  func sentence(by executor: ExplainRequest.Executor) -> String {
    switch place {
    case .row(let row, let count):
      count == 1
        ? "\(name) is the only row that matches"
        : "\(name) matches: row \(NumberText.grouped(row)) of \(NumberText.grouped(count))"
    case .beyondPage(let row, let count):
      "\(name) matches as row \(NumberText.grouped(row)) of "
        + "\(NumberText.grouped(count)), but is outside the limit or page"
    case .fits(true): "\(name) matches: the \(executor.rawValue) returned it"
    case .fits(false):
      switch executor {
      case .server:
        "\(name) matches, but the server did not return it because of the limit, the "
          + "page or a permission rule"
      case .database:
        "\(name) matches, but is not among the loaded rows: it is elsewhere in the sort order, "
          + "or outside the limit or page"
      }
    case .fails: "\(name) does not match: a condition is false"
    case .otherNamespace(let other?): "\(name) does not match: it belongs to \(other)"
    case .otherNamespace(nil): "\(name) does not match: it belongs to another namespace"
    case .gone: "\(name) does not match: it does not exist, or was deleted"
    case .notReturned:
      switch executor {
      case .server:
        "The server did not return \(name): it does not exist, or a permission rule "
          + "hides it"
      case .database: "\(name) does not match: it does not exist in the database, or was deleted"
      }
    }
  }

  var isIn: Bool {
    switch place {
    case .row, .fits(isShown: true): true
    case .beyondPage, .fits, .fails, .otherNamespace, .gone, .notReturned: false
    }
  }
}

/// Adds a line for each part of a condition, including nested ones.
private struct ConditionReportBuilder {
  let catalog: Catalog
  var lines: [ConditionReport.Line] = []

  private static let maxLines = 500
  private static let maxValues = 5

  mutating func add(
    _ node: ConditionNode, of entity: EntityHandle, in namespace: String, depth: Int
  ) {
    guard lines.count < Self.maxLines else { return }
    let holds = holds(node, of: entity, in: namespace)
    func line(_ what: String, _ values: String?) {
      lines.append(ConditionReport.Line(depth: depth, what: what, holds: holds, values: values))
    }
    func group(_ heading: String, _ parts: [ConditionNode]) {
      line(heading, parts.isEmpty ? "no conditions" : nil)
      for part in parts { add(part, of: entity, in: namespace, depth: depth + 1) }
    }
    switch node {
    case .all(let parts): group("all of these:", parts)
    case .any(let parts): group("any of these:", parts)
    case .together(let parts): group("all of these, for the same linked row:", parts)
    case .not(let inner): group("none of these:", [inner])
    case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _):
      line(node.text, values(along: path, of: entity, in: namespace))
    case .compareFields(let path, _, let other):
      line(
        node.text,
        values(along: path, of: entity, in: namespace) + ", "
          + values(along: other, of: entity, in: namespace))
    case .idStartsWith(let links, _):
      line(
        node.text,
        values(
          along: catalog.schema.identityPath(along: links, from: namespace), of: entity,
          in: namespace))
    case .linkCount(let path, _, _):
      let count = ends(of: path.labels[...], from: [entity], in: namespace).0.count
      line(node.text, "\(path.dotted) has \(NumberText.count(count, "row"))")
    case .quantified(_, let path, let inner):
      line(node.text, nil)
      let (ends, target) = ends(of: path.labels[...], from: [entity], in: namespace)
      for end in ends.prefix(Self.maxValues) {
        let name = catalog.label(of: end, in: target)
        lines.append(
          ConditionReport.Line(
            depth: depth + 1, what: name, holds: self.holds(inner, of: end, in: target),
            values: nil))
      }
    }
  }

  private func holds(
    _ condition: ConditionNode, of entity: EntityHandle, in namespace: String
  ) -> Bool {
    do throws(QueryError) {
      let prepared = try QueryEngine.prepare(QueryPlan(namespace).filter(condition), catalog.schema)
      return try !QueryEngine.matches(prepared, among: RowSet([entity]), in: catalog.store).isEmpty
    } catch {
      return false
    }
  }

  /// Returns the tested values as text, such as `population is 2,138,551`. For a path through
  /// links, these are the values of all targets.
  private func values(
    along path: AttributePath, of entity: EntityHandle, in namespace: String
  ) -> String {
    if path.expression != nil {
      let value = path.value(of: entity, of: namespace, in: catalog.store)
      return
        "\(path.dotted) is \(value == .null ? "missing" : String(JSONWriter.text(value).prefix(80)))"
    }
    let (ends, target) = ends(of: path.links, from: [entity], in: namespace)
    var texts = ends.prefix(Self.maxValues).map {
      catalog.words(for: path.label, of: $0, in: target)
    }
    if ends.count > Self.maxValues { texts.append("…") }
    return "\(path.dotted) is " + (texts.isEmpty ? "not linked" : texts.joined(separator: ", "))
  }

  /// Returns the entities at the end of a path of links, and their namespace.
  private func ends(
    of links: ArraySlice<String>, from start: [EntityHandle], in namespace: String
  ) -> ([EntityHandle], String) {
    var (entities, namespace) = (start, namespace)
    for label in links {
      guard let link = catalog.schema.link(namespace, label) else { return ([], namespace) }
      entities = entities.flatMap { catalog.store.targets($0, link) }.uniqued
      if entities.count > Self.maxFollowed { entities.removeSubrange(Self.maxFollowed...) }
      namespace = link.target
    }
    return (entities, namespace)
  }

  private static let maxFollowed = 1_000
}

extension Catalog {
  /// Returns the entity's value of a field as text, or the labels of a link's targets.
  fileprivate func words(
    for label: String, of entity: EntityHandle, in namespace: String
  ) -> String {
    if label == schema.identityLabel(of: namespace) { return store.id(of: entity).text }
    if let link = schema.link(namespace, label) {
      let targets = store.targets(entity, link)
      let names = targets.prefix(3).map { self.label(of: $0, in: link.target) }
      return targets.isEmpty
        ? "not linked" : names.joined(separator: ", ") + (targets.count > 3 ? ", …" : "")
    }
    guard let attribute = schema.attribute(namespace, label) else { return "not loaded" }
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
