package import Triples

/// A path along links to an attribute, and on into the attribute's JSON, such as `meta.size`.
package struct JSONPath {
  package let links: [Link]
  package let attribute: Attribute
  /// The labels within the JSON; empty for the attribute's own value.
  package let labels: [String]
}

extension Schema {
  /// Follows labels from a namespace up to the first one that is not a link.
  ///
  /// - Returns: The links, and the namespace to which they lead.
  package func follow(
    _ labels: some Sequence<String>, from namespace: String
  ) -> (links: [Link], target: String) {
    var links: [Link] = []
    var target = namespace
    for label in labels {
      guard let link = link(target, label) else { break }
      links.append(link)
      target = link.target
    }
    return (links, target)
  }

  /// Returns the namespace at the end of a path of links; nil if a label is not a link.
  package func namespace(
    from start: String, along labels: some Collection<String>
  ) -> String? {
    let (links, target) = follow(labels, from: start)
    return links.count == labels.count ? target : nil
  }

  /// Splits the labels of a path after its first attribute; nil if they lead to no attribute.
  package func jsonPath(_ labels: [String], from namespace: String) -> JSONPath? {
    let (links, owner) = follow(labels, from: namespace)
    guard links.count < labels.count, let attribute = attribute(owner, labels[links.count]) else {
      return nil
    }
    return JSONPath(
      links: links, attribute: attribute, labels: Array(labels[(links.count + 1)...]))
  }

  /// Returns whether a path continues after an attribute, as `meta.size` does.
  func leadsIntoJSON(_ labels: [String], from namespace: String) -> Bool {
    jsonPath(labels, from: namespace)?.labels.isEmpty == false
  }
}
