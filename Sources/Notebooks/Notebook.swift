package import DataSources

/// Everything the program stores between runs: saved queries, history, view settings.
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
/// Every call throws the errors of its source; stored data is not lost by a failed call.
package struct Notebook: Sendable {
  private let queries: any DataSource<SavedQuery>
  private let asked: any DataSource<HistoryEntry>
  private let columns: any DataSource<ColumnSettings>
  private let views: any DataSource<LastView>
  private let screens: any DataSource<ScreenSettings>
  private let trusted: any DataSource<TrustedFile>
  let recent: any DataSource<RecentStore>
  private let historyLimit: Int
  /// The saved queries and column settings of the project.
  package var project = ProjectDefaults()
  private let faultsOfQueries: @Sendable () async throws(DataSourceError) -> [DataSourceError]

  /// Creates a notebook that stores its data in the given data sources.
  ///
  /// - Parameters:
  ///   - queries: The saved queries. Like the other sources, this one must support keys, ids and
  ///     `AllObjectsQuery`.
  ///   - faultsOfQueries: Returns the errors that prevented some saved queries from being listed.
  package init(
    queries: any DataSource<SavedQuery>, history: any DataSource<HistoryEntry>,
    columns: any DataSource<ColumnSettings>, views: any DataSource<LastView>,
    screens: any DataSource<ScreenSettings>,
    trusted: any DataSource<TrustedFile> = InMemoryDataSource(),
    recent: any DataSource<RecentStore> = InMemoryDataSource(),
    historyLimit: Int = History.limit,
    faultsOfQueries: @escaping @Sendable () async throws(DataSourceError) -> [DataSourceError] = {
      () throws(DataSourceError) in []
    }
  ) {
    self.queries = queries
    asked = history
    self.columns = columns
    self.views = views
    self.screens = screens
    self.trusted = trusted
    self.recent = recent
    self.historyLimit = historyLimit
    self.faultsOfQueries = faultsOfQueries
  }

  /// Creates a notebook in memory.
  package static func inMemory(historyLimit: Int = History.limit) -> Notebook {
    Notebook(
      queries: InMemoryDataSource(), history: InMemoryDataSource(), columns: InMemoryDataSource(),
      views: InMemoryDataSource(), screens: InMemoryDataSource(),
      historyLimit: historyLimit)
  }
}

// Saved queries.
extension Notebook {
  /// Returns the saved queries of one store, or of all stores, sorted by name.
  package func savedQueries(
    in store: String? = nil
  ) async throws(DataSourceError) -> [SavedQuery] {
    let saved = try await queries.getAll(AllObjectsQuery())
      .filter { store == nil || $0.store == store || $0.store.isEmpty }
      .filter { !project.has($0) }
    return (project.queries + saved)
      .sorted { ($0.name, $0.store) < ($1.name, $1.store) }
  }

  /// Returns the errors that prevented some saved queries from being listed.
  package func faultsOfSavedQueries() async throws(DataSourceError) -> [DataSourceError] {
    try await faultsOfQueries()
  }

  /// Saves `query`. It replaces a query of the same name in the same store.
  package func save(_ query: SavedQuery) async throws(DataSourceError) {
    try project.checkMayChange(query)
    try await queries.put(query, id: query.id)
  }

  /// Deletes `query`. It succeeds even if the query does not exist.
  package func remove(_ query: SavedQuery) async throws(DataSourceError) {
    try project.checkMayChange(query)
    try await queries.delete(id: query.id)
  }
}

// The query history.
extension Notebook {
  /// Returns all queries that were run, newest first. To get the queries of one store, filter
  /// `History.entries`.
  package func history() async throws(DataSourceError) -> History {
    History(try await asked.getAll(AllObjectsQuery()), limit: historyLimit)
  }

  /// Adds `entry` to the history and removes entries beyond the limit.
  ///
  /// Entries are stored separately, so that two processes that record at the same time lose
  /// nothing.
  /// - Returns: The history with the entry.
  @discardableResult
  package func record(_ entry: HistoryEntry) async throws(DataSourceError) -> History {
    let before = try await asked.getAll(AllObjectsQuery())
    let history = History(before, limit: historyLimit).recording(entry)
    let kept = Set(history.entries.map(\.id))
    if kept.contains(entry.id) { try await asked.put(entry, id: entry.id) }
    let old = before.map(\.id).filter { !kept.contains($0) }
    if !old.isEmpty { try await asked.delete(ids: old) }
    return history
  }

  /// Clears the history.
  package func forgetHistory() async throws(DataSourceError) {
    try await asked.delete(AllObjectsQuery())
  }
}

// View settings. They have default values until they are stored.
extension Notebook {
  package func columns(
    of namespace: String, in store: String
  ) async throws(DataSourceError) -> ColumnSettings {
    try await columns.kept(NotebookKey.of(namespace, in: store)) ?? project.columns[namespace]
      ?? ColumnSettings()
  }

  package func save(
    _ settings: ColumnSettings, of namespace: String, in store: String
  ) async throws(DataSourceError) {
    try await columns.put(settings, id: NotebookKey.of(namespace, in: store))
  }

  package func lastView(of store: String) async throws(DataSourceError) -> LastView {
    try await views.kept(store) ?? LastView()
  }

  package func save(_ view: LastView, of store: String) async throws(DataSourceError) {
    try await views.put(view, id: store)
  }

  package func screen() async throws(DataSourceError) -> ScreenSettings {
    try await screens.kept(Self.screenKey) ?? ScreenSettings()
  }

  package func save(_ settings: ScreenSettings) async throws(DataSourceError) {
    try await screens.put(settings, id: Self.screenKey)
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

  private static let screenKey = "screen"
}

// Files whose commands may run.
extension Notebook {
  /// Returns whether the user allowed the commands of a file with this path and text.
  package func trusts(_ file: TrustedFile) async throws(DataSourceError) -> Bool {
    try await trusted.kept(file.path) == file
  }

  package func trust(_ file: TrustedFile) async throws(DataSourceError) {
    try await trusted.put(file, id: file.path)
  }
}

extension Notebook {
  /// Reads the history and settings completely, to detect damage in the state file.
  /// - Throws: The error of the first source that cannot be read.
  func checkAllButViews() async throws(DataSourceError) {
    _ = try await asked.getAll(AllObjectsQuery())
    _ = try await columns.getAll(AllObjectsQuery())
    _ = try await screens.getAll(AllObjectsQuery())
  }

  func checkViews() async throws(DataSourceError) {
    _ = try await views.getAll(AllObjectsQuery())
    _ = try await recent.getAll(AllObjectsQuery())
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
