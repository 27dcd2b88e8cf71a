import Triples

// The tables of a statement, and how they are joined along links.
extension SQLWriter {
  /// A table of the statement, with its namespace and its alias.
  struct Place {
    let namespace: String
    let alias: String

    init(_ namespace: String, _ alias: String) {
      self.namespace = namespace
      self.alias = alias
    }
  }

  /// Returns what joins a link's target to its source: a FROM clause, a condition, and the target's
  /// table.
  mutating func join(
    _ link: Link, _ near: Place
  ) throws(QueryError) -> (from: String, condition: String, place: Place) {
    try checkKey(link.target)
    let far = Place(link.target, alias())
    let attribute = link.attribute
    let isForward = link.direction == .forward
    switch names.joins[attribute.id] {
    case .columns(let matches)?:
      let (source, target) = isForward ? (near, far) : (far, near)
      return (table(link.target, far.alias), Self.equal(matches, source, target), far)
    case .pairs(let table, let source, let target)?:
      let pair = Place("", alias())
      let (here, there) = isForward ? (source, target) : (target, source)
      let from =
        "\(names.qualified[table] ?? Self.quoted(table)) AS \(pair.alias)"
        + " JOIN \(self.table(link.target, far.alias))"
        + " ON \(Self.equal(there, pair, far))"
      return (from, Self.equal(here, pair, near), far)
    case nil: break
    }
    if attribute.cardinality == .one {
      let condition =
        isForward
        ? "\(key(far)) = \(column(near.alias, attribute))"
        : "\(column(far.alias, attribute)) = \(key(near))"
      return (table(link.target, far.alias), condition, far)
    }
    let pairs = names.pairs(attribute)
    let pair = alias()
    let (here, there) = isForward ? (pairs.source, pairs.target) : (pairs.target, pairs.source)
    let from =
      "\(Self.quoted(pairs.table)) AS \(pair) JOIN \(table(link.target, far.alias))"
      + " ON \(key(far)) = \(pair).\(Self.quoted(there))"
    return (from, "\(pair).\(Self.quoted(here)) = \(key(near))", far)
  }

  /// Returns the condition that the columns of each pair are equal. The left operands determine the
  /// collation.
  private static func equal(_ matches: [SQLJoin.Match], _ here: Place, _ there: Place) -> String {
    matches.map { match in
      "\(there.alias).\(quoted(match.there)) = \(here.alias).\(quoted(match.here))"
    }.joined(separator: " AND ")
  }

  /// Throws `notInSQL` if the rows of a table have neither a rowid nor a key.
  func checkKey(_ namespace: String) throws(QueryError) {
    guard !names.rowKeys.isEmpty, names.rowKeys[namespace] == nil else { return }
    throw .notInSQL(path: namespace, reason: "its rows have no rowid")
  }
}
