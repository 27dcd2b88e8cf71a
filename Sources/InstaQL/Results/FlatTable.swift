package import Triples

/// An answer as one flat table, for the formats CSV, TSV and Markdown.
///
/// The columns are the requested fields in their order, then those of the relations that are not
/// among them. If the query requests no fields, they are all fields and `id`; for rows of a
/// database, they are the columns of the database table. For rows of a file, `id` has the values of
/// the file.
///
/// A relation that leads to one entity gives a column for each of its fields, named by the path:
/// `country.name`. A relation that leads to many entities is one column, whose cells contain lists
/// of objects in JSON. A count is a table with one column and one row. A summary is already a
/// table.
package struct FlatTable {
  package enum Cell: Hashable, Sendable {
    /// The value is missing, or a link on its path has no target.
    case missing
    case null
    case bool(Bool)
    /// A number, written as in JSON.
    case number(String)
    case text(String)
    case json(String)
  }

  /// The columns for the entities at one nesting level of the answer.
  private struct Level {
    let columns: [Column]
    let width: Int

    enum Column {
      case field(Attribute, title: String)
      case computed(PreparedColumn)
      /// A relation that leads to one entity.
      case one(PreparedRelation, Level)
      /// A relation that leads to many entities, or that is only counted.
      case list(PreparedRelation)

      init(_ relation: PreparedRelation, _ schema: Schema) {
        let isOne = relation.isSingular && !relation.plan.plan.isCount
        self = isOne ? .one(relation, Level(relation.plan, schema)) : .list(relation)
      }

      var isList: Bool { if case .list = self { true } else { false } }

      var width: Int { if case .one(_, let level) = self { level.width } else { 1 } }

      func titles(after path: String) -> [String] {
        switch self {
        case .field(_, let title): [path + title]
        case .computed(let column): [path + column.name]
        case .one(let relation, let level): level.titles(after: path + relation.label + ".")
        case .list(let relation): [path + relation.label]
        }
      }
    }

    init(_ plan: PreparedPlan, _ schema: Schema) {
      var columns = plan.plan.namedColumns.flatMap { Self.columns($0, of: plan, schema) }
      // If there are no columns at all, the id stands for the entity.
      if columns.isEmpty, plan.relations.isEmpty {
        columns = plan.fields.map { .field($0, title: $0.label) }
      }
      let rest = plan.plan.unnamedRelations.compactMap { plan.relation($0.label) }
        .map { Column($0, schema) }
      self.columns = columns + rest.filter { !$0.isList } + rest.filter(\.isList)
      width = self.columns.reduce(0) { $0 + $1.width }
    }

    private static func columns(
      _ column: QueryPlan.Column, of plan: PreparedPlan, _ schema: Schema
    ) -> [Column] {
      switch column {
      case .all: all(of: plan, schema)
      case .attribute(let label):
        plan.fields.filter { $0.label == label }.map { .field($0, title: label) }
      case .computed(let name): plan.computed.filter { $0.name == name }.map { .computed($0) }
      case .relation(let relation): plan.relation(relation.label).map { [Column($0, schema)] } ?? []
      }
    }

    /// Returns the columns of all fields. For rows of a database, these are exactly the columns of
    /// the database table, with their names. For rows of a file, the file's own `id` replaces the id
    /// that is derived from it.
    private static func all(of plan: PreparedPlan, _ schema: Schema) -> [Column] {
      let columns = plan.fields.compactMap { field in field.column.map { (field, $0) } }
        .sorted { $0.1.place < $1.1.place }
      if columns.isEmpty {
        let own = schema.fileID(of: plan.namespace)
        return plan.fields.filter { $0.id != own?.id }
          .map { .field($0.isIdentity ? own ?? $0 : $0, title: $0.label) }
      }
      return columns.map { .field($0.0, title: $0.1.name) }
    }

    func titles(after path: String) -> [String] { columns.flatMap { $0.titles(after: path) } }
  }

  private enum Rows {
    case cells([[Cell]])
    case entities(Answer, Level)
  }

  let titles: [String]
  private let rows: Rows

  /// Creates the table of an answer.
  init(_ answer: Answer) {
    if let table = answer.table {
      titles = table.columns
      rows = .cells(table.rows.map { $0.map { Cell($0) } })
    } else if answer.count != nil {
      titles = ["count"]
      rows = .cells([[.number(String(answer.total))]])
    } else {
      let top = Level(answer.prepared, answer.store.schema)
      titles = top.titles(after: "")
      rows = .entities(answer, top)
    }
  }

  /// Creates a table of cells, one for each title in every row.
  package init(titles: [String], rows: [[Cell]]) {
    self.titles = titles
    self.rows = .cells(rows)
  }

  var rowCount: Int {
    switch rows {
    case .cells(let cells): cells.count
    case .entities(let answer, _): answer.rows.count
    }
  }

  /// Returns the cells of a row, one for each column.
  func row(_ place: Int) throws(QueryError) -> [Cell] {
    switch rows {
    case .cells(let cells): return cells[place]
    case .entities(let answer, let top):
      var cells: [Cell] = []
      cells.reserveCapacity(top.width)
      try Self.append(answer.rows[place], top, of: answer.store, to: &cells)
      return cells
    }
  }

  /// Appends the cells of an entity and of its to-one relations.
  ///
  /// The recursion is as deep as the relations, whose depth is limited.
  private static func append(
    _ entity: EntityHandle, _ level: Level, of store: TripleStore, to cells: inout [Cell]
  ) throws(QueryError) {
    for column in level.columns {
      switch column {
      case .computed(let column): cells.append(Cell(column.value(of: entity, in: store)))
      case .field(let field, _): cells.append(Cell(store.value(entity, field.id), of: field))
      case .list(let relation): cells.append(try list(relation, of: entity, in: store))
      case .one(let relation, let next):
        if let target = try related(relation, of: entity, in: store)?.rows.first {
          try append(target, next, of: store, to: &cells)
        } else {
          cells += repeatElement(.missing, count: next.width)
        }
      }
    }
  }

  private static func list(
    _ relation: PreparedRelation, of entity: EntityHandle, in store: TripleStore
  ) throws(QueryError) -> Cell {
    guard let related = try related(relation, of: entity, in: store) else { return .missing }
    if related.plan.isCount { return .number(String(related.total)) }
    var output = JSONOutput()
    try QueryEngine.rows(related, into: &output)
    return .json(output.text)
  }

  /// Returns the linked entities of a relation as an answer. Nil if the namespace has no such link.
  private static func related(
    _ relation: PreparedRelation, of entity: EntityHandle, in store: TripleStore
  ) throws(QueryError) -> Answer? {
    guard let link = relation.link else { return nil }
    let targets = RowSet(store.targets(entity, link))
    return try QueryEngine.answer(relation.plan, among: targets, in: store)
  }
}

extension FlatTable.Cell {
  /// Creates the cell of an attribute's value. In a database column, a boolean is written as 1 or
  /// 0.
  package init(_ value: Value?, of attribute: Attribute) {
    if attribute.column != nil, case .bool(let flag)? = value {
      self = .number(flag ? "1" : "0")
    } else {
      self.init(value)
    }
  }

  package init(_ value: Value?) {
    switch value {
    case nil: self = .missing
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .integer, .double: self = .number(JSONWriter.text(value ?? .null))
    case .text(let text): self = .text(text)
    case .array, .object: self = .json(JSONWriter.text(value ?? .null))
    }
  }

  /// The text of the cell; empty for missing values and null.
  package var text: String {
    switch self {
    case .missing, .null: ""
    case .bool(let flag): flag ? "true" : "false"
    case .number(let text), .text(let text), .json(let text): text
    }
  }
}

extension JSONOutput {
  /// Appends text without escaping it.
  mutating func append(raw text: String) { append(Array(text.utf8)) }

  /// Throws if more bytes were written since `start` than the options allow.
  func check(_ options: QueryOptions, since start: Int) throws(QueryError) {
    guard count - start <= options.maxBytes else {
      throw .store("The answer is larger than allowed; include fewer relations or set limits.")
    }
  }
}
