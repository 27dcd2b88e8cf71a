import Triples

// A JSON column contains values of several types, unless its attribute has a checked type. Each
// type's values are sorted among themselves.
extension SQLColumnType {
  /// Returns an expression for the value in a JSON column, if the value has the given type;
  /// otherwise the expression is NULL.
  func extracted(_ kind: CheckedType, from column: String) -> String {
    let json = "\(column)::pg_catalog.jsonb"
    if let function = extractors[kind] { return "\(function)(\(json))" }
    let (name, value) =
      switch kind {
      case .string: ("string", "\(json) #>> '{}'")
      case .number: ("number", "(\(json))::pg_catalog.numeric")
      case .boolean: ("boolean", "(\(json))::pg_catalog.bool")
      case .date: ("string", "(\(json) #>> '{}')::pg_catalog.timestamptz")
      }
    return "(CASE pg_catalog.jsonb_typeof(\(json)) WHEN '\(name)' THEN \(value) END)"
  }

  /// Returns the column type of the expression that ``extracted(_:from:)`` returns.
  func extractedType(_ kind: CheckedType) -> SQLColumnType {
    var type =
      switch kind {
      case .string: SQLColumnType(.text, name: "pg_catalog.text")
      case .number:
        extractors[.number] == nil
          ? SQLColumnType(.numeric, name: "pg_catalog.numeric")
          : SQLColumnType(.float, name: "pg_catalog.float8")
      case .boolean: SQLColumnType(.boolean, name: "pg_catalog.bool")
      case .date: SQLColumnType(.timestamptz, name: "pg_catalog.timestamptz")
      }
    type.textOrder = textOrder
    return type
  }

  /// Returns an expression for the value in a JSON column, with NULL in place of JSON's null.
  static func withoutNull(_ column: String) -> String {
    "nullif(\(column)::pg_catalog.jsonb, 'null'::pg_catalog.jsonb)"
  }

  /// Returns the expressions that sort by a JSON column. The order is null, false, true, numbers,
  /// texts by their code units, and finally lists and objects in any order.
  func jsonOrder(_ column: String) -> [(text: String, type: String)] {
    let json = "\(column)::pg_catalog.jsonb"
    let rank =
      "(CASE pg_catalog.jsonb_typeof(\(json)) WHEN 'boolean' THEN 1 WHEN 'number' THEN 2 "
      + "WHEN 'string' THEN 3 WHEN 'array' THEN 4 WHEN 'object' THEN 4 END)"
    let number =
      "(CASE pg_catalog.jsonb_typeof(\(json)) WHEN 'number' THEN (\(json))::pg_catalog.numeric "
      + "WHEN 'boolean' THEN (\(json))::pg_catalog.bool::int::pg_catalog.numeric END)"
    return [
      (rank, "pg_catalog.int4"), (number, "pg_catalog.numeric"),
      (CodeUnitOrder.key(of: extracted(.string, from: column)), "text"),
    ]
  }
}

extension SQLWriter {
  /// Returns the operand, with its type, for comparing a column with a value. `sign` is the
  /// operator.
  ///
  /// In a JSON column, `=` compares the whole JSON value, unless the attribute's checked type is a
  /// date. All other operators compare by the attribute's checked type.
  func compared(
    _ end: End, _ type: SQLColumnType, _ sign: String
  ) -> (End, SQLColumnType) {
    guard type.form == .json, let kind = end.attribute?.checkedType, sign != "=" || kind == .date
    else { return (end, type) }
    return extracted(end, type, kind)
  }

  /// Returns the operand, with its type, for comparing a column with another column.
  func comparable(_ end: End, _ type: SQLColumnType) -> (End, SQLColumnType) {
    guard type.form == .json else { return (end, type) }
    guard let kind = end.attribute?.checkedType else {
      return (End(text: SQLColumnType.withoutNull(end.text), attribute: end.attribute), type)
    }
    return extracted(end, type, kind)
  }

  func extracted(_ end: End, _ type: SQLColumnType, _ kind: CheckedType) -> (End, SQLColumnType) {
    let text = type.extracted(kind, from: end.text)
    return (End(text: text, attribute: end.attribute), type.extractedType(kind))
  }
}
