/// A path from an entity to a value: any number of links, then an attribute or a link.
///
/// It is written with dots: `country.name`. A label never contains a dot, since InstaQL splits
/// names at each dot. Labels after an attribute lead into its JSON: `meta.size`, `meta.tags.0`. A
/// computed path has an expression instead, and a single label: its name.
public struct AttributePath: Hashable, Sendable {
  /// The labels in order; never empty.
  public let labels: [String]
  /// The expression of a computed value; nil for a plain path.
  public let expression: ValueExpression?

  /// Splits `dotted` at its dots. `"country.name"` gives two labels, and `""` gives one empty
  /// label.
  public init(_ dotted: String) {
    labels = dotted.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    expression = nil
  }

  /// Creates the path of `labels`. An empty array gives one empty label.
  public init(_ labels: [String]) { self.init(labels.joined(separator: ".")) }

  /// Creates the path of a computed value.
  ///
  /// - Parameter name: The name of a column; nil uses the text of the expression. If the name is
  ///   nil and the expression is a plain path, the result is that path.
  public init(computing expression: ValueExpression, name: String? = nil) {
    if name == nil, case .path(let path) = expression {
      self = path
      return
    }
    labels = [name ?? expression.text]
    self.expression = expression
  }

  /// Creates a computed column. A nil `column` derives the name from the expression.
  public init(column: String?, computing expression: ValueExpression) {
    labels = [column ?? Self.columnName(of: expression)]
    self.expression = expression
  }

  /// Returns the name that is generated for a column, such as `meta_size` or `population / area`.
  private static func columnName(of expression: ValueExpression) -> String {
    if case .path(let path) = expression { return path.labels.joined(separator: "_") }
    return expression.text
  }

  /// Creates a path into the JSON of an attribute. Only local stores can follow it.
  init(json path: AttributePath) {
    labels = [path.dotted]
    expression = .path(path)
  }

  /// Whether the column has an explicit name.
  var isNamed: Bool {
    guard let expression else { return false }
    if case .path(let path) = expression { return label != path.dotted }
    return label != expression.text
  }

  /// The plain path that this column names: `country.name` for `country.name as home`. For any
  /// other path, the path itself.
  var withoutName: AttributePath {
    if case .path(let plain)? = expression { return plain }
    return self
  }

  /// The links in front of the last label. Empty for a value of the entity itself.
  public var links: ArraySlice<String> { labels.dropLast() }

  /// The attribute or link at the end.
  public var label: String { labels[labels.count - 1] }

  /// Whether the path follows no link.
  public var isOwn: Bool { labels.count == 1 }

  /// The labels joined by dots, as in InstaQL keys.
  public var dotted: String { labels.count == 1 ? labels[0] : labels.joined(separator: ".") }

  /// Returns this path with the labels of `link` before it.
  public func prefixed(by link: AttributePath) -> AttributePath {
    guard let expression else { return AttributePath(link.labels + labels) }
    return AttributePath(computing: expression.prefixed(by: link), name: label)
  }

  /// Calls `body` with this path. For a computed path, calls it with each plain path that the
  /// expression reads.
  public func forEachPlain(_ body: (AttributePath) -> Void) {
    if let expression { expression.forEachPath(body) } else { body(self) }
  }

  /// The path itself, or for a computed path the plain paths that its expression reads.
  public var plainPaths: [AttributePath] {
    var paths: [AttributePath] = []
    forEachPlain { paths.append($0) }
    return paths
  }
}

extension AttributePath: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral dotted: String) { self.init(dotted) }

  public var description: String { dotted }
}
