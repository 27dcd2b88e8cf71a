import Explorer
import Notebooks

/// A store with its settings: the user's settings, overridden by the settings of the store's
/// project.
struct ConfiguredStore {
  let store: ExploredStore
  let settings: Settings
  /// The settings of the user.
  let user: Settings
  /// The project's settings file in the folder of the data; nil without such a file.
  let project: ProjectSettings?

  var listing: StoreListing { store.listing }

  /// Reads the project's settings file in the folder of the data.
  init(_ store: ExploredStore, user: Settings) {
    (self.store, self.user) = (store, user)
    project = ProjectSettings(folder: store.projectFolder, user: user)
    settings = user.overridden(by: project)
  }

  /// The notice to show when the store is opened: an error in the project's settings, or commands
  /// that the user has not allowed yet. Nil if there is nothing to report.
  var notice: Notice? {
    project?.warnings.summary(Settings.list).map { Notice($0) } ?? project?.notice
  }

  /// The theme set for this store; nil if the store uses the general theme.
  var theme: String? { settings.projectTheme ?? settings.look(of: listing.address)?.theme }

  /// Returns the user's notebook with the project's saved queries and column settings added.
  func notebook(_ shared: Task<Notebook, Never>) -> Task<Notebook, Never> {
    Task { [defaults = settings.projectDefaults] in
      var notebook = await shared.value
      notebook.project = defaults
      return notebook
    }
  }
}
