package import LiveQueries

/// What the program offers a screen besides its store: files, other programs, the connection, and
/// other stores.
package struct Surroundings: Sendable {
  /// Writes a file and returns the outcome. A canceled task leaves no file behind.
  let export: @Sendable (ExportOrder, ProgressReport) async -> ExportOutcome
  /// The pager and the editor; nil if there are none.
  let programs: (any ExternalTools)?
  /// Returns the files and folders whose path begins with a typed text, in alphabetical order. The
  /// paths of folders end with a slash.
  let paths: @Sendable (String) async -> [String]
  /// Returns the path itself if no file has it, or else a similar path that no file has.
  let freePath: @Sendable (String) async -> String
  /// Reconnects to the store's server immediately, if there is one.
  let callServer: @Sendable () async -> Void
  /// Returns the stores that were opened before, the newest first, then others that the program
  /// knows.
  let knownStores: @Sendable () async -> [StoreListing]
  /// Looks for a store without reading its data.
  let findStore: @Sendable (StoreListing) async -> Result<StoreListing, OpeningFailure>

  package init(
    export: @escaping @Sendable (ExportOrder, ProgressReport) async -> ExportOutcome = { _, _ in
      .failed(RuntimeWords.noFiles)
    },
    programs: (any ExternalTools)? = nil,
    paths: @escaping @Sendable (String) async -> [String] = { _ in [] },
    freePath: @escaping @Sendable (String) async -> String = { $0 },
    callServer: @escaping @Sendable () async -> Void = {},
    knownStores: @escaping @Sendable () async -> [StoreListing] = { [] },
    findStore: @escaping @Sendable (StoreListing) async -> Result<StoreListing, OpeningFailure> = {
      _ in .failure(OpeningFailure(reason: RuntimeWords.noOtherStores))
    }
  ) {
    self.export = export
    self.programs = programs
    self.paths = paths
    self.freePath = freePath
    self.callServer = callServer
    self.knownStores = knownStores
    self.findStore = findStore
  }
}
