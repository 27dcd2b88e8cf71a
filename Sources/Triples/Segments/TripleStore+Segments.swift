/// The key of a segment. The segments are a store's binary form, which loads faster than triples.
///
/// The head describes the content; each segment contains 64 chunks of one column, 64 pages of its
/// texts, or 64 blocks of ids. Segments without changes are equal in two states of a store.
///
///     head      {"transaction": 7, "columns": [{"attribute": …, "texts": 3}, …], …}
///     segments  ids/0  ids/1 …   idTexts/0 …   cells 0/0  cells 0/1 …   texts 0/0 …
package struct SegmentKey: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case ids, idTexts, cells, texts
  }

  package let kind: Kind
  /// The index of the column; 0 for ids.
  package let column: Int
  package let branch: Int

  package init(kind: Kind, column: Int, branch: Int) {
    self.kind = kind
    self.column = column
    self.branch = branch
  }

  package var name: String { "\(kind.rawValue) \(column)/\(branch)" }
}

extension TripleStore {
  /// The keys of all segments with content.
  package var segmentKeys: [SegmentKey] {
    var keys = Self.keys(.ids, 0, entities.content.blocks)
    keys += Self.keys(.idTexts, 0, entities.content.texts.pages)
    for (number, column) in columns.enumerated() {
      keys += Self.keys(.cells, number, column.content.chunks)
      keys += Self.keys(.texts, number, column.content.texts.pages)
    }
    return keys
  }

  private static func keys<Element>(
    _ kind: SegmentKey.Kind, _ column: Int, _ list: PersistentArray<Element>
  ) -> [SegmentKey] {
    list.branches.indices.filter { !list.branches[$0].isEmpty }
      .map { SegmentKey(kind: kind, column: column, branch: $0) }
  }

  /// Returns the bytes of a segment.
  package func segment(_ key: SegmentKey) -> [UInt8] {
    var writer = SegmentWriter()
    switch key.kind {
    case .ids: entities.content.blocks.write(key.branch, to: &writer)
    case .idTexts: entities.content.texts.pages.write(key.branch, to: &writer)
    case .cells: columns[key.column].content.chunks.write(key.branch, to: &writer)
    case .texts: columns[key.column].content.texts.pages.write(key.branch, to: &writer)
    }
    return writer.bytes
  }

  /// Returns whether a segment is known to be the same as in another state of this store. The
  /// result can be false although the segment is the same.
  package func sharesSegment(_ key: SegmentKey, with other: TripleStore) -> Bool {
    switch key.kind {
    case .ids: entities.content.blocks.sharesBranch(key.branch, with: other.entities.content.blocks)
    case .idTexts:
      entities.content.texts.pages.sharesBranch(
        key.branch, with: other.entities.content.texts.pages)
    case .cells:
      key.column < other.columns.count
        && columns[key.column].content.chunks.sharesBranch(
          key.branch, with: other.columns[key.column].content.chunks)
    case .texts:
      key.column < other.columns.count
        && columns[key.column].content.texts.pages.sharesBranch(
          key.branch, with: other.columns[key.column].content.texts.pages)
    }
  }

  /// The head of the store, which describes the segments.
  package var segmentHead: Value {
    let columns = zip(self.columns, attributes).map { column, attribute in
      let texts = Int64(column.content.texts.count)
      return ["attribute": attribute?.json ?? .null, "texts": .integer(texts)] as Value
    }
    return [
      "transaction": .integer(Int64(transactionID)),
      "blocks": .integer(Int64(entities.content.blockCount)),
      "idTexts": .integer(Int64(entities.content.texts.count)),
      "columns": .array(columns), "schema": schema.layout,
    ]
  }
}

extension Schema {
  /// The order of the attributes, and the display labels of namespaces. The attributes themselves
  /// contain neither.
  package var layout: Value {
    let labels = namespaces.compactMap { name in
      label(of: name).map { JSONObject.Member(key: name, value: .text($0)) }
    }
    return [
      "order": .array(attributes.map { .text($0.id.text) }),
      "labels": .object(JSONObject(unique: labels)),
    ]
  }

  /// Creates a schema from attributes and a layout. Attributes that the layout lacks are hidden.
  package init(_ attributes: [Attribute], layout: Value) {
    self.init()
    guard case .object(let layout) = layout else { return }
    var byID: [String: Attribute] = [:]
    for attribute in attributes { byID[attribute.id.text] = attribute }
    if case .array(let order)? = layout["order"] {
      for id in order {
        if let attribute = id.textValue.flatMap({ byID[$0] }) { set(attribute) }
      }
    }
    if case .object(let labels)? = layout["labels"] {
      for label in labels.members { setLabel(label.value.textValue, of: label.key) }
    }
  }
}
