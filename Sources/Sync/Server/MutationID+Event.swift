import Triples

extension MutationID {
  /// Converts the event id of a change to a mutation id. Creates a new id if the event id is not a
  /// UUID.
  ///
  /// A store applies each mutation id once, even if it is sent repeatedly. This is right for UUIDs,
  /// which are unique. Other ids, such as counters, collide between clients, so that the second
  /// change would be lost.
  init(event name: String?) {
    guard let name, let (high, low) = EntityID(name).uuidBits,
      Self.versions.contains(high >> 12 & 0xF), low >> 62 == Self.variant
    else {
      self.init()
      return
    }
    self.init(EntityID(high: high, low: low).text)
  }

  /// The versions of UUIDs. A counter that is written like a UUID has another version.
  ///
  /// - Source: RFC 9562, sections 4.1 and 4.2.
  private static let versions: ClosedRange<UInt64> = 1...8
  private static let variant: UInt64 = 0b10
}
