/// The fluent spelling: every call gives a changed copy.
extension QueryPlan {
  /// Entities for which `condition` holds too, independently of what was asked before.
  public func filter(_ condition: ConditionNode) -> QueryPlan {
    changed { $0.condition = $0.condition?.and(condition) ?? condition }
  }

  /// Ordered by `path` after all keys there are.
  public func order(_ path: AttributePath, _ direction: OrderKey.Direction = .ascending)
    -> QueryPlan
  {
    changed { $0.order.append(OrderKey(path, direction)) }
  }

  /// At most so many; nil takes the limit away, as well as `first` and `last`.
  public func limit(_ count: Int?) -> QueryPlan {
    changed {
      $0.page.limit = count
      $0.page.first = nil
      $0.page.last = nil
    }
  }

  /// Without the first so many; nil leaves none out.
  public func offset(_ count: Int?) -> QueryPlan { changed { $0.page.offset = count } }

  /// The first so many, those after `cursor` if one is given.
  public func page(first: Int, after cursor: Cursor? = nil) -> QueryPlan {
    changed { $0.page = Page(first: first, after: cursor) }
  }

  /// The last so many, those before `cursor` if one is given.
  public func page(last: Int, before cursor: Cursor? = nil) -> QueryPlan {
    changed { $0.page = Page(last: last, before: cursor) }
  }

  /// With these attributes only; nil is all of them.
  public func fields(_ names: [String]?) -> QueryPlan { changed { $0.fields = names } }

  /// How many there are, instead of which.
  public func count() -> QueryPlan { changed { $0.isCount = true } }

  /// One row for each value there is at these paths, after those given before.
  public func group(by paths: AttributePath...) -> QueryPlan {
    changed { $0.groups += paths }
  }

  /// With this worked out for each group, or for all entities; after what was given before.
  public func aggregate(_ aggregates: Aggregation...) -> QueryPlan {
    changed { $0.aggregates += aggregates }
  }

  /// Rows with the same values of the fields asked for once only.
  public func distinct() -> QueryPlan { changed { $0.isDistinct = true } }

  /// With the entities that `label` leads to, as `nested` makes of the plain plan.
  public func with<Failure: Error>(
    _ label: String, _ nested: (QueryPlan) throws(Failure) -> QueryPlan
  ) throws(Failure) -> QueryPlan {
    let plan = try nested(QueryPlan(label))
    return changed { $0.setRelation(label, plan) }
  }

  /// With the entities that `label` leads to.
  public func with(_ label: String) -> QueryPlan { with(label) { $0 } }

  /// No longer with the entities that `label` leads to.
  public func without(_ label: String) -> QueryPlan { changed { $0.setRelation(label, nil) } }

  /// This plan without the parts named.
  public func removing(_ parts: Part...) -> QueryPlan {
    changed { plan in
      for part in parts {
        switch part {
        case .filter: plan.condition = nil
        case .order: plan.order = []
        case .page: plan.page = .whole
        case .fields: plan.fields = nil
        case .count: plan.isCount = false
        case .summary:
          plan.groups = []
          plan.aggregates = []
          plan.isDistinct = false
        case .relations: for relation in plan.relations { plan.setRelation(relation.label, nil) }
        }
      }
    }
  }

  public enum Part: CaseIterable, Hashable, Sendable {
    case filter, order, page, fields, count, relations
    /// Groups, what is worked out for them, and that rows are distinct.
    case summary
  }

  /// The direction that `path` is ordered in, and its place among the keys; nil when it is not.
  public func orderKey(of path: AttributePath) -> (place: Int, direction: OrderKey.Direction)? {
    order.firstIndex { $0.path == path }.map { ($0, order[$0].direction) }
  }

  /// Turns the order by `path` one step on: ascending, descending, none.
  ///
  /// Alone, all other keys go; as a further key, they stay. A new order forgets the cursors, which
  /// belonged to the old one.
  public mutating func toggleOrder(_ path: AttributePath, asFurtherKey: Bool = false) {
    let key = orderKey(of: path)
    if !asFurtherKey { order.removeAll { $0.path != path } }
    page.after = nil
    page.before = nil
    guard key != nil, let place = order.firstIndex(where: { $0.path == path }) else {
      order.append(OrderKey(path))
      return
    }
    if order[place].direction == .ascending {
      order[place].direction = .descending
    } else {
      order.remove(at: place)
    }
  }

  /// Takes out the condition at `place` of the top list; the last one leaves no filter.
  public mutating func removeCondition(at place: Int) {
    guard var parts = condition?.conjuncts, parts.indices.contains(place) else { return }
    parts.remove(at: place)
    setConditions(parts)
  }

  /// Makes these the conditions that must all hold: none is no filter, one stands for itself.
  public mutating func setConditions(_ parts: [ConditionNode]) {
    condition = parts.count > 1 ? .all(parts) : parts.first
  }

  private func changed(_ change: (inout QueryPlan) -> Void) -> QueryPlan {
    var copy = self
    change(&copy)
    return copy
  }
}
