import DataSources

/// The saved queries and column settings in a project's settings file. The program never changes
/// that file.
package struct ProjectDefaults: Sendable, Hashable {
  /// The name of the settings file, for messages.
  package var file: String
  /// The queries of the project. If the user saved a query under the same name, the project's query
  /// is used.
  package var queries: [SavedQuery]
  /// The column settings of each namespace. They apply until the user changes the columns.
  package var columns: [String: ColumnSettings]

  package init(
    file: String = "", queries: [SavedQuery] = [], columns: [String: ColumnSettings] = [:]
  ) {
    self.file = file
    self.queries = queries
    self.columns = columns
  }

  func has(_ query: SavedQuery) -> Bool { queries.contains { $0.name == query.name } }

  /// Throws if the project's settings define this query, because the program never changes that
  /// file.
  func checkMayChange(_ query: SavedQuery) throws(DataSourceError) {
    guard has(query) else { return }
    throw .illegalArgument(
      "The saved query '\(query.name)' is defined in \(file) and cannot be changed here. "
        + "Edit that file, or choose another name.")
  }
}
