/// Attributes as they begin the members of JSON objects: made once for a plan, whatever the store.
package final class FieldKeys: Sendable {
  struct Place: Sendable {
    let start: Int
    let count: Int
    /// Whether an entity without the attribute gets null.
    let isShownMissing: Bool
  }

  package let attributes: [AttributeID]
  /// Where each key, with quotes and colon, lies in `bytes`.
  let places: [Place]
  /// All keys, and a block behind them that may be read. Written before anybody has it, never after.
  nonisolated(unsafe) let bytes: UnsafeMutablePointer<UInt8>

  /// - Parameter isShownMissing: Of which attributes null is written for an entity that has none.
  package init(
    _ attributes: [Attribute], isShownMissing: (Attribute) -> Bool = { _ in false }
  ) {
    self.attributes = attributes.map(\.id)
    var output = JSONOutput(capacity: 512)
    var places: [Place] = []
    for attribute in attributes {
      let start = output.count
      output.write(attribute.label)
      output.append(UInt8(ascii: ":"))
      places.append(
        Place(
          start: start, count: output.count - start, isShownMissing: isShownMissing(attribute)))
    }
    self.places = places
    bytes = .allocate(capacity: output.count + JSONOutput.block)
    bytes.initialize(repeating: 0, count: output.count + JSONOutput.block)
    output.copy(to: bytes)
  }

  deinit { bytes.deallocate() }
}
