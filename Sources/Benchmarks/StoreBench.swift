import InstaQL
import Triples

/// The works of one store of users, posts and comments, and the time that each takes.
struct StoreBench {
  let folder: String
  let report: Report

  func run() throws {
    let before = Timing.residentBytes()
    var loaded: TripleStore?
    let load = try Timing.once { loaded = try BenchData.store(folder) }
    guard let store = loaded else { return }
    loaded = nil
    let triples = store.tripleCount
    let bytes = Timing.residentBytes() - before
    report.add("load a dump of \(triples) triples", load)
    report.add("bytes a triple", "sonde", "\(bytes / max(1, triples))")
    let users = store.rows(of: "users").handles.map { store.id(of: $0).text }
    try questions(store, users)
    try rowsOnly(store)
    try changes(store, users)
    report.add(
      "bytes a triple, with indexes", "sonde",
      "\((Timing.residentBytes() - before) / max(1, triples))")
  }

  // MARK: Whole answers, as JSON

  private func questions(_ store: TripleStore, _ users: [String]) throws {
    let count = users.count
    func pick(_ number: Int) -> Int { number * 7919 % count }
    try ask("point by id", store, batch: 100) {
      #"{"users":{"$":{"where":{"id":"\#(users[pick($0)])"}}}}"#
    }
    try ask("unique text", store, batch: 100) {
      #"{"users":{"$":{"where":{"handle":"user\#(pick($0))"}}}}"#
    }
    try ask("text, 2 % of users", store) {
      #"{"users":{"$":{"where":{"city":"city-\#(10 + $0 % 40)"}}}}"#
    }
    try ask("range, 10 % of posts", store) { _ in
      #"{"posts":{"$":{"where":{"likes":{"$gte":900}}}}}"#
    }
    try ask("order by number, top 50", store) { _ in Self.mostLiked }
    try ask("default order, first 50", store) { _ in #"{"posts":{"$":{"limit":50}}}"# }
    try ask("order by text, first 50", store) { _ in
      #"{"users":{"$":{"order":{"handle":"asc"},"limit":50}}}"#
    }
    try ask("like %war%, first 50", store) { _ in
      #"{"posts":{"$":{"where":{"title":{"$like":"%war%"}},"limit":50}}}"#
    }
    try ask("path: posts of one handle", store) {
      #"{"posts":{"$":{"where":{"author.handle":"user\#(pick($0))"}}}}"#
    }
    for parents in [100, 1000] where parents <= count {
      try ask("nested \(parents) users", store) { _ in
        #"{"users":{"$":{"limit":\#(parents)},"posts":{"comments":{}}}}"#
      }
    }
  }

  private static let mostLiked =
    #"{"posts":{"$":{"order":{"likes":"desc"},"limit":50}}}"#
  private static let mostLikedWithAuthor =
    #"{"posts":{"$":{"order":{"likes":"desc"},"limit":50},"author":{}}}"#

  /// Answers a query into one buffer that is used again; reading the query is not counted.
  private func ask(
    _ work: String, _ store: TripleStore, batch: Int = 1, _ query: (Int) -> String
  ) throws {
    let documents = try (0..<64).map { try QueryDocument(json: query($0)) }
    var output = JSONOutput(capacity: 1 << 20)
    let figure = try Timing.measure(batch: batch) { number in
      output.removeAll()
      try QueryEngine.json(documents[number & 63], in: store, into: &output)
    }
    report.add(work, figure)
  }

  // MARK: Rows without their cells

  private func rowsOnly(_ store: TripleStore) throws {
    let likes = try id("posts", "likes", store)
    let title = try id("posts", "title", store)
    let author = try id("posts", "author", store)
    let age = try id("users", "age", store)
    let posts = store.rows(of: "posts")
    let users = store.rows(of: "users")
    let first = users.handles[0].row
    let userCount = users.count
    var found = 0
    report.add(
      "range, 10 % of posts, rows only",
      Timing.measure { _ in
        found &+= store.rows(likes, .greater(than: 900, orEqual: true), within: posts).count
      })
    report.add(
      "like %war%, all, rows only",
      Timing.measure { _ in found &+= store.rows(title, .like(LikePattern("%war%"))).count })
    report.add(
      "from all posts to their users",
      Timing.measure { _ in found &+= store.targets(author, of: posts).count })
    report.add(
      "one value by attribute",
      Timing.measure(batch: 1000) { number in
        let entity = EntityHandle(row: first &+ UInt32(number % userCount))
        if store.value(entity, age) != nil { found &+= 1 }
      })
    if found == 0 { print("Nothing was found in \(folder).") }
  }

  // MARK: Changes

  private func changes(_ original: TripleStore, _ users: [String]) throws {
    let age = try id("users", "age", original)
    let bio = try id("users", "bio", original)
    let likes = try id("posts", "likes", original)
    let posts = original.rows(of: "posts").handles.map { original.id(of: $0) }
    var store = original
    var snapshot = store
    func update(_ entity: EntityID, _ attribute: AttributeID, _ value: Value) throws {
      // Somebody still reads the store before, so that nothing can be changed in place.
      snapshot = store
      try store.transact(Transaction([.addTriple(.id(entity), attribute, value)]), at: 1)
    }
    func user(_ number: Int) -> EntityID { EntityID(users[number * 7919 % users.count]) }
    report.add(
      "one update",
      try Timing.measure(batch: 20) { try update(user($0), age, .integer(Int64(20 + $0 % 50))) })
    report.add(
      "one update of a text",
      try Timing.measure(batch: 20) { try update(user($0), bio, .text("a new text, \($0)")) })
    report.add(
      "1000 updates in one transaction",
      try Timing.measure { round in
        snapshot = store
        let steps = (0..<1000).map { number in
          TransactionStep.addTriple(
            .id(user(round &+ number)), age, .integer(Int64((round &+ number) & 127)))
        }
        try store.transact(Transaction(steps), at: 1)
      })
    let document = try QueryDocument(json: Self.mostLikedWithAuthor)
    var output = JSONOutput(capacity: 1 << 20)
    report.add(
      "live: one update, top 50 again",
      try Timing.measure { number in
        output.removeAll()
        try update(posts[number * 7919 % posts.count], likes, .integer(Int64(number % 1000)))
        try QueryEngine.json(document, in: store, into: &output)
      })
    if snapshot.isIdentical(to: store) { print("Nothing was changed in \(folder).") }
  }

  private func id(
    _ namespace: String, _ label: String, _ store: TripleStore
  ) throws -> AttributeID {
    guard let attribute = store.schema.attribute(namespace, label) else {
      throw BenchError.noAttribute("\(namespace).\(label)")
    }
    return attribute.id
  }
}

enum BenchError: Error {
  case noAttribute(String)
  case noFile(String)
}

extension TripleStore {
  /// How many triples there are; a many-valued attribute counts each.
  fileprivate var tripleCount: Int {
    schema.attributes.reduce(0) { count, attribute in
      let rows = rows(attribute.id, .stored)
      if attribute.cardinality == .one { return count + rows.count }
      return rows.handles.reduce(count) { $0 + values($1, attribute.id).count }
    }
  }
}
