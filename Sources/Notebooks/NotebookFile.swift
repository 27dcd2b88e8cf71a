package import DataSources

/// The files of a notebook: a state file, a folder for saved queries, and a file for the last
/// views.
///
///     {"changes":3,"format":"data-sources 1"}
///     {"key":"history.world␟cities","one":{"store":"world","text":"cities","when":…}}
///     {"key":"screen.screen","one":{"splits":{},"theme":"mono"}}
///
/// Users edit, compare and share saved queries. So each query is a separate file, in a folder next
/// to the state file. If an earlier version stored queries in the state file, they are moved there.
///
/// The last views are written when the program quits, without waiting for the disk. So a power
/// failure can lose them, such as the position in a list. Everything in the state file is durable.
package struct NotebookFile: Sendable {
  package let path: String
  /// The path of the file for the last views.
  ///
  /// The file's name must not begin with `notebook.`, because drafts of the state file have such
  /// names.
  package var viewsPath: String { path + "-views" }
  /// The folder of saved queries.
  package var queriesPath: String { path.folder + "/queries" }

  /// Creates the files of a notebook; ``open()`` opens them.
  ///
  /// - Parameter path: The path of the state file, usually `notebook` in ``Folders/state``.
  package init(path: String) {
    self.path = path
  }

  /// Opens the notebook, even if its files are damaged or cannot be read.
  ///
  /// If a file cannot be parsed, it is renamed, and the notebook starts empty. If a file cannot be
  /// read, or was written by a later version, it is left unchanged, and the notebook is only in
  /// memory for this run.
  ///
  /// - Returns: The notebook, and in `trouble` the error to report; nil when there is no error.
  package func open() async -> (notebook: Notebook, trouble: DataSourceError?) {
    let (file, views) = (StateFile(path: path), views())
    let notebook = Notebook(file, views: views, queries: QueryFolder(path: queriesPath))
    var trouble: DataSourceError?
    do throws(DataSourceError) {
      trouble = try await setAsideIfDamaged(file) { () async throws(DataSourceError) in
        try await notebook.checkAllButViews()
        try await moveQueries(outOf: file)
      }
      let another = try await setAsideIfDamaged(views) { () async throws(DataSourceError) in
        try await notebook.checkViews()
      }
      trouble = trouble ?? another
    } catch {
      return (
        .inMemory(),
        error.appending(
          "Changes to saved queries, history and views are not saved in this session.")
      )
    }
    return (notebook, trouble)
  }

  /// Moves queries that an earlier version stored in the state file to separate files.
  ///
  /// Existing files with the same names are kept. When each query has a file, the queries are
  /// removed from the state file.
  private func moveQueries(outOf file: StateFile) async throws(DataSourceError) {
    let old = DeviceStorageDataSource<SavedQuery>(file, layout: .prefix("query"))
    let queries = try await old.getAll(AllObjectsQuery())
    if queries.isEmpty { return }
    let folder = QueryFolder(path: queriesPath)
    for query in queries where try await folder.kept(query.id) == nil {
      try await folder.put(query, id: query.id)
    }
    try await old.delete(AllObjectsQuery())
  }

  private func views() -> StateFile {
    StateFile(path: viewsPath, privacy: .relaxed, disk: FileSystem(isDurable: false))
  }

  /// Returns the stored screen settings, without changing the file; ``open()`` reports its errors.
  package func screen() async -> ScreenSettings {
    // Here, a damaged file counts as default settings. Opening the notebook reports the damage.
    let screens = Notebook.screens(in: StateFile(path: path))
    let entries = try? await screens.entries(at: [Notebook.screenKey])
    return entries?.first??.objects.first ?? ScreenSettings()
  }

  /// Returns whether the user has allowed the commands of a file. This only reads the notebook's
  /// file, and never changes it.
  package func trusts(_ file: TrustedFile) async -> Bool {
    let notebook = Notebook(StateFile(path: path), queries: QueryFolder(path: queriesPath))
    return (try? await notebook.trusts(file)) ?? false
  }

  /// Renames a file that `check` cannot parse.
  /// - Returns: The error to report; nil if the file is not damaged.
  private func setAsideIfDamaged(
    _ file: StateFile, _ check: () async throws(DataSourceError) -> Void
  ) async throws(DataSourceError) -> DataSourceError? {
    do throws(DataSourceError) {
      try await check()
      return nil
    } catch  where error ~= .dataSerialization {
      let aside = try await file.setAside()
      return error.appending("The damaged file was renamed to \(aside), and a new one was created.")
    }
  }
}

extension DataSourceError {
  fileprivate func appending(_ more: String) -> DataSourceError {
    var error = self
    error.message += " " + more
    return error
  }
}

extension Notebook {
  /// Creates a notebook that stores each kind of data in `file` under its own key prefix.
  ///
  /// - Parameters:
  ///   - views: The file for the last views; nil stores them in `file`, too.
  ///   - queries: The folder of saved queries.
  package init(
    _ file: StateFile, views: StateFile? = nil, queries: QueryFolder,
    historyLimit: Int = History.limit
  ) {
    var sources = Sources()
    sources.queries = queries
    sources.history = DeviceStorageDataSource(file, layout: .prefix("history"))
    sources.columns = DeviceStorageDataSource(file, layout: .prefix("columns"))
    sources.views = DeviceStorageDataSource(views ?? file, layout: .prefix("view"))
    sources.screens = Self.screens(in: file)
    sources.trusted = DeviceStorageDataSource(file, layout: .prefix("trusted"))
    // The recent stores are in the same file as the views, so a power failure may lose the newest
    // one.
    sources.recent = DeviceStorageDataSource(views ?? file, layout: .prefix("recent"))
    self.init(
      sources, historyLimit: historyLimit,
      faultsOfQueries: { () throws(DataSourceError) in try await queries.faults() })
  }

  static func screens(in file: StateFile) -> DeviceStorageDataSource<ScreenSettings> {
    DeviceStorageDataSource(file, layout: .prefix("screen"))
  }
}
