package import DataSources

/// What the program remembers from one run to the next: saved queries, history, how things are shown.
///
/// It keeps nothing itself; each kind of thing lies in a data source that is handed in. In the
/// program saved queries are files of their own (``QueryFolder``) and all else shares one state file
/// (``NotebookFile``), in a test they are in memory.
///
/// ```swift
/// let (notebook, trouble) = await NotebookFile(path: folders.state + "/notebook").open()
/// try await notebook.record(HistoryEntry(store: "world", text: "cities", when: WallClock().now))
/// let saved = try await notebook.savedQueries(in: "world")
/// ```
///
/// Every call may throw what its source throws; nothing that was kept is lost by it.
package struct Notebook: Sendable {
  private let queries: any DataSource<SavedQuery>
  private let asked: any DataSource<HistoryEntry>
  private let columns: any DataSource<ColumnSettings>
  private let views: any DataSource<LastView>
  private let screens: any DataSource<ScreenSettings>
  private let unsent: KeptChangesArchive
  private let historyLimit: Int
  private let faultsOfQueries: @Sendable () async throws(DataSourceError) -> [DataSourceError]

  /// - Parameters:
  ///   - queries: Like the other sources one that knows keys, ids and `AllObjectsQuery`.
  ///   - faultsOfQueries: What is wrong with saved queries that are therefore not listed.
  package init(
    queries: any DataSource<SavedQuery>, history: any DataSource<HistoryEntry>,
    columns: any DataSource<ColumnSettings>, views: any DataSource<LastView>,
    screens: any DataSource<ScreenSettings>, unsent: KeptChangesArchive,
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
    self.unsent = unsent
    self.historyLimit = historyLimit
    self.faultsOfQueries = faultsOfQueries
  }

  /// A notebook for this run only.
  package static func inMemory(historyLimit: Int = History.limit) -> Notebook {
    Notebook(
      queries: InMemoryDataSource(), history: InMemoryDataSource(), columns: InMemoryDataSource(),
      views: InMemoryDataSource(), screens: InMemoryDataSource(), unsent: KeptChangesArchive(),
      historyLimit: historyLimit)
  }
}

// Saved queries.
extension Notebook {
  /// Those that are offered in one store, or all, by name.
  package func savedQueries(
    in store: String? = nil
  ) async throws(DataSourceError) -> [SavedQuery] {
    try await queries.getAll(AllObjectsQuery())
      .filter { store == nil || $0.store == store || $0.store.isEmpty }
      .sorted { ($0.name, $0.store) < ($1.name, $1.store) }
  }

  /// What is wrong with saved queries that are therefore not listed, a sentence each.
  package func faultsOfSavedQueries() async throws(DataSourceError) -> [DataSourceError] {
    try await faultsOfQueries()
  }

  /// Keeps `query`, in place of one of the same name in the same store.
  package func save(_ query: SavedQuery) async throws(DataSourceError) {
    try await queries.put(query, id: query.id)
  }

  /// Forgets `query`; it need not be there.
  package func remove(_ query: SavedQuery) async throws(DataSourceError) {
    try await queries.delete(id: query.id)
  }
}

// What was asked.
extension Notebook {
  /// All that was asked, newest first; `History.entries` filtered by store is one store's.
  package func history() async throws(DataSourceError) -> History {
    History(try await asked.getAll(AllObjectsQuery()), limit: historyLimit)
  }

  /// Remembers that `entry` was asked, and forgets what is too old.
  ///
  /// Entries are kept one by one, so two programs that record at once lose nothing of each other.
  /// - Returns: The history with it.
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

  /// Forgets all that was asked.
  package func forgetHistory() async throws(DataSourceError) {
    try await asked.delete(AllObjectsQuery())
  }
}

// How things are shown: what was never kept is as if nobody had changed anything.
extension Notebook {
  package func columns(
    of namespace: String, in store: String
  ) async throws(DataSourceError) -> ColumnSettings {
    try await columns.kept(NotebookKey.of(namespace, in: store)) ?? ColumnSettings()
  }

  package func keep(
    _ settings: ColumnSettings, of namespace: String, in store: String
  ) async throws(DataSourceError) {
    try await columns.put(settings, id: NotebookKey.of(namespace, in: store))
  }

  package func lastView(of store: String) async throws(DataSourceError) -> LastView {
    try await views.kept(store) ?? LastView()
  }

  package func keep(_ view: LastView, of store: String) async throws(DataSourceError) {
    try await views.put(view, id: store)
  }

  package func screen() async throws(DataSourceError) -> ScreenSettings {
    try await screens.kept(Self.screenKey) ?? ScreenSettings()
  }

  package func keep(_ settings: ScreenSettings) async throws(DataSourceError) {
    try await screens.put(settings, id: Self.screenKey)
  }

  /// Changes what is kept of the screen; who changes it at the same time must wait for this.
  package func changeScreen(
    _ change: @Sendable (inout ScreenSettings) -> Void
  ) async throws(DataSourceError) {
    let before = try await screen()
    var settings = before
    change(&settings)
    if settings != before { try await keep(settings) }
  }

  private static let screenKey = "screen"
}

// What was changed and is not sent yet.
extension Notebook {
  /// What this program keeps back of a store, with what those left that had it open and live no more.
  ///
  /// - Parameter store: What tells the store from all others, wherever it is opened from.
  package func keptChanges(in store: String) async throws(DataSourceError) -> KeptChanges {
    try await unsent.changes(in: store)
  }

  package func keep(
    _ changes: KeptChanges, in store: String
  ) async throws(DataSourceError) {
    try await unsent.keep(changes, in: store)
  }
}

extension Notebook {
  /// Reads everything once, but for the views.
  /// - Throws: What the first source that cannot be read throws.
  func checkAllButViews() async throws(DataSourceError) {
    _ = try await asked.getAll(AllObjectsQuery())
    _ = try await columns.getAll(AllObjectsQuery())
    _ = try await screens.getAll(AllObjectsQuery())
    try await unsent.check()
  }

  func checkViews() async throws(DataSourceError) {
    _ = try await views.getAll(AllObjectsQuery())
  }
}

extension GetDataSource {
  /// The object under `key`; nil when there is none.
  func kept(_ key: String) async throws(DataSourceError) -> Object? {
    do throws(DataSourceError) {
      return try await get(id: key)
    } catch  where error ~= .notFound {
      return nil
    }
  }
}
