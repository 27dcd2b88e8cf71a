import Triples

// Aggregates of the values in a column.
extension SQLWriter {
  /// Returns the aggregate expression for a column, and the result's type. The type is nil for a
  /// count.
  func aggregate(
    _ function: Aggregation.Function, _ text: String, _ attribute: Attribute
  ) throws(QueryError) -> (String, SQLSummary.Column?) {
    try checkSingle(attribute)
    guard names.isTyped else {
      if function == .count { return ("count(\(text))", nil) }
      return try looseAggregate(function, text, attribute)
    }
    guard let type = names.types[attribute.id], type.form == .json else {
      if function == .count { return ("count(\(text))", nil) }
      return try typedAggregate(function, text, names.types[attribute.id], attribute)
    }
    switch function {
    case .count: return ("count(\(SQLColumnType.withoutNull(text)))", nil)
    case .countDistinct where attribute.checkedType != .date:
      return ("count(DISTINCT \(SQLColumnType.withoutNull(text)))", nil)
    case .sum, .average, .median:
      let number = type.extracted(.number, from: text)
      return try typedAggregate(function, number, type.extractedType(.number), attribute)
    case .countDistinct, .min, .max:
      guard let kind = attribute.checkedType, kind != .date else {
        throw .notInSQL(path: attribute.label, reason: "its values have different types")
      }
      let value = type.extracted(kind, from: text)
      return try typedAggregate(function, value, type.extractedType(kind), attribute)
    }
  }

  private func typedAggregate(
    _ function: Aggregation.Function, _ text: String, _ type: SQLColumnType?,
    _ attribute: Attribute
  ) throws(QueryError) -> (String, SQLSummary.Column?) {
    guard let type, let kind = type.comparisonKind else {
      throw .notInSQL(path: attribute.label, reason: "its values have different types")
    }
    let float = SQLColumnType(.float, name: "pg_catalog.float8")
    let isFloat = type.form == .float
    switch function {
    case .count: return ("count(\(text))", nil)
    case .countDistinct:
      let plain = type.isDeterministic ? text : "\(text) COLLATE \"C\""
      return ("count(DISTINCT \(plain))", nil)
    case .median:
      let median = kind == .numbers ? type.median(of: text) : "max(NULL::text)"
      var form = SQLColumnType(.json, name: "text")
      form.roundsLargeNumbers = true
      return (median, SQLSummary.Column(type: .number, form: form))
    case .sum:
      let sum =
        kind == .numbers ? "sum(\(type.operand(text, "=")))\(type.finite(text))" : "sum(NULL::int)"
      var form = isFloat ? float : SQLColumnType(.numeric, name: "pg_catalog.numeric")
      form.roundsLargeNumbers = true
      return ("coalesce(\(sum), 0)", SQLSummary.Column(type: .number, form: form))
    case .average:
      let number = kind == .numbers ? type.operand(text, "=") : "NULL::int"
      return (
        "avg(\(number)::pg_catalog.float8)\(type.finite(text))",
        SQLSummary.Column(type: .number, form: float)
      )
    case .min, .max:
      let column = SQLSummary.Column(type: attribute.checkedType, form: type)
      switch kind {
      case .numbers, .moments:
        return ("\(function.rawValue)(\(type.selection(of: text, isShown: false)))", column)
      case .truths: return ("\(function == .min ? "bool_and" : "bool_or")(\(text))", column)
      case .texts:
        return ("\(function.rawValue)(\(type.text(of: text))\(type.collation))", column)
      }
    }
  }

  private func looseAggregate(
    _ function: Aggregation.Function, _ text: String, _ attribute: Attribute
  ) throws(QueryError) -> (String, SQLSummary.Column?) {
    let number = SQLSummary.Column(type: .number)
    switch (function, attribute.checkedType) {
    case (.sum, .number?), (.average, .number?):
      // In SQLite numbers are less than texts and BLOBs. The comparison takes less time than `typeof`.
      let value = names.isLoose ? "CASE WHEN \(text) < '' THEN \(text) END" : text
      return function == .sum
        ? ("coalesce(sum(\(value)), 0)", number) : ("avg(\(value))", number)
    case (.countDistinct, .number?), (.countDistinct, .string?):
      return ("count(DISTINCT \(text)\(names.isLoose ? " COLLATE BINARY" : ""))", nil)
    case (.min, .number?), (.max, .number?):
      return ("\(function.rawValue)(\(text))", SQLSummary.Column(type: attribute.checkedType))
    case (.min, .string?), (.max, .string?):
      return (
        "\(function.rawValue)(\(text)\(names.collation(of: attribute)))",
        SQLSummary.Column(type: .string)
      )
    default:
      throw .notInSQL(path: attribute.label, reason: "its values have different types")
    }
  }
}

extension SQLColumnType {
  /// Returns the FILTER clause that excludes NaN and infinities from an aggregate. Empty for types
  /// that have no such values.
  fileprivate func finite(_ column: String) -> String {
    switch form {
    case .float: " FILTER (WHERE \(column) < 'Infinity' AND \(column) > '-Infinity')"
    case .numeric where name != "pg_catalog.money": " FILTER (WHERE \(column) <> 'NaN')"
    default: ""
    }
  }

  /// Returns an expression for the median, as text: the middle number, or the mean of the middle
  /// two.
  ///
  /// The mean of two integers may have a fraction.
  fileprivate func median(of column: String) -> String {
    let number = operand(column, "=")
    func middle(_ direction: String) -> String {
      "percentile_disc(0.5) WITHIN GROUP (ORDER BY \(number)\(direction))\(finite(column))"
    }
    let (lower, upper) = (middle(""), middle(" DESC"))
    return "CASE WHEN \(lower) = \(upper) THEN \(lower)::text "
      + "ELSE (\(lower)::pg_catalog.float8 / 2 + \(upper)::pg_catalog.float8 / 2)::text END"
  }
}
