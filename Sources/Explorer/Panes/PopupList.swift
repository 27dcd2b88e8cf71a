/// The size of a popup list. It follows the number and the width of the lines, within limits.
struct PopupFit: Sendable, Equatable {
  /// The width of the widest line so far. It only grows, so that the list does not move sideways
  /// while it is filtered.
  private var columns = minColumns
  private var rows = maxRows

  private static let minColumns = 40
  private static let maxColumns = 72
  private static let maxRows = 15
  /// The number of rows for the message that a list is empty.
  private static let emptyRows = 3
  private static let maxMeasured = 500

  /// The place of the list, which has a field above its lines.
  var place: PanePlace { .popup(columns: columns, rows: rows + 1, maxRows: Self.maxRows + 1) }

  /// Fits the size to a number of lines.
  ///
  /// - Parameter width: Returns the width of a line in columns, including the margins.
  mutating func fit(lines: Int, width: (Int) -> Int) {
    rows = lines == 0 ? Self.emptyRows : min(lines, Self.maxRows)
    let widest = (0..<min(lines, Self.maxMeasured)).lazy.map(width).max() ?? 0
    columns = min(max(columns, widest), Self.maxColumns)
  }
}

/// A filtered list in a popup as large as its lines.
protocol PopupList: FilteredPane {
  var fit: PopupFit { get set }
  /// Returns the width of a line in columns, including the margins.
  func width(ofLine line: Int, in context: PaneContext) -> Int
}

extension PopupList {
  var place: PanePlace { fit.place }

  mutating func didChangeLines(in context: PaneContext) {
    var fit = fit
    fit.fit(lines: lineCount(in: context)) { width(ofLine: $0, in: context) }
    self.fit = fit
  }
}
