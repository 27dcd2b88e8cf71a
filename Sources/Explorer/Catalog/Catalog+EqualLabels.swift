import InstaQL
import TerminalUI
import Triples

// Tells entities with equal labels apart.
extension Catalog {
  /// Returns the labels of entities that are shown together. Equal labels are followed by what tells
  /// the entities apart, such as `Ann (mail ann@a.org)`.
  func labels(of entities: [EntityHandle], in namespace: String) -> [String] {
    var labels = entities.map { label(of: $0, in: namespace) }
    if labels.count < 2 { return labels }
    for places in Dictionary(grouping: labels.indices, by: { labels[$0] }).values
    where places.count > 1 {
      let ids = places.map { store.id(of: entities[$0]) }
      for (place, mark) in zip(places, distinctions(of: ids, in: namespace)) {
        labels[place] = Self.label(labels[place], mark)
      }
    }
    return labels
  }

  /// Returns the label of an entity, followed by what tells it apart from loaded entities with the
  /// same label.
  func distinctLabel(of entity: EntityHandle, in namespace: String) -> String {
    guard let attribute = schema.labelAttribute(of: namespace), !attribute.isUnique,
      let value = store.value(entity, attribute.id), value != .null
    else { return label(of: entity, in: namespace) }
    let others = store.rows(attribute.id, .equal(value)).handles.lazy.filter { $0 != entity }
    return labels(of: [entity] + others.prefix(Self.maxCompared), in: namespace)[0]
  }

  /// Returns a text for each entity that tells it apart from the others: its key, the first values in
  /// which they differ, or its id. The text can be empty for one of them.
  func distinctions(of entities: [EntityID], in namespace: String) -> [String] {
    let handles = entities.map { store.handle(of: $0) }
    let attributes = schema.attributes(of: namespace).filter { !$0.isIdentity }
    func words(_ attribute: Attribute) -> [String?] {
      handles.map { handle in
        handle.flatMap { store.value($0, attribute.id)?.wordInName(maxLength: Self.maxWordLength) }
          .map { "\(attribute.ownLabel) \($0)" }
      }
    }
    // Keys are unique, and one value is easier to read than several.
    for attribute in attributes.filter(\.isUnique) + attributes.filter({ !$0.isUnique }) {
      let words = words(attribute).compactMap { $0 }
      if words.count == entities.count, Set(words).count == words.count { return words }
    }
    var (marks, count) = (entities.map { _ in "" }, 1)
    for attribute in attributes where count < entities.count {
      let longer = zip(marks, words(attribute)).map { mark, word in
        [mark, word ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
      }
      let longerCount = Set(longer).count
      if longerCount > count { (marks, count) = (longer, longerCount) }
    }
    return count == entities.count ? marks : Self.shortened(entities.map(\.text))
  }

  /// Returns the beginnings or the ends of different ids, if these differ.
  private static func shortened(_ ids: [String]) -> [String] {
    let beginnings = ids.map { TextWidth.truncated($0, to: idLength) }
    if Set(beginnings).count == ids.count { return beginnings }
    let ends = ids.map { id in id.count > idLength ? "…" + String(id.suffix(idLength - 1)) : id }
    return Set(ends).count == ids.count ? ends : ids
  }

  /// Returns a label with what tells its entity apart, if anything.
  static func label(_ label: String, _ distinction: String) -> String {
    distinction.isEmpty ? label : "\(label) (\(distinction))"
  }

  private static let maxCompared = 50
  private static let maxWordLength = 24
  /// The length of a shortened id in characters, including the ellipsis.
  private static let idLength = 9
}
