import DataSources

/// The saved queries and column settings of a project's settings file. The program never changes
/// this file.
package struct ProjectDefaults: Sendable, Hashable {
  /// The name of the settings file, for messages.
  package var file: String
  /// The project's queries. They hide queries that the user saved under the same names.
  package var queries: [SavedQuery]
  /// The column settings of each namespace; they apply until the user arranges the columns.
  package var columns: [String: ColumnSettings]

  package init(
    file: String = "", queries: [SavedQuery] = [], columns: [String: ColumnSettings] = [:]
  ) {
    self.file = file
    self.queries = queries
    self.columns = columns
  }

  func has(_ query: SavedQuery) -> Bool { queries.contains { $0.name == query.name } }

  /// Throws if the project's settings define this query, because the program does not change them.
  func checkMayChange(_ query: SavedQuery) throws(DataSourceError) {
    guard has(query) else { return }
    throw .illegalArgument(
      "\(file) defines '\(query.name)'. Edit that file, or choose another name.")
  }
}
