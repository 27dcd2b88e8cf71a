import Triples

extension MutationID {
  /// What a change is known by that came under this name.
  ///
  /// A store makes a change of one name once, whoever sends it and however often. That is right for a
  /// UUID, which nobody makes twice. Any other name, such as a count, others make as well: under it
  /// the next change would be taken for one that was made, and be lost.
  init(event name: String?) {
    guard let name, let (high, low) = EntityID(name).uuidBits,
      Self.versions.contains(high >> 12 & 0xF), low >> 62 == Self.variant
    else {
      self.init()
      return
    }
    self.init(EntityID(high: high, low: low).text)
  }

  /// How UUIDs are made; a count in the form of one has none of these.
  ///
  /// - Source: RFC 9562, sections 4.1 and 4.2.
  private static let versions: ClosedRange<UInt64> = 1...8
  private static let variant: UInt64 = 0b10
}
