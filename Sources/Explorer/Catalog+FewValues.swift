import Triples

extension Catalog {
  /// Returns the distinct values of an attribute if it has only a few; otherwise an empty array.
  ///
  /// Reads only a sample of the entities. Always returns an empty array for a partial store.
  func fewValues(of attribute: Attribute) -> [Value] {
    guard attribute.checkedType == .string || attribute.checkedType == .number,
      !attribute.isUnique, snapshot.served == nil
    else { return [] }
    let handles = store.rows(of: attribute.namespace).handles.prefix(Self.maxRead)
    var seen: [Value: Int] = [:]
    for handle in handles {
      guard let value = store.value(handle, attribute.id), value != .null else { continue }
      if let text = value.textValue, text.utf8.count > Self.maxBytes { return [] }
      seen[value, default: 0] += 1
      if seen.count > Self.maxValues { return [] }
    }
    let count = seen.values.reduce(0, +)
    guard seen.count > 1, count >= seen.count * Self.minRowsPerValue else { return [] }
    return seen.sorted { ($1.value, $0.key.orderText) < ($0.value, $1.key.orderText) }.map(\.key)
  }

  private static let maxRead = 2_000
  private static let maxBytes = 40
  private static let maxValues = 9
  /// The minimum number of sampled rows per distinct value. With fewer rows, equal values could be
  /// a coincidence.
  private static let minRowsPerValue = 4
}

extension Value {
  fileprivate var orderText: String { JSONWriter.text(self) }
}
