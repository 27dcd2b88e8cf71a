package import DataSources

/// The state file in which a notebook lies, a folder for saved queries, and a second file for where
/// somebody was.
///
///     {"changes":3,"format":"data-sources 1"}
///     {"key":"history.world␟cities","one":{"store":"world","text":"cities","when":…}}
///     {"key":"screen.screen","one":{"splits":{},"theme":"mono"}}
///
/// Saved queries are texts that a person edits, compares and shares, so each is a file of its own in
/// the folder beside the state file; those that an older program kept in the state file move there.
///
/// Changes that are kept back are each program's own while it lives: see ``KeptChangesArchive``.
///
/// Where somebody was is written as the program ends, and nobody shall wait for the disk then: its
/// file survives the end of the program, however sudden, but is not forced to the disk. What a cut
/// of power takes of it is a place in a list, while what was saved is safe in the other file.
package struct NotebookFile: Sendable {
  package let path: String
  /// The name does not begin with `notebook.`: beside a state file that is the name of its drafts.
  package var viewsPath: String { path + "-views" }
  /// The folder of the saved queries.
  package var queriesPath: String { path.folder + "/queries" }

  /// - Parameter path: As a rule ``Folders/state`` and `/notebook`.
  package init(path: String) {
    self.path = path
  }

  /// The notebook of this file, whatever state the file is in.
  ///
  /// A file that cannot be understood is set aside under another name, and the notebook begins anew.
  /// One that a newer program wrote, or that cannot be read at all, is left as it is; the notebook
  /// is then in memory for this run.
  ///
  /// - Returns: `trouble` is what shall be told; nil as a rule.
  package func open() async -> (notebook: Notebook, trouble: DataSourceError?) {
    let (file, views) = (StateFile(path: path), views())
    let notebook = Notebook(file, views: views, queries: QueryFolder(path: queriesPath))
    var trouble: DataSourceError?
    do throws(DataSourceError) {
      trouble = try await mend(file) { () async throws(DataSourceError) in
        try await notebook.checkAllButViews()
        try await moveQueries(outOf: file)
      }
      let another = try await mend(views) { () async throws(DataSourceError) in
        try await notebook.checkViews()
      }
      trouble = trouble ?? another
    } catch {
      return (.inMemory(), error.saying("What you do now is not remembered."))
    }
    return (notebook, trouble)
  }

  /// Gives the queries that an older program saved in the state file files of their own. What is
  /// saved there under the same name stays; the state file forgets them when all have a file.
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
    StateFile(path: viewsPath, privacy: .relaxed, disk: Disk(isDurable: false))
  }

  /// How the screen was left, without touching the file: what is wrong with it ``open()`` tells.
  package func screen() async -> ScreenSettings {
    // A damaged file has nothing to say here, and is complained of when it is opened.
    let notebook = Notebook(StateFile(path: path), queries: QueryFolder(path: queriesPath))
    return (try? await notebook.screen()) ?? ScreenSettings()
  }

  /// Sets a file aside that `check` cannot understand.
  /// - Returns: What shall be told of that; nil when the file is as it should be.
  private func mend(
    _ file: StateFile, _ check: () async throws(DataSourceError) -> Void
  ) async throws(DataSourceError) -> DataSourceError? {
    do throws(DataSourceError) {
      try await check()
      return nil
    } catch  where error ~= .dataSerialization {
      let aside = try await file.setAside()
      return error.saying("It is kept as \(aside); a new one was begun.")
    }
  }
}

extension DataSourceError {
  fileprivate func saying(_ more: String) -> DataSourceError {
    var error = self
    error.message += " " + more
    return error
  }
}

extension Notebook {
  /// A notebook in `file`, each kind of thing under a prefix of its own; changes that are kept back are
  /// in a folder beside it.
  ///
  /// - Parameters:
  ///   - views: Where the last views lie; nil for `file`.
  ///   - queries: Where saved queries lie.
  package init(
    _ file: StateFile, views: StateFile? = nil, queries: QueryFolder,
    historyLimit: Int = History.limit
  ) {
    self.init(
      queries: queries,
      history: DeviceStorageDataSource(file, layout: .prefix("history")),
      columns: DeviceStorageDataSource(file, layout: .prefix("columns")),
      views: DeviceStorageDataSource(views ?? file, layout: .prefix("view")),
      screens: DeviceStorageDataSource(file, layout: .prefix("screen")),
      unsent: KeptChangesArchive(
        folder: file.path.folder + "/unsent",
        shared: DeviceStorageDataSource(file, layout: .prefix("unsent"))),
      historyLimit: historyLimit,
      faultsOfQueries: { () throws(DataSourceError) in try await queries.faults() })
  }
}
