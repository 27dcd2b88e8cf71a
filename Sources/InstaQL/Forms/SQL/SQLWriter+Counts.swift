import Triples

extension SQLWriter {
  /// Returns an expression for the number of entities at the end of a link.
  ///
  /// - Throws: `notInSQL` for several links, and for pairs of rows without a single key.
  mutating func count(of path: AttributePath, _ place: Place) throws(QueryError) -> String {
    guard path.isOwn, let link = schema.link(place.namespace, path.label) else {
      throw .notInSQL(path: path.dotted, reason: "it counts over several links")
    }
    let (from, joined, far) = try join(link, place)
    guard from.contains(" JOIN ") else {
      return "(SELECT count(*) FROM \(from) WHERE \(joined))"
    }
    // Two rows may be paired more than once.
    let key = locator(far)
    guard key.count == 1 else {
      throw .notInSQL(path: path.dotted, reason: "its rows have several keys")
    }
    return "(SELECT count(DISTINCT \(key[0])) FROM \(from) WHERE \(joined))"
  }
}
