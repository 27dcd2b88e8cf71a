import Triples

extension ValueExpression {
  /// The expression as query text. Parsing it gives an equal expression.
  public var text: String {
    switch self {
    case .path(let path): path.written
    case .constant(let value): TextPrinter.operand(value, isPattern: false)
    case .negated(let inner): "-" + (inner.isPrimary ? inner.text : "(" + inner.text + ")")
    case .arithmetic(let left, let operation, let right):
      left.text(within: operation, isRight: false) + " " + operation.rawValue + " "
        + right.text(within: operation, isRight: true)
    case .call(let function, let arguments):
      function.rawValue + "(" + arguments.map(\.text).joined(separator: ", ") + ")"
    case .aggregate(let function, let path):
      Self.text(function, of: isCountOfEntities ? "" : path.written)
    }
  }

  /// Returns the query text of an aggregate function and its path, such as `sum(population)`.
  static func text(_ function: Aggregation.Function, of path: String) -> String {
    function == .countDistinct ? "count(distinct \(path))" : "\(function.rawValue)(\(path))"
  }

  private var isPrimary: Bool {
    switch self {
    case .path, .call, .aggregate: true
    case .constant, .negated, .arithmetic: false
    }
  }

  /// Returns the text of this operand, in parentheses if the operator `outer` requires them.
  ///
  /// Parentheses are required for an operator of lower precedence, and on the right also for one of
  /// equal precedence.
  private func text(within outer: Arithmetic, isRight: Bool) -> String {
    guard case .arithmetic(_, let inner, _) = self else { return text }
    let isLooser = outer.isProduct && !inner.isProduct
    let isSameRank = outer.isProduct == inner.isProduct
    return isLooser || isRight && isSameRank ? "(" + text + ")" : text
  }

  /// Parses an expression: `population / area`.
  ///
  /// - Throws: `QueryError.syntax` with the position of the first error.
  public init(parsing text: String) throws(QueryError) {
    var parser = try TextParser(PredicateText(typed: text))
    self = try parser.wholeExpression().value
  }
}

extension AttributePath {
  /// The path as it is written in conditions and orders: a computed column without its name.
  var written: String {
    if let expression { return expression.text }
    var text = Words.written(labels[0])
    for label in labels.dropFirst() {
      text += Self.isIndex(label) ? "[" + label + "]" : "." + Words.written(label)
    }
    return text
  }

  /// The path as it is written in `fields`: a computed column with its name, such as
  /// `population / area as density`.
  var writtenColumn: String { isNamed ? written + " as " + Words.written(label) : written }

  /// Returns whether a label is an index of a JSON list, such as `0` or `-1` (the last element).
  static func isIndex(_ label: String) -> Bool {
    label.utf8.count < 10 && Int(label).map(String.init) == label
  }

  /// The path as a key of a JSON query: `country.name`, or `=population / area` for an expression.
  var key: String {
    if expression == nil, labels[0].utf8.first != UInt8(ascii: "=") { return dotted }
    return "=" + writtenColumn
  }

  /// Parses a path that is a key of a JSON query.
  ///
  /// - Throws: `QueryError.syntax` for an invalid expression.
  init(key: String) throws(QueryError) {
    guard key.utf8.first == UInt8(ascii: "=") else {
      self.init(key)
      return
    }
    var parser = try TextParser(PredicateText(typed: String(key.dropFirst())))
    let expression = try parser.wholeExpression(allowsName: true)
    if let name = expression.name {
      self.init(column: name, computing: expression.value)
    } else if case .path(let path) = expression.value, !path.isOwn {
      self.init(json: path)
    } else {
      self.init(computing: expression.value)
    }
  }
}
