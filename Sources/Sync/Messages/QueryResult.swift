package import InstaQL
package import Triples

/// The answer to a query, as part of a message.
package enum QueryResult: Hashable, Sendable {
  case joinRows(JoinRows)
  case tree(Tree)
  /// JSON that was encoded once for all subscribers. Only servers use this case.
  case written(WrittenResult)
}

/// The triples from which a client computes the answer with its own query engine.
package struct JoinRows: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var entity: EntityID
    package var attribute: AttributeID
    /// The value of the triple; for a link, the id of its target as text.
    package var value: Value
    /// The time of creation in milliseconds since 1970.
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

  /// The distinct rows in no particular order.
  package var rows: [Row]
  /// The page info of each namespace that the query sorts or limits.
  package var pages: [String: PageInfo]
  /// The number of entities of each namespace that the query only counts.
  package var counts: [String: Int]

  package init(
    _ rows: [Row] = [], pages: [String: PageInfo] = [:], counts: [String: Int] = [:]
  ) {
    self.rows = rows
    self.pages = pages
    self.counts = counts
  }
}

/// An answer as nested objects, by namespace.
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

/// An answer that is already encoded as JSON.
package struct WrittenResult: Hashable, Sendable {
  /// The JSON that is sent as `result` or `instaql-result`.
  package var result: String
  /// The JSON that is sent as `result-meta`. Nil for join rows, because their result contains it.
  package var meta: String?

  package init(result: String, meta: String? = nil) {
    self.result = result
    self.meta = meta
  }
}
