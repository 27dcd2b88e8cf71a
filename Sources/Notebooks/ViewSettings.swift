/// How the columns of one namespace are shown: attributes by name.
///
/// Names that the schema no longer knows are kept and mean nothing.
package struct ColumnSettings: Codable, Sendable, Hashable {
  package var hidden: [String]
  /// From the left; attributes that are not listed follow in the schema's order.
  package var order: [String]
  /// Those that stay while the others scroll, from the left.
  package var frozen: [String]
  /// In columns of the terminal.
  package var widths: [String: Int]

  package init(
    hidden: [String] = [], order: [String] = [], frozen: [String] = [], widths: [String: Int] = [:]
  ) {
    self.hidden = hidden
    self.order = order
    self.frozen = frozen
    self.widths = widths
  }
}

/// Where somebody was in a store, to begin there the next time.
package struct LastView: Codable, Sendable, Hashable {
  /// The query as text; nil when none was composed.
  package var query: String?
  /// The id of the entity under the cursor.
  package var cursor: String?

  package init(query: String? = nil, cursor: String? = nil) {
    self.query = query
    self.cursor = cursor
  }
}

/// What holds for the whole screen, whatever store is open.
package struct ScreenSettings: Codable, Sendable, Hashable {
  /// The theme chosen last; nil when none ever was.
  package var theme: String?
  /// How large panes were made, by the name of what divides them, in columns or rows.
  package var splits: [String: Int]

  package init(theme: String? = nil, splits: [String: Int] = [:]) {
    self.theme = theme
    self.splits = splits
  }
}
