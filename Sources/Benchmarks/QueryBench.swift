import InstaQL
import Triples

/// Measures loading, queries and changes of one store.
struct QueryBench {
  let folder: String
  let report: Report
  /// The number of different ids, and of different names, in the queries.
  private static let variety = 1009

  func run() throws {
    guard var store = try load() else { return print("\(folder): cannot be read") }
    var output = JSONOutput(capacity: 1 << 20)
    for query in Queries(store, variety: Self.variety).list {
      try answer(query, in: store, into: &output)
    }
    try change(&store, into: &output)
  }

  private func load() throws -> TripleStore? {
    let before = Timing.residentBytes()
    var dump = BenchData.dump(of: folder)
    guard let triples = dump?.triples else { return nil }
    var store = TripleStore()
    let time = try Timing.once {
      if let bytes = dump?.bytes { store = try TripleDump.load(bytes) }
    }
    dump = nil
    report.add(.load, time)
    let size = Double(Timing.residentBytes() - before) / Double(triples)
    report.add(.memory, Figure(median: size, least: size))
    report.entities = ["users", "posts", "comments"].reduce(0) { $0 + store.count(of: $1) }
    return store
  }

  private func answer(
    _ query: Queries.Query, in store: TripleStore, into output: inout JSONOutput
  ) throws {
    let prepared = try query.texts.map { text in
      try QueryDocument(json: text).plans.map { try QueryEngine.prepare($0, store.schema) }
    }
    let batch = query.texts.count > 1 ? 100 : 1
    let first = try Timing.once {
      output.removeAll()
      try QueryEngine.json(prepared[0], in: store, into: &output)
    }
    report.add(query.work, first, in: .first)
    report.add(
      query.work,
      try Timing.measure(batch: batch) { number in
        output.removeAll()
        try QueryEngine.json(prepared[number % prepared.count], in: store, into: &output)
      })
    guard let textWork = query.textWork else { return }
    let validator = QueryValidator(schema: store.schema)
    report.add(
      textWork,
      try Timing.measure(batch: batch) { number in
        output.removeAll()
        let json = try JSONReader.value(of: query.texts[number % query.texts.count])
        try validator.validate(json)
        try QueryEngine.json(QueryDocument(instaQL: json), in: store, into: &output)
      })
  }

  /// Measures changes of a store while there is another reference to it, as on a screen.
  private func change(_ store: inout TripleStore, into output: inout JSONOutput) throws {
    guard let age = store.schema.attribute("users", "age")?.id else { return }
    let users = store.rows(of: "users").handles.map { store.id(of: $0) }
    var kept = store
    func update(_ number: Int) throws {
      kept = store
      let user = EntityReference.id(users[number * 7919 % users.count])
      let step = TransactionStep.addTriple(user, age, .integer(Int64(20 + number % 50)))
      try store.transact(Transaction([step]))
    }
    report.add(.update, try Timing.once { try update(1) }, in: .first)
    report.add(.update, try Timing.measure(batch: 100, update))
    let live = try QueryDocument(
      json: #"{"posts":{"$":{"order":{"likes":"desc"},"limit":50},"author":{}}}"#
    ).plans.map { try QueryEngine.prepare($0, store.schema) }
    report.add(
      .live,
      try Timing.measure { number in
        try update(number)
        output.removeAll()
        try QueryEngine.json(live, in: store, into: &output)
      })
    withExtendedLifetime(kept) {}
  }
}
