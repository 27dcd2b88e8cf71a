package import DataSources

/// Everything that the program stores between runs: saved queries, history and view settings.
///
/// The creator of a notebook decides where the data is stored. In the program, saved queries are
/// separate files (``QueryFolder``), and everything else is in the files of ``NotebookFile``. In
/// tests, all data is in memory.
///
/// ```swift
/// let (notebook, trouble) = await NotebookFile(path: folders.state + "/notebook").open()
/// try await notebook.record(HistoryEntry(store: "world", text: "cities", when: WallClock().now))
/// let saved = try await notebook.savedQueries(in: "world")
/// ```
///
/// Every call throws the errors of its source. A failed call does not lose stored data.
package struct Notebook: Sendable {
  /// The data sources of a notebook. Each must support keys, ids and `AllObjectsQuery`.
  package struct Sources: Sendable {
    package var queries: any DataSource<SavedQuery> = InMemoryDataSource()
    package var history: any DataSource<HistoryEntry> = InMemoryDataSource()
    package var columns: any DataSource<ColumnSettings> = InMemoryDataSource()
    package var views: any DataSource<LastView> = InMemoryDataSource()
    package var screens: any DataSource<ScreenSettings> = InMemoryDataSource()
    package var trusted: any DataSource<TrustedFile> = InMemoryDataSource()
    package var recent: any DataSource<RecentStore> = InMemoryDataSource()

    /// Creates sources in memory.
    package init() {}
  }

  let sources: Sources
  private let historyLimit: Int
  /// The saved queries and column settings of the project.
  package var project = ProjectDefaults()
  private let faultsOfQueries: @Sendable () async throws(DataSourceError) -> [DataSourceError]

  /// Creates a notebook that stores its data in the given data sources.
  ///
  /// - Parameters:
  ///   - faultsOfQueries: Returns the errors of saved queries that cannot be listed.
  package init(
    _ sources: Sources, historyLimit: Int = History.limit,
    faultsOfQueries: @escaping @Sendable () async throws(DataSourceError) -> [DataSourceError] = {
      () throws(DataSourceError) in []
    }
  ) {
    self.sources = sources
    self.historyLimit = historyLimit
    self.faultsOfQueries = faultsOfQueries
  }

  /// Creates a notebook in memory.
  package static func inMemory(historyLimit: Int = History.limit) -> Notebook {
    Notebook(Sources(), historyLimit: historyLimit)
  }
}

// Saved queries.
extension Notebook {
  /// Returns the saved queries of one store, or of all stores, sorted by name.
  package func savedQueries(
    in store: String? = nil
  ) async throws(DataSourceError) -> [SavedQuery] {
    let saved = try await sources.queries.getAll(AllObjectsQuery())
      .filter { store == nil || $0.store == store || $0.store.isEmpty }
      .filter { !project.has($0) }
    return (project.queries + saved)
      .sorted { ($0.name, $0.store) < ($1.name, $1.store) }
  }

  /// Returns the errors of saved queries that cannot be listed.
  package func faultsOfSavedQueries() async throws(DataSourceError) -> [DataSourceError] {
    try await faultsOfQueries()
  }

  /// Saves `query`, in place of a query of the same name in the same store.
  package func save(_ query: SavedQuery) async throws(DataSourceError) {
    try project.checkMayChange(query)
    try await sources.queries.put(query, id: query.id)
  }

  /// Deletes `query`. Deleting a query that does not exist succeeds.
  package func remove(_ query: SavedQuery) async throws(DataSourceError) {
    try project.checkMayChange(query)
    try await sources.queries.delete(id: query.id)
  }
}

// The query history.
extension Notebook {
  /// Returns all queries that were run, newest first. For the queries of one store, filter
  /// `History.entries`.
  package func history() async throws(DataSourceError) -> History {
    History(try await sources.history.getAll(AllObjectsQuery()), limit: historyLimit)
  }

  /// Adds `entry` to the history and removes entries beyond the limit.
  ///
  /// Each entry is stored separately. So nothing is lost when two processes add entries at the same
  /// time.
  /// - Returns: The history, including the entry.
  @discardableResult
  package func record(_ entry: HistoryEntry) async throws(DataSourceError) -> History {
    let before = try await sources.history.getAll(AllObjectsQuery())
    let history = History(before, limit: historyLimit).recording(entry)
    let kept = Set(history.entries.map(\.id))
    if kept.contains(entry.id) { try await sources.history.put(entry, id: entry.id) }
    let old = before.map(\.id).filter { !kept.contains($0) }
    if !old.isEmpty { try await sources.history.delete(ids: old) }
    return history
  }
}

// View settings. Settings that are not stored have default values.
extension Notebook {
  package func columns(
    of namespace: String, in store: String
  ) async throws(DataSourceError) -> ColumnSettings {
    try await sources.columns.kept(NotebookKey.of(namespace, in: store)) ?? project.columns[
      namespace]
      ?? ColumnSettings()
  }

  package func save(
    _ settings: ColumnSettings, of namespace: String, in store: String
  ) async throws(DataSourceError) {
    try await sources.columns.put(settings, id: NotebookKey.of(namespace, in: store))
  }

  package func lastView(of store: String) async throws(DataSourceError) -> LastView {
    try await sources.views.kept(store) ?? LastView()
  }

  package func save(_ view: LastView, of store: String) async throws(DataSourceError) {
    try await sources.views.put(view, id: store)
  }

  package func screen() async throws(DataSourceError) -> ScreenSettings {
    try await sources.screens.kept(Self.screenKey) ?? ScreenSettings()
  }

  package func save(_ settings: ScreenSettings) async throws(DataSourceError) {
    try await sources.screens.put(settings, id: Self.screenKey)
  }

  /// Changes the stored screen settings. The caller must ensure that calls do not overlap.
  package func changeScreen(
    _ change: @Sendable (inout ScreenSettings) -> Void
  ) async throws(DataSourceError) {
    let before = try await screen()
    var settings = before
    change(&settings)
    if settings != before { try await save(settings) }
  }

  static let screenKey = "screen"
}

// Files whose commands the user has allowed.
extension Notebook {
  /// Returns whether the user has allowed the commands of a file with this path and text.
  package func trusts(_ file: TrustedFile) async throws(DataSourceError) -> Bool {
    try await sources.trusted.kept(file.path) == file
  }

  package func trust(_ file: TrustedFile) async throws(DataSourceError) {
    try await sources.trusted.put(file, id: file.path)
  }
}

extension Notebook {
  /// Reads the whole history and all settings, to detect damage in the state file.
  /// - Throws: The error of the first source that cannot be read.
  func checkAllButViews() async throws(DataSourceError) {
    _ = try await sources.history.getAll(AllObjectsQuery())
    _ = try await sources.columns.getAll(AllObjectsQuery())
    _ = try await sources.screens.getAll(AllObjectsQuery())
  }

  func checkViews() async throws(DataSourceError) {
    _ = try await sources.views.getAll(AllObjectsQuery())
    _ = try await sources.recent.getAll(AllObjectsQuery())
  }
}

extension GetDataSource {
  /// Returns the object under `key`; nil if there is none.
  func kept(_ key: String) async throws(DataSourceError) -> Object? {
    do throws(DataSourceError) {
      return try await get(id: key)
    } catch  where error ~= .notFound {
      return nil
    }
  }
}
