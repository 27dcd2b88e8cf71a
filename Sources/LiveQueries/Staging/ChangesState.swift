package import Triples

/// The counts and flags of a ``StagedStore``'s changes that a caller can read without waiting.
package struct ChangesState: Sendable, Equatable {
  /// Grows with each change.
  package let version: Int
  /// The changes that the store does not have yet, the oldest first.
  package let changes: [PendingChange]
  package let isStaging: Bool
  /// Whether staged changes survive the process.
  package let isStored: Bool
  package let nextUndo: StagedChanges.NextUndo
  /// Whether an undone change can be made again.
  package let canRedo: Bool

  package init(
    version: Int = 0, changes: [PendingChange] = [], isStaging: Bool = false,
    isStored: Bool = false, nextUndo: StagedChanges.NextUndo = .nothing, canRedo: Bool = false
  ) {
    self.version = version
    self.changes = changes
    self.isStaging = isStaging
    self.isStored = isStored
    self.nextUndo = nextUndo
    self.canRedo = canRedo
  }

  /// Creates the state of a table of changes.
  package init(_ table: StagedChanges, version: Int, isStored: Bool) {
    self.init(
      version: version, changes: table.pending, isStaging: table.isStaging, isStored: isStored,
      nextUndo: table.nextUndo, canRedo: table.canRedo)
  }
}
