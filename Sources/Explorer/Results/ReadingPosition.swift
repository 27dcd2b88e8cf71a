/// The position of the cursor in results that are shown as documents.
struct ReadingPosition: Sendable, Equatable {
  /// The index of the cursor's line in the selected document.
  var line = 0
  /// The number of visible lines above the cursor's line.
  var above = 0
  /// The selected document, cached so that a long document is not rebuilt for each key.
  var kept: Kept?

  struct Kept: Sendable, Equatable {
    let row: Int
    let form: AnswerForm
    let lines: [DocumentLines.Line]

    /// Returns whether both are the same document, without comparing lines. In one answer, the row
    /// and the form determine the document.
    static func == (a: Kept, b: Kept) -> Bool {
      a.row == b.row && a.form == b.form && a.lines.count == b.lines.count
    }
  }
}
