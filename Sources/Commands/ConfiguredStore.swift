import Explorer
import Notebooks

/// A store with the settings for it: those of the user, overridden by those of its project.
struct ConfiguredStore {
  let store: ExploredStore
  let settings: Settings
  /// The settings of the user.
  let user: Settings
  /// The project's settings file in the folder of the data; nil if there is none.
  let project: ProjectSettings?

  var listing: StoreListing { store.listing }

  /// Reads the project's settings file in the folder of the data.
  init(_ store: ExploredStore, user: Settings) {
    (self.store, self.user) = (store, user)
    project = ProjectSettings(folder: store.projectFolder, user: user)
    settings = user.overridden(by: project)
  }

  /// The notice about the project when the store is opened; nil for none.
  var notice: Notice? { project?.warning.map { Notice($0) } ?? project?.notice }

  /// The theme set for this store; nil if the store uses the general theme.
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
