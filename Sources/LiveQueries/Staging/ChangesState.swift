package import Triples

/// The state of the changes in a ``StagedStore``. A caller can read it without waiting.
package struct ChangesState: Sendable, Equatable {
  /// A number that increases each time the state changes.
  package let version: Int
  /// The changes that the store does not have yet, the oldest first.
  package let changes: [PendingChange]
  package let isStaging: Bool
  /// Whether staged changes are stored on disk, so that they survive the end of the process.
  package let isStored: Bool
  package let nextUndo: StagedChanges.NextUndo
  /// Whether there is an undone change that can be redone.
  package let canRedo: Bool
  /// The number of changes that the store has made in this session and that were not undone.
  package let madeCount: Int

  package init(
    version: Int = 0, changes: [PendingChange] = [], isStaging: Bool = false,
    isStored: Bool = false, nextUndo: StagedChanges.NextUndo = .nothing, canRedo: Bool = false,
    madeCount: Int = 0
  ) {
    self.version = version
    self.changes = changes
    self.isStaging = isStaging
    self.isStored = isStored
    self.nextUndo = nextUndo
    self.canRedo = canRedo
    self.madeCount = madeCount
  }

  /// Creates the state that describes the staged changes.
  package init(_ table: StagedChanges, version: Int, isStored: Bool) {
    self.init(
      version: version, changes: table.pending, isStaging: table.isStaging, isStored: isStored,
      nextUndo: table.nextUndo, canRedo: table.canRedo,
      madeCount: table.madeCount)
  }
}
