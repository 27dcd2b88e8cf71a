package import DataSources

/// The state file in which a notebook lies.
///
///     {"changes":3,"format":"data-sources 1"}
///     {"key":"history.world␟cities","one":{"store":"world","text":"cities","when":…}}
///     {"key":"screen.screen","one":{"splits":{},"theme":"mono"}}
package struct NotebookFile: Sendable {
  package let path: String

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
    let file = StateFile(path: path)
    let notebook = Notebook(file)
    do throws(DataSourceError) {
      try await notebook.checkAll()
      return (notebook, nil)
    } catch  where error ~= .dataSerialization {
      return await beginAnew(notebook, file, for: error)
    } catch {
      return (.inMemory(), error.saying("What you do now is not remembered."))
    }
  }

  /// How the screen was left, without touching the file: what is wrong with it ``open()`` tells.
  package func screen() async -> ScreenSettings {
    // A damaged file has nothing to say here, and is complained of when it is opened.
    (try? await Notebook(StateFile(path: path)).screen()) ?? ScreenSettings()
  }

  private func beginAnew(
    _ notebook: Notebook, _ file: StateFile, for error: DataSourceError
  ) async -> (notebook: Notebook, trouble: DataSourceError?) {
    do throws(DataSourceError) {
      let aside = try await file.setAside()
      return (notebook, error.saying("It is kept as \(aside); a new one was begun."))
    } catch {
      return (.inMemory(), error.saying("What you do now is not remembered."))
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
  /// A notebook in `file`, each kind of thing under a prefix of its own.
  package init(_ file: StateFile, historyLimit: Int = History.limit) {
    self.init(
      queries: DeviceStorageDataSource(file, layout: .prefix("query")),
      history: DeviceStorageDataSource(file, layout: .prefix("history")),
      columns: DeviceStorageDataSource(file, layout: .prefix("columns")),
      views: DeviceStorageDataSource(file, layout: .prefix("view")),
      screens: DeviceStorageDataSource(file, layout: .prefix("screen")),
      historyLimit: historyLimit)
  }
}
