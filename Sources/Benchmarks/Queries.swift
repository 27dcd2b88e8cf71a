import Triples

/// The measured queries as InstaQL JSON.
struct Queries {
  struct Query {
    let work: Work
    /// The texts of the queries, run in turn.
    let texts: [[UInt8]]
    /// The measurement that also includes parsing the query text; nil if there is no such
    /// measurement.
    var textWork: Work?
  }

  private(set) var list: [Query] = []

  init(_ store: TripleStore, variety: Int) {
    let users = store.rows(of: "users").handles.map { store.id(of: $0).text }
    let numbers = (0..<min(variety, users.count)).map { $0 * 7919 % users.count }
    add(
      .point, numbers.map { #"{"users":{"$":{"where":{"id":"\#(users[$0])"}}}}"# },
      text: .pointText)
    add(
      .unique, numbers.map { #"{"users":{"$":{"where":{"handle":"user\#($0)"}}}}"# },
      text: .uniqueText)
    add(
      .equality,
      (0..<50).map { #"{"users":{"$":{"where":{"city":"city-\#($0 / 10)\#($0 % 10)"}}}}"# })
    add(.range, [#"{"posts":{"$":{"where":{"likes":{"$gte":900}}}}}"#])
    add(.orderNumber, [#"{"posts":{"$":{"order":{"likes":"desc"},"limit":50}}}"#])
    add(.orderDefault, [#"{"posts":{"$":{"limit":50}}}"#])
    add(.orderText, [#"{"users":{"$":{"order":{"handle":"asc"},"limit":50}}}"#])
    add(.like, [#"{"posts":{"$":{"where":{"title":{"$like":"%war%"}},"limit":50}}}"#])
    add(
      .path,
      numbers.map { #"{"posts":{"$":{"where":{"author.handle":"user\#($0)"}}}}"# }, text: .pathText)
    add(.nested100, [#"{"users":{"$":{"limit":100},"posts":{"comments":{}}}}"#])
    if users.count >= 1000 {
      add(.nested1000, [#"{"users":{"$":{"limit":1000},"posts":{"comments":{}}}}"#])
    }
  }

  private mutating func add(_ work: Work, _ texts: [String], text textWork: Work? = nil) {
    list.append(Query(work: work, texts: texts.map { Array($0.utf8) }, textWork: textWork))
  }
}
