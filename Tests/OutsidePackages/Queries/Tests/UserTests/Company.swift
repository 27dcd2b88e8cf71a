import DataSources
import DataSourcesTesting
import GRDB
import InstaQL
import LiveQueries
import Stores
import Synchronization
import Triples

struct Employee: QueryEntity {
  struct Fields: Sendable {
    let name = Field<String>("name"), salary = Field<Int>("salary")
    let active = Field<Bool>("active")
  }
  static let namespace = "employees"
  static let fields = Fields()
  let name: String
  let salary: Int

  init(row: DataRow) throws(QueryError) {
    name = try row.value(Self.fields.name)
    salary = try row.value(Self.fields.salary)
  }
}

/// A row with a name and, in one case, without a salary.
struct Wage: QueryEntity {
  struct Fields: Sendable { let name = Field<String>("name"), salary = Field<Int>("salary") }
  static let namespace = "wages"
  static let fields = Fields()
  let salary: Int
  init(row: DataRow) throws(QueryError) { salary = try row.value(Self.fields.salary) }
}

/// A store that counts its calls and can fail.
final class RecordingStore: QueryStore {
  let base: any QueryStore
  private let state = Mutex<(calls: Int, failure: DataSourceError?)>((0, nil))

  init(_ base: any QueryStore) { self.base = base }

  var calls: Int { state.withLock { $0.calls } }

  func fail(_ error: DataSourceError) { state.withLock { $0.failure = error } }

  func get(_ query: any DataSources.Query) async throws(DataSourceError) -> StoreSnapshot {
    let failure = state.withLock {
      $0.calls += 1
      return $0.failure
    }
    if let failure { throw failure }
    return try await base.get(query)
  }

  func getAll(_ query: any DataSources.Query) async throws(DataSourceError) -> [StoreSnapshot] {
    [try await get(query)]
  }

  func watch(_ query: any DataSources.Query) -> DataStream<StoreSnapshot> {
    state.withLock { $0.calls += 1 }
    return base.watch(query)
  }
}

/// The kinds of store that hold the company.
enum StoreKind: CaseIterable, Sendable {
  case memory
  /// A database that is read into memory, and one whose queries run as SQL.
  case database, largeDatabase

  /// Employees E00, E01 …, of whom the odd ones are active; and two wages, one without a salary.
  func company(_ folder: TemporaryFolder, _ count: Int = 40) async throws -> RecordingStore {
    switch self {
    case .memory:
      let store = MemoryStore()
      var changes = EntityChanges()
      for number in 0..<count {
        changes.insert(
          Employee.self, .set(\.name, Self.name(number)), .set(\.salary, Self.salary(number)),
          .set(\.active, number % 2 == 1))
      }
      changes.insert(Wage.self, .set(\.name, "a"), .set(\.salary, 5))
      changes.insert(Wage.self, .set(\.name, "b"))
      try await store.apply(changes)
      return RecordingStore(store)
    case .database, .largeDatabase:
      try folder.make()
      let file = folder.file("\(self)-\(count).db")
      try makeDatabase(file, count)
      let limit = self == .database ? SQLiteStore.maxBytesInMemory : 0
      return RecordingStore(try await SQLiteStore.open(file: file, maxBytesInMemory: limit))
    }
  }

  private func makeDatabase(_ file: String, _ count: Int) throws {
    try DatabaseQueue(path: file).write { database in
      try database.execute(
        sql: """
          CREATE TABLE employees (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, salary INTEGER NOT NULL, active BOOLEAN NOT NULL);
          CREATE TABLE wages (id INTEGER PRIMARY KEY, name TEXT NOT NULL, salary INTEGER);
          INSERT INTO wages VALUES (1, 'a', 5), (2, 'b', NULL);
          """)
      for number in 0..<count {
        try database.execute(
          sql: "INSERT INTO employees (name, salary, active) VALUES (?, ?, ?)",
          arguments: [Self.name(number), Self.salary(number), number % 2 == 1])
      }
    }
  }

  private static func name(_ number: Int) -> String { (number < 10 ? "E0" : "E") + "\(number)" }

  /// A number from 1,000 to 40,000, different for each employee.
  private static func salary(_ number: Int) -> Int { (number * 7 % 40 + 1) * 1_000 }
}
