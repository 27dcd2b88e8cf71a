/// The number of colors that a terminal displays.
package enum ColorDepth: String, CaseIterable, Comparable, Sendable {
  /// No colors, only attributes such as bold.
  case none
  case eight = "8"
  case sixteen = "16"
  /// The palette of 256 colors.
  case palette = "256"
  /// 24-bit colors.
  case direct = "truecolor"

  package static func < (first: ColorDepth, second: ColorDepth) -> Bool {
    allCases.firstIndex(of: first) ?? 0 < allCases.firstIndex(of: second) ?? 0
  }
}
