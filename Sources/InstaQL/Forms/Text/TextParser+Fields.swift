import Triples

/// The `fields` clause.
extension TextParser {
  /// Parses fields; a path such as `country.name` includes the linked entity with that field only,
  /// and `cities.count` the number of linked entities.
  mutating func fields(_ plan: inout QueryPlan) throws(QueryError) {
    if try skip(.open) {
      try expect(.close)
      plan.fields = []
      return
    }
    if try skip(.star) { return }
    var names: [String] = []
    repeat {
      let path = try pathNames()
      if path.count == 1 {
        try checkField(path[0])
        names.append(path[0].name ?? "")
      } else {
        try linkedField(path, &plan)
      }
    } while try skip(.comma)
    plan.fields = names
  }

  private mutating func linkedField(
    _ names: [Token], _ plan: inout QueryPlan
  ) throws(QueryError) {
    let links = names.dropLast().compactMap(\.name)
    for token in names.dropLast() { meanings[token.start] = .link }
    let isCount = isCount(names)
    if isCount {
      meanings[names[names.count - 1].start] = .function
    } else {
      let outer = namespace
      if let schema, let outer {
        var place = outer
        for token in names.dropLast() { place = try target(of: token, in: place, schema) }
        namespace = place
      }
      defer { namespace = outer }
      try checkField(names[names.count - 1])
    }
    for count in 1...links.count {
      let way = Array(links[..<count])
      guard plan[along: way] == nil else { continue }
      plan[along: way] = QueryPlan(
        links[count - 1], fields: isCount && count == links.count ? nil : [])
    }
    guard var end = plan[along: links] else { return }
    if isCount { end.isCount = true } else { end.fields?.append(path(of: names).label) }
    plan[along: links] = end
  }
}
