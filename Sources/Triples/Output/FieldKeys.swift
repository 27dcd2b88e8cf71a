/// The keys of attributes in JSON objects, prepared once for a plan. They can be used with any
/// store.
package final class FieldKeys: Sendable {
  struct Place: Sendable {
    let start: Int
    let count: Int
    /// Whether null is written for an entity without a value.
    let isShownMissing: Bool
  }

  package let attributes: [AttributeID]
  /// The position of each key in `bytes`, where a key includes its quotes and colon.
  let places: [Place]
  /// The bytes of all keys, followed by padding, so that whole blocks can be read. The initializer
  /// writes them, and they do not change afterward.
  nonisolated(unsafe) let bytes: UnsafeMutablePointer<UInt8>

  /// Creates the keys of the attributes.
  ///
  /// - Parameter isShownMissing: Whether null is written for an entity without a value of an
  ///   attribute.
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
