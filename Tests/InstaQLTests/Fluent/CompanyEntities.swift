import InstaQL
import Triples

struct Employee: QueryEntity {
  struct Fields: Sendable {
    let id = Field<EntityID>("id"), key = Field<String>("key"), name = Field<String>("name")
    let email = Field<String>("email"), title = Field<String>("title")
    let level = Field<Int>("level"), salary = Field<Int>("salary")
    let startDate = Field<Instant>("startDate"), active = Field<Bool>("active")
    let department = LinkField<Department>("department"), office = LinkField<Office>("office")
    let manager = LinkField<Employee>("manager"), reports = LinkField<Employee>("reports")
    let projects = LinkField<Project>("projects"), leads = LinkField<Project>("leads")
  }

  static let namespace = "employees"
  static let fields = Fields()

  let id: EntityID
  let name: String
  let salary: Int
  let startDate: Instant
  let reports: [Employee]

  init(row: DataRow) throws(QueryError) {
    id = row.id
    name = try row.value(Self.fields.name)
    salary = try row.value(\.salary, of: Self.self)
    startDate = try row.value(Self.fields.startDate)
    reports = row.follows("reports") ? try row.related(Self.fields.reports) : []
  }
}

struct Department: QueryEntity {
  struct Fields: Sendable {
    let name = Field<String>("name"), budget = Field<Double>("budget"), floor = Field<Int>("floor")
    let head = LinkField<Employee>("head"), employees = LinkField<Employee>("employees")
  }

  static let namespace = "departments"
  static let fields = Fields()

  let name: String
  let budget: Double?
  let employees: [Employee]

  init(row: DataRow) throws(QueryError) {
    name = try row.value(Self.fields.name)
    budget = try row.optional(\.budget, of: Self.self)
    employees = row.follows("employees") ? try row.related(Self.fields.employees) : []
  }
}

/// Its fields have names that a library might use itself.
struct Project: QueryEntity {
  struct Fields: Sendable {
    let path = Field<String>("name"), count = Field<Double>("progress")
    let description = Field<Status>("status"), filter = Field<Instant>("deadline")
  }

  enum Status: String, FieldValue { case planned, active, done, paused }

  static let namespace = "projects"
  static let fields = Fields()

  let name: String
  let status: Status?

  init(row: DataRow) throws(QueryError) {
    name = try row.value(Self.fields.path)
    status = try row.optional(Self.fields.description)
  }
}

struct Office: QueryEntity {
  struct Fields: Sendable {
    let name = Field<String>("name"), city = Field<String>("city")
    let country = Field<String>("country"), seats = Field<Int>("seats")
  }

  static let namespace = "offices"
  static let fields = Fields()

  let name: String

  init(row: DataRow) throws(QueryError) { name = try row.value(Self.fields.name) }
}
