/// The position of the cursor in results that are shown as documents.
struct ReadingPosition: Sendable, Equatable {
  /// The index of the cursor's line in the selected document.
  var line = 0
  /// The number of visible lines above the cursor's line.
  var above = 0
}
