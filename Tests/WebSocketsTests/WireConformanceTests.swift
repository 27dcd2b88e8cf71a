import ConformanceSupport
import DataSources
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples
import WebSockets

/// Queries a server in both ways: over a session, and over HTTP.
private struct Asker {
  let store: RemoteStore
  private let served: Served
  private let attributes: [Attribute]
  private let port: Int

  init(_ served: Served, _ attributes: [Attribute]) throws {
    self.served = served
    self.attributes = attributes
    let listener = try #require(served.listener)
    let client = WebSocketClient.forTests(listener.address)
    store = RemoteStore(Opening(appID: "cases"), timeouts: .forTests) { try await client.connect() }
    port = listener.port
  }

  /// A client's answer from the rows that it received, in the engine's JSON.
  func session(_ query: Value, infersCardinality: Bool = false) async throws -> Value {
    let document = try QueryDocument(instaQL: query, reading: .reference)
    var options = QueryOptions(infersCardinality: infersCardinality)
    let answered: TripleStore
    do {
      let snapshot = try await store.get(document)
      if document.plans.allSatisfy({ $0.question == $0 }) {
        options = options.serving(try #require(snapshot.served))
      }
      answered = snapshot.store
    } catch let error as DataSourceError
      where error.message.contains("cannot be written in InstaQL")
    {
      // Our client would not send this, but others may.
      let rows = try await rows(query)
      options.paging = .served(rows.pages, counts: rows.counts)
      answered = try copy(of: rows)
    }
    return try JSONReader.value(
      of: try QueryEngine.json(document, in: answered, options: options))
  }

  private func rows(_ query: Value) async throws -> JoinRows {
    let peer = try await served.open()
    let told = try await peer.ask(query, .joinRows)
    await peer.channel.close()
    return try #require(told.rows)
  }

  private func copy(of rows: JoinRows) throws -> TripleStore {
    var copy = TripleStore()
    for attribute in attributes { copy.addAttribute(attribute) }
    for row in rows.rows {
      let attribute = try #require(copy.schema.attribute(row.attribute))
      let entity = copy.makeEntity(row.entity, in: attribute.namespace)
      copy.insert(row.value, of: entity, row.attribute, at: row.createdAt)
    }
    return copy
  }

  /// The status and objects of the admin interface.
  func admin(
    _ query: Value, infersCardinality: Bool = false
  ) async throws -> (status: Int, body: Value) {
    let body = JSONWriter.text(["query": query, "inference?": .bool(infersCardinality)])
    let answer = try await RawConnection.ask("POST", "/admin/query", port: port, body: body)
    let status = try #require(Int(answer.dropFirst(9).prefix(3)))
    let end = try #require(answer.firstRange(of: "\r\n\r\n"))
    return (status, try JSONReader.value(of: String(answer[end.upperBound...])))
  }
}

extension Value {
  /// Whether this is the expected server form: with nulls for missing indexed attributes, ids of
  /// links that are not included, and empty lists for counts.
  fileprivate func isTree(of wanted: Value) -> Bool {
    switch (self, wanted) {
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.isTree(of: $1) }
    case (.object(let a), .object(let b)) where wanted.date == nil:
      let isHeld = b.members.allSatisfy { a[$0.key]?.isTree(of: $0.value) == true }
      return isHeld
        && a.members.allSatisfy { member in
          b[member.key] != nil || member.value == .null || member.value == []
            || member.value.text.map { EntityID($0).isUUID } == true
        }
    default: return isAnswer(wanted)
    }
  }
}

@Suite("Answers through a server", .timeLimit(.minutes(10)))
struct WireConformanceTests {
  @Test("match the local engine, over sessions and HTTP", arguments: [UInt64](1...3))
  func world(_ seed: UInt64) async throws {
    let store = PeopleAndClubs(seed: seed).store
    try await Wire.socket.serve(MemoryStore(store)) { served in
      let asker = try Asker(served, store.schema.attributes)
      for query in PeopleAndClubs.queries {
        let comment = Comment(rawValue: "seed \(seed), \(JSONWriter.text(query))")
        let document = try QueryDocument(instaQL: query, reading: .reference)
        let wanted = try JSONReader.value(of: try QueryEngine.json(document, in: store))
        #expect(try await asker.session(query).isAnswer(wanted), comment)
        let data = try required(wanted.object?["data"])
        let tree = try await asker.admin(query)
        #expect(tree.status == 200 && tree.body.isTree(of: data), comment)
      }
      await asker.store.close()
    }
  }

  @Test(
    "match the shared cases, over sessions and HTTP",
    .enabled(if: ConformanceFile.folder != nil), arguments: ConformanceFile.names)
  func cases(_ name: String) async throws {
    let file = try ConformanceFile(name)
    let known = KnownDifferences(in: file.store, hasDateObjects: file.hasDateObjects)
    try await Wire.socket.serve(MemoryStore(file.store)) { served in
      let asker = try Asker(served, file.store.schema.attributes)
      for example in file.cases {
        let tree = try await asker.admin(
          example.query, infersCardinality: file.infersCardinality)
        let broken = FormRules.broken(by: example.query).map(\.reason)
        #expect((tree.status == 400) == !broken.isEmpty, "\(name) \(example.id): \(broken)")
        if tree.status == 400 {
          let isEmpty = example.query == .null
          #expect(
            tree.body.object?["type"] == (isEmpty ? "param-missing" : "validation-failed"),
            "\(name) \(example.id)")
          continue
        }
        #expect(tree.status == 200, "\(name) \(example.id)")
        // Queries that a client rejects by its schema are never sent, and pages are the server's.
        let isServersOnly = !example.tags.isDisjoint(
          with: ["no-page-info", "edge:paging-no-info", "last-without-before"])
        guard let wanted = example.result?["data"], !isServersOnly else { continue }
        let comment = Comment(rawValue: "\(name) \(example.id): \(JSONWriter.text(example.query))")
        // The cases are a client's; only servers support prefixes of ids.
        let findsByBeginning = JSONWriter.text(example.query).contains("$entityIdStartsWith")
        let differs = !known.rules(for: example.query).isEmpty
        let wantedTree =
          findsByBeginning || differs ? try Self.served(example.query, by: file) : wanted
        #expect(tree.body.isTree(of: wantedTree), comment)
        let told = try await asker.session(
          example.query, infersCardinality: file.infersCardinality)
        #expect(told.object?["data"]?.isAnswer(differs ? wantedTree : wanted) == true, comment)
      }
      await asker.store.close()
    }
  }

  @Test("each rule of form is broken in some case", .enabled(if: ConformanceFile.folder != nil))
  func usedRules() throws {
    let queries = try ConformanceFile.names.flatMap { try ConformanceFile($0).cases.map(\.query) }
    let used = Set(queries.flatMap { FormRules.broken(by: $0).map(\.reason) })
    #expect(used == Set(FormRules.all.map(\.reason)))
  }

  /// The query as a server parses it.
  private static func served(_ query: Value, by file: ConformanceFile) throws -> Value {
    let document = try QueryDocument(instaQL: query, reading: .served)
    let options = QueryOptions(infersCardinality: file.infersCardinality)
    let text = try QueryEngine.json(document, in: file.store, options: options)
    return try required(try JSONReader.value(of: text).object?["data"])
  }
}
