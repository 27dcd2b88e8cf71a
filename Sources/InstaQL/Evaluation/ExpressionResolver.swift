package import Triples

/// Resolves the names in expressions by a schema. An unknown name becomes null.
struct ExpressionResolver {
  let schema: Schema
  private(set) var hasUnknownName = false

  init(schema: Schema) { self.schema = schema }

  /// Resolves an expression for the entities of a namespace.
  ///
  /// - Throws: `invalid` if the expression is too long, or if a path in it leads to several
  ///   entities.
  mutating func resolve(
    _ expression: ValueExpression, in namespace: String
  ) throws(QueryError) -> PreparedExpression {
    guard expression.partCount() <= ValueExpression.maxParts else {
      throw .invalid(
        path: namespace,
        reason: "the expression has more than \(ValueExpression.maxParts) parts; shorten it")
    }
    return try part(expression, in: namespace)
  }

  /// Resolves a path that has an expression or continues into JSON. Returns nil for a path of only
  /// links and an attribute.
  mutating func computed(
    _ path: AttributePath, in namespace: String
  ) throws(QueryError) -> PreparedExpression? {
    switch path.expression {
    case .path(let plain)?: try computed(plain, in: namespace)
    case let expression?: try resolve(expression, in: namespace)
    case nil:
      schema.leadsIntoJSON(path.labels, from: namespace) ? try value(path, in: namespace) : nil
    }
  }

  private mutating func part(
    _ expression: ValueExpression, in namespace: String
  ) throws(QueryError) -> PreparedExpression {
    switch expression {
    case .path(let path): return try value(path, in: namespace)
    case .constant(let value): return .constant(value)
    case .negated(let inner): return .negated(try part(inner, in: namespace))
    case .arithmetic(let left, let operation, let right):
      return .arithmetic(
        try part(left, in: namespace), operation, try part(right, in: namespace))
    case .call(let function, let arguments):
      guard function.arity.contains(arguments.count) else {
        throw .invalid(
          path: namespace,
          reason: "the function '\(function.rawValue)' cannot have \(arguments.count) arguments")
      }
      var parts: [PreparedExpression] = []
      for argument in arguments { parts.append(try part(argument, in: namespace)) }
      return .call(function, parts)
    case .aggregate(let function, let path): return aggregate(function, path, in: namespace)
    }
  }

  private mutating func value(
    _ path: AttributePath, in namespace: String
  ) throws(QueryError) -> PreparedExpression {
    let (links, owner) = schema.follow(path.links, from: namespace)
    if let link = links.first(where: { $0.cardinality == .many }) {
      throw .invalid(
        path: "\(namespace).\(path.dotted)",
        reason: "'\(link.label)' is a link to many entities; use sum, min, max or count")
    }
    guard let attribute = schema.attribute(owner, path.labels[links.count]),
      attribute.valueType == .blob
    else {
      hasUnknownName = true
      return .constant(.null)
    }
    return .value(links, attribute, json: Array(path.labels[(links.count + 1)...]))
  }

  private mutating func aggregate(
    _ function: Aggregation.Function, _ path: AttributePath, in namespace: String
  ) -> PreparedExpression {
    let (links, owner) = schema.follow(path.links, from: namespace)
    if links.count == path.links.count {
      if let attribute = schema.attribute(owner, path.label), attribute.valueType == .blob {
        return .aggregate(function, links, attribute)
      }
      if function == .count, let link = schema.link(owner, path.label) {
        return .aggregate(.count, links + [link], nil)
      }
    }
    hasUnknownName = true
    return .constant(.null)
  }
}

extension AttributePath {
  /// Returns the value of this computed path for an entity. Null if the path has no expression, or
  /// an invalid one.
  package func value(
    of entity: EntityHandle, of namespace: String, in store: TripleStore
  ) -> Value {
    guard let expression else { return .null }
    var resolver = ExpressionResolver(schema: store.schema)
    return (try? resolver.resolve(expression, in: namespace))?.value(of: entity, in: store) ?? .null
  }
}
