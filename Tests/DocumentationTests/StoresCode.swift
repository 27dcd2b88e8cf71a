import DataSources
import InstaQL
import LiveQueries
import Stores
import Triples

/// What is printed in the documentation is not printed here.
private func print(_ things: Any?...) {}

// code: InstaQL/Fluent/FieldValue.swift
enum Status: String, FieldValue { case planned, active, done }
// end

private enum Fluent {
  struct Department: QueryEntity {
    struct Fields: Sendable { let name = Field<String>("name") }
    static let namespace = "departments"
    static let fields = Fields()
    init(row: DataRow) throws(QueryError) {}
  }

  // code: InstaQL/Fluent/Field.swift
  struct Employee: QueryEntity {
    struct Fields: Sendable {
      let name = Field<String>("name"), salary = Field<Int>("salary")
      let department = LinkField<Department>("department")
    }
    static let namespace = "employees"
    static let fields = Fields()

    let name: String
    let salary: Int?

    init(row: DataRow) throws(QueryError) {
      name = try row.value(\.name, of: Self.self)
      salary = try row.optional(\.salary, of: Self.self)
    }
  }
  // end
}

private struct Employee: QueryEntity {
  struct Fields: Sendable {
    let name = Field<String>("name"), salary = Field<Int>("salary")
    let startDate = Field<Instant>("startDate")
  }
  static let namespace = "employees"
  static let fields = Fields()
  let name: String

  init(row: DataRow) throws(QueryError) { name = try row.value(\.name, of: Self.self) }
}

private func fluent(_ store: some QueryStore & WatchDataSource<StoreSnapshot>) async throws {
  func render(_ rows: [Employee]) {}
  let query = EntityQuery<Employee>.from()

  // code: InstaQL/Fluent/EntityQuery.swift
  let base = EntityQuery<Employee>.from()
  let rich = base.filter { $0.salary > 80_000 && $0.name.like("S%") }
  for employee in try await rich.order(by: \.startDate).limit(20).all(in: store) { print(employee) }
  // end

  // code: InstaQL/Fluent/Projection.swift
  for (name, salary) in try await query.select(\.name, \.salary).all(in: store) {
    print(name, salary)
  }
  // end

  // code: InstaQL/Fluent/RowSequence.swift
  for try await employee in query.rows(in: store) { print(employee.name) }
  // end

  // code: InstaQL/Fluent/LiveQuery.swift
  for try await page in query.live(in: store) { render(page.rows) }
  // end
}

private func answers(_ plan: QueryPlan, _ store: TripleStore) throws {
  // code: InstaQL/Results/Answer.swift
  let answer = try QueryEngine.answer(plan, in: store)
  for city in answer.rows { print(answer.value(city, "name")) }
  // end
}

private func changes(_ ana: String, _ given: TripleStore) throws {
  var store = given
  // code: Triples/InstaML/TransactionBuilder.swift
  var builder = TransactionBuilder()
  builder.update("people", .id(ana), ["age": 31])
  builder.link("people", .id(ana), "reports", [.lookup("email", "bo@x.io")])
  try store.transact(builder.transaction(in: store))
  // end

  let isSame =
    // code: Triples/Ordering/Instant.swift
    Instant("2025-01-10") == Instant("1/10/2025, 0:00:00 AM")  // true
  // end
  _ = isSame
}

private func live(_ store: any StoreDataSource) async throws {
  func show(_ result: LiveResult) {}

  // code: LiveQueries/QueryManager.swift
  let manager = QueryManager(store: store)
  let subscription = await manager.subscribe(to: try QueryDocument(text: "goals with todos"))
  for await result in subscription.results { show(result) }
  // end
}

private func readme() async throws {
  // code: README.md
  let store = try await FolderStore.open(folder: "data")
  let manager = QueryManager(store: store)
  let tasks = try QueryDocument(text: "tasks filter not done order due")
  for await result in await manager.subscribe(to: tasks).results { print(result) }
  // end
}

private func file(_ transaction: Transaction) async throws {
  // code: Stores/LocalStore.swift
  let store = try await LocalStore.open(file: "tasks.sonde", ifMissing: .create)
  try await store.put(nil, in: TransactionQuery(transaction))
  // end
}

private func plain() throws {
  // code: Stores/ReadOnlyMemoryStore.swift
  let store = try ReadOnlyMemoryStore.read(Array(#"[{"name": "Ann"}]"#.utf8))  // namespace `rows`
  // end
  _ = store
}

private func memory() async throws {
  // code: Stores/MemoryStore.swift
  let store = MemoryStore()
  try await store.insert(Employee.self, .set(\.name, "Ada"), .set(\.salary, 80_000))
  // end
}

private enum Changing {
  struct Department: QueryEntity {
    struct Fields: Sendable { let name = Field<String>("name") }
    static let namespace = "departments"
    static let fields = Fields()
    init(row: DataRow) throws(QueryError) {}
  }

  struct Employee: QueryEntity {
    struct Fields: Sendable {
      let name = Field<String>("name"), title = Field<String>("title")
      let salary = Field<Int>("salary"), department = LinkField<Department>("department")
    }
    static let namespace = "employees"
    static let fields = Fields()
    init(row: DataRow) throws(QueryError) {}
  }

  static func changes(_ store: MemoryStore, _ ada: EntityID) async throws {
    // code: LiveQueries/FieldChange.swift
    try await store.update(Employee.self, ada, .set(\.salary, 90_000), .clear(\.title))
    // end

    // code: LiveQueries/EntityChanges.swift
    var changes = EntityChanges()
    let sales = changes.insert(Department.self, .set(\.name, "Sales"))
    changes.insert(Employee.self, .set(\.name, "Ada"), .link(\.department, sales))
    try await store.apply(changes)
    // end
  }
}
