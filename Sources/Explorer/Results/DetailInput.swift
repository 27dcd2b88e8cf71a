import TerminalUI

/// Everything from which the lines of the record next to the results are computed.
struct DetailInput: Sendable, Equatable {
  /// The record without its lines.
  private let pane: EntityPane
  private let catalog: Catalog?
  /// The columns of the results, whose digit grouping the record has.
  private let columns: [TableColumn]
  private let size: Size

  init(_ pane: EntityPane, in context: PaneContext) {
    self.pane = pane
    catalog = context.catalog
    columns = context.table?.columns ?? []
    size = Size(columns: context.width, rows: context.page)
  }
}
