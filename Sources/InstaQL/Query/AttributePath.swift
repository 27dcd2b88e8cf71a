/// A way from an entity to one of its values: links to follow, then an attribute or a link.
///
/// Written with dots: `country.name`. A label never holds a dot, since InstaQL splits at each.
public struct AttributePath: Hashable, Sendable {
  /// The labels in the order they are followed; never empty.
  public let labels: [String]

  /// Splits `dotted` at its dots: `"country.name"` is two labels, `""` is one empty label.
  public init(_ dotted: String) {
    labels = dotted.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// The path along `labels`; no labels at all give one empty label.
  public init(_ labels: [String]) { self.init(labels.joined(separator: ".")) }

  /// The links to follow before the last label; empty for a value of the entity itself.
  public var links: ArraySlice<String> { labels.dropLast() }

  /// The attribute, or the link, at the end.
  public var label: String { labels[labels.count - 1] }

  /// Whether nothing needs to be followed.
  public var isOwn: Bool { labels.count == 1 }

  /// The labels with dots between them: the key of InstaQL.
  public var dotted: String { labels.count == 1 ? labels[0] : labels.joined(separator: ".") }

  /// This path begun at the other end of `link`.
  public func prefixed(by link: AttributePath) -> AttributePath {
    AttributePath(link.labels + labels)
  }
}

extension AttributePath: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral dotted: String) { self.init(dotted) }

  public var description: String { dotted }
}
