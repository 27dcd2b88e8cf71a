/// Fluent editing. Every method returns a changed copy.
extension QueryPlan {
  /// Returns a plan that also requires `condition`, without repeating what it already requires.
  ///
  /// If several conditions follow the same link, different linked entities may satisfy them.
  public func filter(_ condition: ConditionNode) -> QueryPlan {
    guard let present = self.condition else { return changed { $0.condition = condition } }
    return changed {
      $0.condition = condition.conjuncts.reduce(present) { all, part in
        all.conjuncts.contains(part) ? all : all.and(part)
      }
    }
  }

  /// Adds a sort key after the existing ones.
  public func order(_ path: AttributePath, _ direction: OrderKey.Direction = .ascending)
    -> QueryPlan
  {
    changed { $0.order.append(OrderKey(path, direction)) }
  }

  /// Sets the maximum number of entities, in place of `first` and `last`; nil removes the limit.
  public func limit(_ count: Int?) -> QueryPlan {
    changed {
      $0.page.limit = count
      $0.page.first = nil
      $0.page.last = nil
    }
  }

  /// Returns a plan that skips the first `count` entities. Nil skips none.
  public func offset(_ count: Int?) -> QueryPlan { changed { $0.page.offset = count } }

  /// Selects the first entities of the answer, or the first ones after `cursor`.
  public func page(first: Int, after cursor: Cursor? = nil) -> QueryPlan {
    changed { $0.page = Page(first: first, after: cursor) }
  }

  /// Selects the last entities of the answer, or the last ones before `cursor`.
  public func page(last: Int, before cursor: Cursor? = nil) -> QueryPlan {
    changed { $0.page = Page(last: last, before: cursor) }
  }

  /// Selects attributes; nil selects all.
  public func fields(_ names: [String]?) -> QueryPlan { changed { $0.fields = names } }

  /// Adds a computed column after the selected fields, or after all attributes. `as` gives its
  /// name.
  ///
  /// - Throws: `QueryError.syntax` with the position of the first error.
  public func computing(_ text: String, as name: String? = nil) throws(QueryError) -> QueryPlan {
    let column = try AttributePath(column: name, computing: ValueExpression(parsing: text))
    return changed {
      $0.fields = ($0.fields ?? [Self.allFields]) + [column.label]
      $0.setComputed(column)
    }
  }

  /// Returns a plan that only requests the number of entities.
  public func count() -> QueryPlan { changed { $0.isCount = true } }

  /// Returns a plan that groups entities by the values of these paths, in addition to existing
  /// groups.
  public func group(by paths: AttributePath...) -> QueryPlan {
    changed { $0.groups += paths }
  }

  /// Adds aggregates for each group, or for all entities.
  public func aggregate(_ aggregates: Aggregation...) -> QueryPlan {
    changed { $0.aggregates += aggregates }
  }

  /// Adds a condition on the columns of the groups.
  public func having(_ condition: ConditionNode) -> QueryPlan {
    changed { $0.having = $0.having?.and(condition) ?? condition }
  }

  /// Combines rows with equal selected fields into one row.
  public func distinct() -> QueryPlan { changed { $0.isDistinct = true } }

  /// Includes the entities of a link, selected by the plan that `nested` builds.
  public func with<Failure: Error>(
    _ label: String, _ nested: (QueryPlan) throws(Failure) -> QueryPlan
  ) throws(Failure) -> QueryPlan {
    let plan = try nested(QueryPlan(label))
    return changed { $0.setRelation(label, plan) }
  }

  /// Includes the entities of a link.
  public func with(_ label: String) -> QueryPlan { with(label) { $0 } }

  /// Excludes the entities of a link.
  public func without(_ label: String) -> QueryPlan { changed { $0.setRelation(label, nil) } }

  /// Returns this plan without the given parts.
  public func removing(_ parts: Part...) -> QueryPlan {
    changed { plan in
      for part in parts {
        switch part {
        case .filter: plan.condition = nil
        case .order: plan.order = []
        case .page: plan.page = .whole
        case .fields:
          plan.fields = nil
          plan.removeUnusedComputed()
        case .count: plan.isCount = false
        case .summary:
          plan.groups = []
          plan.aggregates = []
          plan.having = nil
          plan.isDistinct = false
        case .relations: for relation in plan.relations { plan.setRelation(relation.label, nil) }
        }
      }
    }
  }

  /// A part of a plan that `removing(_:)` removes.
  public enum Part: CaseIterable, Hashable, Sendable {
    /// The filter, the sort keys, the page, the selected fields, the count, or the included links.
    case filter, order, page, fields, count, relations
    /// Groups, aggregates and distinct rows.
    case summary
  }

  /// Returns the index and the direction of the sort key for `path`; nil if there is none.
  public func orderKey(of path: AttributePath) -> (place: Int, direction: OrderKey.Direction)? {
    order.firstIndex { $0.path == path }.map { ($0, order[$0].direction) }
  }

  /// Cycles the order by `path`: the first direction, the other one, none.
  ///
  /// Other sort keys are removed, unless `asFurtherKey` is true. The cursors are also removed,
  /// because they belong to the old order.
  public mutating func toggleOrder(
    _ path: AttributePath, beginning first: OrderKey.Direction = .ascending,
    asFurtherKey: Bool = false
  ) {
    let key = orderKey(of: path)
    if !asFurtherKey { order.removeAll { $0.path != path } }
    page.after = nil
    page.before = nil
    guard key != nil, let place = order.firstIndex(where: { $0.path == path }) else {
      order.append(OrderKey(path, first))
      return
    }
    if order[place].direction == first {
      order[place].direction = first == .ascending ? .descending : .ascending
    } else {
      order.remove(at: place)
    }
  }

  /// Removes the condition at `place` in the top-level list. Removing the last condition removes
  /// the filter.
  public mutating func removeCondition(at place: Int) {
    guard var parts = condition?.conjuncts, parts.indices.contains(place) else { return }
    parts.remove(at: place)
    setConditions(parts)
  }

  /// Sets the conditions that must all be true; an empty list removes the filter.
  public mutating func setConditions(_ parts: [ConditionNode]) {
    condition = parts.count > 1 ? .all(parts) : parts.first
  }

  private func changed(_ change: (inout QueryPlan) -> Void) -> QueryPlan {
    var copy = self
    change(&copy)
    return copy
  }
}
