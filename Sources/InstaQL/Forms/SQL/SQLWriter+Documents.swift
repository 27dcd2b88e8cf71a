import Triples

// Columns of SQLite that are declared for JSON, whose values the functions of `DocumentFunction`
// read. Such a column may contain any cells.
extension SQLWriter {
  /// Returns the call of a function with the part of a JSON column.
  mutating func call(
    _ function: DocumentFunction, _ column: String, _ path: DocumentPath
  ) -> String {
    "\(function.rawValue)(\(column), \(bind(.text(path.text))))"
  }

  /// Splits a path into the path to a JSON column and the path within its values.
  ///
  /// Nil if the path leads elsewhere.
  func document(
    at path: AttributePath, from namespace: String
  ) -> (column: AttributePath, part: DocumentPath)? {
    let path = path.withoutName
    guard !names.documents.isEmpty, path.expression == nil,
      let json = schema.jsonPath(path.labels, from: namespace),
      names.documents.contains(json.attribute.id)
    else { return nil }
    return (AttributePath(Array(path.labels[...json.links.count])), DocumentPath(json.labels))
  }

  /// Returns a condition on a JSON column or a part of its values; nil for any other condition.
  mutating func documentCondition(
    _ node: ConditionNode, _ place: Place
  ) throws(QueryError) -> String? {
    let asked: (path: AttributePath, holdsForMissing: Bool)? =
      switch node {
      case .compare(_, .equal, .null): nil
      case .compare(let path, let comparison, _): (path, comparison == .notEqual)
      case .isIn(let path, _): (path, false)
      case .isNull(let path, let isNull): (path, isNull)
      case .idStartsWith, .compareFields, .all, .any, .together, .not, .quantified, .linkCount: nil
      }
    guard let (path, holdsForMissing) = asked,
      let (column, part) = document(at: path, from: place.namespace)
    else { return nil }
    // Every entity's own value differs from null.
    if part.isEmpty, case .compare(_, .notEqual, .null) = node { return nil }
    guard let test = DocumentTest.text(of: node, at: part) else {
      throw .notInSQL(path: path.dotted, reason: "the compared value is too long or too deep")
    }
    return try follow(column, place, holdsForMissing: holdsForMissing) {
      (writer, end) throws(QueryError) in
      "\(DocumentFunction.test.rawValue)(\(end.text), \(writer.bind(.text(test))))"
    }
  }

  /// Returns the expression that sorts by a JSON column or a part of its values; nil for any other
  /// path.
  mutating func documentOrder(
    _ path: AttributePath, _ place: Place
  ) throws(QueryError) -> String? {
    guard let (column, part) = document(at: path, from: place.namespace) else { return nil }
    let text = try orderText(column, place)
    return call(.order, text, part)
  }
}
