import Triples

/// The answer that a ``PlanExecutor`` reads. Another executor can extend it.
struct PlanResult: Sendable {
  var store: TripleStore
  var found: [String: ServedAnswer.Found] = [:]
  /// The entities whose values were all read, keyed by namespace. Rows of two tables may have the same
  /// id.
  var loaded: [String: RowSet] = [:]
  /// The key of each row without a rowid, as the texts of its columns.
  var keys: [EntityHandle: [String]] = [:]

  /// For each link with too many targets, such as `orders.items`, the number of targets read per
  /// entity.
  var cutLinks: [String: Int] = [:]

  init(store: TripleStore) { self.store = store }

  /// The answer in the form that a snapshot contains.
  var served: ServedAnswer {
    var served = ServedAnswer(found: found, canGiveAll: true)
    served.cutLinks = cutLinks
    return served
  }

  /// The number of rows of all plans.
  var rowCount: Int { found.values.reduce(0) { $0 + $1.rows.count } }

  /// Whether the total of each plan is known.
  var isCounted: Bool { found.values.allSatisfy { $0.total != nil } }
}
