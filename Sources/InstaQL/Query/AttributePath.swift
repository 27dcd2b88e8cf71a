/// A path from an entity to a value: links, followed by an attribute or a link.
///
/// It is written with dots: `country.name`. A label never contains a dot, since InstaQL splits at
/// each.
public struct AttributePath: Hashable, Sendable {
  /// The labels in order; never empty.
  public let labels: [String]

  /// Splits `dotted` at its dots: `"country.name"` is two labels, `""` is one empty label.
  public init(_ dotted: String) {
    labels = dotted.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// The path of `labels`; an empty array gives one empty label.
  public init(_ labels: [String]) { self.init(labels.joined(separator: ".")) }

  /// The links before the last label; empty for a value of the entity itself.
  public var links: ArraySlice<String> { labels.dropLast() }

  /// The attribute or link at the end.
  public var label: String { labels[labels.count - 1] }

  /// Whether the path follows no link.
  public var isOwn: Bool { labels.count == 1 }

  /// The labels joined by dots, as in InstaQL keys.
  public var dotted: String { labels.count == 1 ? labels[0] : labels.joined(separator: ".") }

  /// This path with the labels of `link` before it.
  public func prefixed(by link: AttributePath) -> AttributePath {
    AttributePath(link.labels + labels)
  }
}

extension AttributePath: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral dotted: String) { self.init(dotted) }

  public var description: String { dotted }
}
