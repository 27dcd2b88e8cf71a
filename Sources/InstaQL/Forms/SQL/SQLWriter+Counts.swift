import Triples

extension SQLWriter {
  /// Returns a subquery that counts the entities at the end of a link.
  ///
  /// - Throws: `notInSQL` if the path has several links, or if the link has a join table and the
  ///   key of the linked rows has several columns.
  mutating func count(of path: AttributePath, _ place: Place) throws(QueryError) -> String {
    guard path.isOwn, let link = schema.link(place.namespace, path.label) else {
      throw .notInSQL(
        path: path.dotted, reason: "counting rows over several links is not supported")
    }
    let (from, joined, far) = try join(link, place)
    guard from.contains(" JOIN ") else {
      return "(SELECT count(*) FROM \(from) WHERE \(joined))"
    }
    // A join table may contain the same pair of rows several times, so keys are counted only once.
    let key = locator(far)
    guard key.count == 1 else {
      throw .notInSQL(path: path.dotted, reason: "the key of the linked rows has several columns")
    }
    return "(SELECT count(DISTINCT \(key[0])) FROM \(from) WHERE \(joined))"
  }
}
