/// A direct-mapped cache of link targets, since many rows link to the same few entities.
///
/// Each id has exactly one slot. Storing an id in its slot replaces the previous id there.
struct RecentTargets {
  private struct Place {
    var bits: UUIDBits
    var namespace: Int
    var target: EntityHandle
  }

  private static let size = 512
  private var places: [Place?] = Array(repeating: nil, count: size)

  /// The entity with an id; nil if the cache does not contain it for that namespace.
  @inline(__always)
  subscript(bits: UUIDBits, in namespace: Int) -> EntityHandle? {
    get {
      guard let place = places[Self.number(bits)], place.bits == bits,
        place.namespace == namespace
      else { return nil }
      return place.target
    }
    set {
      places[Self.number(bits)] = newValue.map {
        Place(bits: bits, namespace: namespace, target: $0)
      }
    }
  }

  @inline(__always)
  private static func number(_ bits: UUIDBits) -> Int {
    Int(truncatingIfNeeded: bits.low) & (size - 1)
  }
}
