public import Triples

/// Writes answers as JSON.
extension QueryEngine {
  /// Writes `{"data": {namespace: […]}, "pageInfo": {namespace: {…}}, "aggregate": {…}}`.
  /// `pageInfo` and `aggregate` are written only if a plan requests them. A namespace that is only
  /// counted is not part of `data`.
  ///
  /// - Throws: The errors of `answer`, and `store` when the answer exceeds the maximum size. After
  ///   an error, the output still contains what was written before.
  package static func json(
    _ document: QueryDocument, in store: TripleStore, options: QueryOptions = .standard,
    into output: inout JSONOutput
  ) throws(QueryError) {
    var plans: [PreparedPlan] = []
    for plan in document.plans {
      plans.append(try prepare(plan, store.schema, options: options))
    }
    try json(plans, in: store, options: options, into: &output)
  }

  /// Writes the answers to a document, evaluated in a snapshot that the store returned for it.
  package static func json(
    _ document: QueryDocument, in snapshot: StoreSnapshot, options: QueryOptions,
    into output: inout JSONOutput
  ) throws(QueryError) {
    var plans: [PreparedPlan] = []
    for plan in document.plans {
      plans.append(
        try prepare(
          plan, snapshot.store.schema, options: options.answering(plan, in: snapshot)))
    }
    try json(plans, in: snapshot.store, options: options, into: &output)
  }

  /// Evaluates prepared plans and writes their answers.
  package static func json(
    _ plans: [PreparedPlan], in store: TripleStore, options: QueryOptions = .standard,
    into output: inout JSONOutput
  ) throws(QueryError) {
    var answers: [Answer] = []
    for plan in plans { answers.append(try page(plan, in: store)) }
    try json(answers, options: options, into: &output)
  }

  /// Evaluates a document and returns the answers as JSON text.
  public static func json(
    _ document: QueryDocument, in store: TripleStore, options: QueryOptions = .standard
  ) throws(QueryError) -> String {
    var output = JSONOutput(capacity: 1 << 16)
    try json(document, in: store, options: options, into: &output)
    return output.text
  }

  /// Writes existing answers as one JSON object.
  package static func json(
    _ answers: [Answer], options: QueryOptions = .standard, into output: inout JSONOutput
  ) throws(QueryError) {
    let limit = output.count + options.maxBytes
    output.append("{\"data\":{")
    var isFirst = true
    for answer in answers where answer.count == nil {
      if !isFirst { output.append(",") }
      isFirst = false
      output.write(answer.plan.namespace)
      output.append(":")
      try rows(answer, upTo: limit, into: &output)
    }
    output.append("}")
    pages(answers, into: &output)
    counts(answers, into: &output)
    output.append("}")
  }

  /// Writes the entities of an answer as a JSON array of objects.
  ///
  /// - Parameters:
  ///   - options: Options for writing objects; nil uses those of the answer.
  ///   - limit: The maximum size of the output in bytes. Writing more fails.
  package static func rows(
    _ answer: Answer, as options: QueryOptions? = nil, upTo limit: Int = .max,
    into output: inout JSONOutput
  ) throws(QueryError) {
    if let table = answer.table { return try rows(table, upTo: limit, into: &output) }
    var prepared = answer.prepared
    if var options {
      options.paging = prepared.paging
      prepared = try prepare(answer.plan, answer.store.schema, options: options)
    }
    let level = try AnswerLevel(prepared, answer.rows, in: answer.store)
    let writer = ObjectWriter(limit: limit, showsMissing: options?.objects == .stored)
    output.append("[")
    for place in answer.rows.indices {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      try writer.write(place, of: level, into: &output)
    }
    output.append("]")
  }

  /// Writes each entity of an answer as a JSON object on its own line.
  static func lines(
    _ answer: Answer, upTo limit: Int, into output: inout JSONOutput
  ) throws(QueryError) {
    if let table = answer.table {
      for row in table.rows {
        if output.count > limit { throw tooLarge }
        object(row, of: table, into: &output)
        output.append(UInt8(ascii: "\n"))
      }
      return
    }
    let level = try AnswerLevel(answer.prepared, answer.rows, in: answer.store)
    let writer = ObjectWriter(limit: limit)
    for place in answer.rows.indices {
      try writer.write(place, of: level, into: &output)
      output.append(UInt8(ascii: "\n"))
    }
  }

  /// Writes each row of a table as a JSON object.
  private static func rows(
    _ table: SummaryTable, upTo limit: Int, into output: inout JSONOutput
  ) throws(QueryError) {
    output.append("[")
    for (place, row) in table.rows.enumerated() {
      if output.count > limit { throw tooLarge }
      if place > 0 { output.append(",") }
      object(row, of: table, into: &output)
    }
    output.append("]")
  }

  private static func object(
    _ row: [Value], of table: SummaryTable, into output: inout JSONOutput
  ) {
    for (column, name) in table.columns.enumerated() {
      output.append(column > 0 ? "," : "{")
      output.write(name)
      output.append(":")
      output.write(row[column])
    }
    output.append("}")
  }

  package static var tooLarge: QueryError {
    .store("The answer is larger than allowed; include fewer relations or set limits.")
  }

  private static func pages(_ answers: [Answer], into output: inout JSONOutput) {
    var isFirst = true
    for answer in answers {
      guard let info = answer.pageInfo else { continue }
      if isFirst { output.append(",\"pageInfo\":{") } else { output.append(",") }
      isFirst = false
      output.write(answer.plan.namespace)
      output.append(":{\"startCursor\":")
      output.write(info.start)
      output.append(",\"endCursor\":")
      output.write(info.end)
      output.append(",\"hasNextPage\":")
      output.write(info.hasNext)
      output.append(",\"hasPreviousPage\":")
      output.write(info.hasPrevious)
      output.append("}")
    }
    if !isFirst { output.append("}") }
  }

  private static func counts(_ answers: [Answer], into output: inout JSONOutput) {
    var isFirst = true
    for answer in answers {
      guard let count = answer.count else { continue }
      if isFirst { output.append(",\"aggregate\":{") } else { output.append(",") }
      isFirst = false
      output.write(answer.plan.namespace)
      output.append(":{\"count\":")
      output.write(Int64(count))
      output.append("}")
    }
    if !isFirst { output.append("}") }
  }
}

extension JSONOutput {
  /// Writes a cursor as InstaQL does. Nil is written as null.
  package mutating func write(_ cursor: Cursor?) {
    guard let cursor else { return append("null") }
    append("[")
    write(cursor.entity.text)
    append(",")
    write(cursor.attribute.text)
    append(",")
    write(cursor.value)
    append(",")
    if let created = cursor.createdAt { write(created) } else { append("null") }
    append("]")
  }
}

/// Writes entities with their relations.
///
/// The recursion is as deep as the relations, whose depth is limited.
private struct ObjectWriter {
  /// The maximum size of the output in bytes.
  let limit: Int
  /// Whether a to-one relation without an entity is written as null. If false, it is omitted.
  var showsMissing = false

  func write(
    _ place: Int, of level: AnswerLevel, into output: inout JSONOutput
  ) throws(QueryError) {
    if output.count > limit { throw QueryEngine.tooLarge }
    let entity = level.entities[place]
    output.append(UInt8(ascii: "{"))
    let start = output.count
    for member in level.members {
      switch member {
      case .fields(let fields): fields.write(entity, into: &output)
      case .computed(let key, let column):
        output.append(key)
        output.write(column.value(of: entity, in: level.store))
        output.append(UInt8(ascii: ","))
      case .relation(let relation): try write(relation, of: place, into: &output)
      }
    }
    if output.count > start { output.removeLast() }
    output.append(UInt8(ascii: "}"))
  }

  /// Writes a relation as a list or an object, followed by a comma. A to-one relation without an
  /// entity is omitted, or written as null.
  private func write(
    _ relation: AnswerLevel.Relation, of place: Int, into output: inout JSONOutput
  ) throws(QueryError) {
    let list = relation.lists.list(place)
    if relation.isCount {
      output.append(relation.key)
      output.write(Int64(list.count))
      return output.append(UInt8(ascii: ","))
    }
    if relation.isSingular {
      guard let first = list.first, let level = relation.level else {
        if showsMissing {
          output.append(relation.key)
          output.append("null,")
        }
        return
      }
      output.append(relation.key)
      try write(Int(relation.places[first]), of: level, into: &output)
      return output.append(UInt8(ascii: ","))
    }
    output.append(relation.key)
    output.append(UInt8(ascii: "["))
    if let level = relation.level, !list.isEmpty {
      for child in list {
        try write(Int(relation.places[child]), of: level, into: &output)
        output.append(UInt8(ascii: ","))
      }
      output.removeLast()
    }
    output.append("],")
  }
}
