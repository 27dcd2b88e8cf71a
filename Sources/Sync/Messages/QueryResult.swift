package import InstaQL
package import Triples

/// The answer to a query as it travels.
package enum QueryResult: Hashable, Sendable {
  case joinRows(JoinRows)
  case tree(Tree)
  /// JSON that was made once for all who asked the same. It is sent, never received.
  case written(WrittenResult)
}

/// The triples from which an answer follows: loaded into a store, the query gives the answer there.
package struct JoinRows: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var entity: EntityID
    package var attribute: AttributeID
    /// Of a link the text of the id at its end.
    package var value: Value
    /// In milliseconds since 1970.
    package var createdAt: Int64

    package init(
      _ entity: EntityID, _ attribute: AttributeID, _ value: Value, createdAt: Int64
    ) {
      self.entity = entity
      self.attribute = attribute
      self.value = value
      self.createdAt = createdAt
    }
  }

  /// Each once, in no order that means anything.
  package var rows: [Row]
  /// By namespace, for those whose entities were ordered or cut to a page.
  package var pages: [String: PageInfo]
  /// By namespace, for those of which only the number was asked.
  package var counts: [String: Int]

  package init(
    _ rows: [Row] = [], pages: [String: PageInfo] = [:], counts: [String: Int] = [:]
  ) {
    self.rows = rows
    self.pages = pages
    self.counts = counts
  }
}

/// An answer as objects within objects, by namespace.
package struct Tree: Hashable, Sendable {
  package var data: JSONObject
  package var pages: [String: PageInfo]
  package var counts: [String: Int]

  package init(
    _ data: JSONObject, pages: [String: PageInfo] = [:], counts: [String: Int] = [:]
  ) {
    self.data = data
    self.pages = pages
    self.counts = counts
  }
}

/// An answer that is JSON already.
package struct WrittenResult: Hashable, Sendable {
  /// What stands at `result` or `instaql-result`.
  package var result: String
  /// What stands at `result-meta`; nil for join rows, whose result holds it.
  package var meta: String?

  package init(result: String, meta: String? = nil) {
    self.result = result
    self.meta = meta
  }
}
