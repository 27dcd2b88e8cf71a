import DataSources
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import TestSupport
import Testing
import Triples

/// A list of queries that all stores must answer equally.
@Suite("Fluent queries of every store", .timeLimit(.minutes(10)))
struct FluentStoreTests {
  struct Worker: QueryEntity {
    struct Fields: Sendable {
      let name = Field<String>("name"), salary = Field<Int>("salary")
      let startDate = Field<Instant>("startDate")
      let boss = LinkField<Worker>("boss"), reports = LinkField<Worker>("reports")
    }

    static let namespace = "workers"
    static let fields = Fields()

    let name: String

    init(row: DataRow) throws(QueryError) { name = try row.value(Self.fields.name) }
  }

  private static func attribute(
    _ number: Int, _ label: String, _ type: CheckedType? = nil
  ) -> Attribute {
    Attribute(
      id: AttributeID("5a000000-0000-4000-8000-00000000010\(number)"), namespace: "workers",
      label: label, constraints: .indexed
    ).with {
      $0.isUnique = label == "id"
      $0.checkedType = type
    }
  }

  private static let attributes: [Attribute] = [
    attribute(0, "id"), attribute(1, "name", .string), attribute(2, "salary", .number),
    attribute(3, "startDate", .date),
    Attribute(
      id: AttributeID("5a000000-0000-4000-8000-000000000104"), namespace: "workers",
      label: "boss", reverse: Attribute.Name(namespace: "workers", label: "reports"),
      valueType: .ref),
  ]

  /// Name, salary, day of January 2020, and the number of the boss.
  private static let workers: [(String, Int64, Int, Int?)] = [
    ("Ada", 120, 1, nil), ("Bo", 90, 7, 0), ("Cy", 90, 3, 0), ("Dee", 70, 9, 1), ("Eve", 60, 2, 1),
    ("Fay", 50, 5, 2),
  ]

  private static var company: Transaction {
    var steps = attributes.map(TransactionStep.addAttribute)
    for (place, worker) in workers.enumerated() {
      let values: [Value] = [
        Sample.id(place).json, .text(worker.0), .integer(worker.1), .text("2020-01-0\(worker.2)"),
      ]
      for (attribute, value) in zip(attributes, values) {
        steps.append(.addTriple(.id(Sample.id(place)), attribute.id, value))
      }
      if let boss = worker.3 {
        steps.append(.addTriple(.id(Sample.id(place)), attributes[4].id, Sample.id(boss).json))
      }
    }
    return Transaction(steps)
  }

  private static var questions: [(EntityQuery<Worker>, [String])] {
    let all = EntityQuery<Worker>.from()
    let paid = all.filter { $0.salary > 60 }
    return [
      (paid.order(by: \.salary, .descending), ["Ada", "Cy", "Bo", "Dee"]),
      (
        paid.order(by: \.salary, .descending).order(by: \.startDate), ["Ada", "Cy", "Bo", "Dee"]
      ),
      (paid.order(by: \.salary, .descending).order(by: \.startDate).limit(2), ["Ada", "Cy"]),
      (all.order(by: \.name).limit(2).offset(1), ["Bo", "Cy"]),
      (all.filter { $0.name.like("%e%") }.order(by: \.name), ["Dee", "Eve"]),
      (all.filter { $0.boss.name == "Bo" }.order(by: \.name), ["Dee", "Eve"]),
      (
        all.filter { none($0.reports) { $0.salary < 65 } }.order(by: \.name),
        [
          "Ada", "Dee", "Eve", "Fay",
        ]
      ),
      (all.filter { !($0.salary > 60) }.order(by: \.name), ["Eve", "Fay"]),
    ]
  }

  @Test("the same queries have the same answers", arguments: StoreKind.allCases)
  func answers(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.put(nil, in: TransactionQuery(Self.company, id: MutationID()))
      for (place, (query, names)) in Self.questions.enumerated() {
        let found = try await query.all(in: store).map(\.name)
        // The first question has a tie, which goes by id.
        let isTied = place == 0
        #expect(isTied ? found.sorted() == names.sorted() : found == names, "\(query.plan.text)")
        #expect(try await query.count(in: store) == names.count)
      }
      let nested = try await store.from("workers").order("name").with("reports") {
        $0.order("salary").order("name")
      }.all()
      #expect(try nested[0].row.related("reports").map { $0["name"] } == ["Bo", "Cy"])
      let cost = try await EntityQuery<Worker>.from().aggregate(.sum(\.salary)).values(in: store)
      #expect(cost.integer(.sum(\.salary)) == 480)
      let teams = try await EntityQuery<Worker>.from().grouped(by: "boss").aggregate(.count)
        .all(in: store)
      #expect(teams.compactMap(\.count).sorted() == [1, 1, 2, 2])
    }
  }

  @Test("a server's first query waits for the schema if it is grouped by a link")
  func beforeSchema() async throws {
    let far = LoopbackServer()
    _ = try await far.store.put(nil, in: TransactionQuery(Self.company, id: MutationID()))
    let store = RemoteStore(far)
    let teams = try await EntityQuery<Worker>.from().grouped(by: "boss").aggregate(.count)
      .all(in: store)
    #expect(teams.compactMap(\.count).sorted() == [1, 1, 2, 2])
    await store.close()
  }

  /// Queries beyond a server's language are computed locally, then cut to a page.
  private static let summaries = [
    "workers group boss.name aggregate count(), sum(salary) as cost order cost desc",
    "workers order name limit 3 aggregate sum(salary), min(name)", "workers fields salary distinct",
    "workers filter salary > 55 and name != field(boss.name) order salary desc, name limit 2",
    "workers filter not name like \"%e%\" order name limit 2 offset 1",
    "workers order boss.name desc, name limit 3 with reports { filter salary = field(salary) }",
  ]

  @Test("queries beyond InstaQL are answered the same, also live", arguments: StoreKind.allCases)
  func summaries(_ kind: StoreKind) async throws {
    let memory = MemoryStore()
    _ = try await memory.put(nil, in: TransactionQuery(Self.company, id: MutationID()))
    let expected = try await memory.get(AllObjectsQuery()).store
    try await kind.withStore { store in
      _ = try await store.put(nil, in: TransactionQuery(Self.company, id: MutationID()))
      let manager = QueryManager(store: store)
      for text in Self.summaries {
        let document = try QueryDocument(text: text)
        let wanted = try QueryEngine.json(document, in: expected)
        let subscription = await manager.subscribe(to: document)
        var found: String?
        for try await result in subscription.results.awaited("the wanted answer") {
          switch result {
          case .loading: continue
          case .failed(let failure): Issue.record("\(text): \(failure.message)")
          case .loaded(let live):
            let bytes = try ResultFormat.json.bytes(of: live.answers)
            found = String(decoding: bytes.dropLast(), as: UTF8.self)
          }
          if Self.data(found) == Self.data(wanted) || kind.isWhole { break }
        }
        #expect(Self.data(found) == Self.data(wanted), "\(text)")
        await manager.unsubscribe(subscription.id)
      }
    }
  }

  /// The answer without its cursors, which name attributes by ids that each store gives itself.
  private static func data(_ json: String?) -> Value? {
    guard let json, case .object(let object)? = try? JSONReader.value(of: json) else { return nil }
    return object["data"]
  }

  @Test("changed groups on the server reach subscribers", .timeLimit(.minutes(10)))
  func liveGroups() async throws {
    let far = LoopbackServer()
    _ = try await far.store.put(nil, in: TransactionQuery(Self.company, id: MutationID()))
    let manager = QueryManager(store: RemoteStore(far))
    let document = try QueryDocument(text: "workers group salary order count desc limit 1")
    var seen: [[Value]] = []
    let results = await manager.subscribe(to: document).results.awaited("the rows after the raise")
    for try await result in results {
      guard case .loaded(let live) = result, let row = live.answers[0].table?.rows.first else {
        continue
      }
      seen.append(row)
      if row == [90, 2] {
        let raise = Transaction([
          .addTriple(.id(Sample.id(3)), Self.attributes[2].id, 90)
        ])
        _ = try await far.store.put(nil, in: TransactionQuery(raise, id: MutationID()))
      }
      if row == [90, 3] { break }
    }
    #expect(seen.last == [90, 3])
  }
}
