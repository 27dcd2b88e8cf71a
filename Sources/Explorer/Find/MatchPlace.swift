/// The place of a match among all matches.
package struct MatchPlace: Sendable, Equatable {
  let number: Int
  let count: Int
  /// Whether all names of linked rows were searched. Others are still being loaded.
  let isWhole: Bool
  /// The label of the column with the match; nil for the first column, and outside of tables.
  let column: String?

  package init(number: Int, count: Int, isWhole: Bool = true, column: String? = nil) {
    (self.number, self.count) = (number, count)
    (self.isWhole, self.column) = (isWhole, column)
  }

  /// The place as text, such as `2 of 12, in bed`, or `2 of 12+` if more may match.
  var text: String {
    "\(NumberText.grouped(number)) of \(NumberText.grouped(count))\(isWhole ? "" : "+")"
      + (column.map { ", in \($0)" } ?? "")
  }
}
