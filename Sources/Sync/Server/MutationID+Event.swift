import Triples

extension MutationID {
  /// Converts the event id of a change to a mutation id. If the event id is not a UUID, creates a
  /// new id.
  ///
  /// A store applies a mutation only once per id, even if it is sent repeatedly. This is right for
  /// UUIDs, which are unique. But other ids, such as counters, could be the same for two clients,
  /// and the second change would be lost.
  init(event name: String?) {
    guard let name, let (high, low) = EntityID(name).uuidBits,
      Self.versions.contains(high >> 12 & 0xF), low >> 62 == Self.variant
    else {
      self.init()
      return
    }
    self.init(EntityID(high: high, low: low).text)
  }

  /// The valid versions of UUIDs. A counter that is written like a UUID has another version.
  ///
  /// - Source: RFC 9562, sections 4.1 and 4.2.
  private static let versions: ClosedRange<UInt64> = 1...8
  private static let variant: UInt64 = 0b10
}
