import Explorer
import Notebooks

/// A store with the settings for it: those of the user, overridden by those of its project.
struct ConfiguredStore {
  let store: ExploredStore
  let settings: Settings
  /// The settings beside the data; nil if there are none.
  let project: ProjectSettings?

  var listing: StoreListing { store.listing }

  /// Reads the settings beside the data.
  init(_ store: ExploredStore, user: Settings) {
    self.store = store
    project = ProjectSettings(folder: store.projectFolder, user: user)
    settings = user.overridden(by: project)
  }

  /// The notice about the project when the store is opened; nil for none.
  var notice: Notice? { project?.warning.map { Notice($0) } ?? project?.notice }

  /// The theme of the store; nil for the theme of all stores.
  var theme: String? { settings.projectTheme ?? settings.look(of: listing.address)?.theme }

  /// Returns the user's saved state with the queries and columns of the project.
  func notebook(_ shared: Task<Notebook, Never>) -> Task<Notebook, Never> {
    Task { [defaults = settings.projectDefaults] in
      var notebook = await shared.value
      notebook.project = defaults
      return notebook
    }
  }
}
