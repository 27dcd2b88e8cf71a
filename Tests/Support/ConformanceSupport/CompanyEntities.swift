package import InstaQL
package import Triples

/// An employee of the demo company.
package struct Employee: QueryEntity {
  package struct Fields: Sendable {
    package let id = Field<EntityID>("id"), key = Field<String>("key"), name = Field<String>("name")
    package let email = Field<String>("email"), title = Field<String>("title")
    package let level = Field<Int>("level"), salary = Field<Int>("salary")
    package let startDate = Field<Instant>("startDate"), active = Field<Bool>("active")
    package let department = LinkField<Department>("department"),
      office = LinkField<Office>("office")
    package let manager = LinkField<Employee>("manager"), reports = LinkField<Employee>("reports")
    package let projects = LinkField<Project>("projects"), leads = LinkField<Project>("leads")
  }

  package static let namespace = "employees"
  package static let fields = Fields()

  package let id: EntityID
  package let name: String
  package let salary: Int
  package let startDate: Instant
  package let reports: [Employee]

  package init(row: DataRow) throws(QueryError) {
    id = row.id
    name = try row.value(Self.fields.name)
    salary = try row.value(\.salary, of: Self.self)
    startDate = try row.value(Self.fields.startDate)
    reports = row.follows("reports") ? try row.related(Self.fields.reports) : []
  }
}

/// A department of the demo company.
package struct Department: QueryEntity {
  package struct Fields: Sendable {
    package let name = Field<String>("name"), budget = Field<Double>("budget"),
      floor = Field<Int>("floor")
    package let head = LinkField<Employee>("head"), employees = LinkField<Employee>("employees")
  }

  package static let namespace = "departments"
  package static let fields = Fields()

  package let name: String
  package let budget: Double?
  package let employees: [Employee]

  package init(row: DataRow) throws(QueryError) {
    name = try row.value(Self.fields.name)
    budget = try row.optional(\.budget, of: Self.self)
    employees = row.follows(Self.fields.employees) ? try row.related(Self.fields.employees) : []
  }
}

/// A project of the demo company. Its fields have names that the library itself could use.
package struct Project: QueryEntity {
  package struct Fields: Sendable {
    package let path = Field<String>("name"), count = Field<Double>("progress")
    package let description = Field<Status>("status"), filter = Field<Instant>("deadline")
  }

  package enum Status: String, FieldValue { case planned, active, done, paused }

  package static let namespace = "projects"
  package static let fields = Fields()

  package let name: String
  package let status: Status?

  package init(row: DataRow) throws(QueryError) {
    name = try row.value(Self.fields.path)
    status = try row.optional(Self.fields.description)
  }
}

/// An office of the demo company.
package struct Office: QueryEntity {
  package struct Fields: Sendable {
    package let name = Field<String>("name"), city = Field<String>("city")
    package let country = Field<String>("country"), seats = Field<Int>("seats")
  }

  package static let namespace = "offices"
  package static let fields = Fields()

  package let name: String

  package init(row: DataRow) throws(QueryError) { name = try row.value(Self.fields.name) }
}
