/// The place of a match among all matches.
package struct MatchPlace: Sendable, Equatable {
  let number: Int
  let count: Int
  /// Whether all names of linked rows were searched. Others are still being loaded.
  let isWhole: Bool

  package init(number: Int, count: Int, isWhole: Bool = true) {
    (self.number, self.count, self.isWhole) = (number, count, isWhole)
  }

  /// The place as text, such as `2 of 12`, or `2 of 12+` if more may match.
  var text: String {
    "\(NumberText.grouped(number)) of \(NumberText.grouped(count))\(isWhole ? "" : "+")"
  }
}
