/// How many colours a terminal shows.
package enum ColorDepth: String, CaseIterable, Comparable, Sendable {
  /// Attributes only.
  case none
  case eight = "8"
  case sixteen = "16"
  /// The palette of 256.
  case palette = "256"
  /// 24 bits.
  case direct = "truecolor"

  package static func < (first: ColorDepth, second: ColorDepth) -> Bool {
    allCases.firstIndex(of: first) ?? 0 < allCases.firstIndex(of: second) ?? 0
  }
}
