import LiveQueries
import Triples

extension ChangesState {
  var stagedCount: Int { count { $0 == .staged } }
  /// The number of staged changes that are being sent.
  var sendingCount: Int { count { $0 != .staged } }

  private func count(_ isCounted: (PendingChange.State) -> Bool) -> Int {
    changes.reduce(0) { $0 + (isCounted($1.state) ? $1.stagedParts : 0) }
  }

  /// The counts of changes that are being sent and that are staged, such as `3 changes staged`; nil
  /// if both are zero.
  var unsent: String? {
    let parts = [
      sendingCount > 0 ? NumberText.count(sendingCount, "change") + " being sent" : nil,
      stagedCount > 0 ? NumberText.count(stagedCount, "change") + " staged" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Whether any of the changes is being sent.
  var isSending: Bool { changes.contains { $0.state != .staged } }

  /// Returns whether one of the changes concerns an entity.
  func contains(_ entity: EntityID) -> Bool {
    changes.contains { change in
      change.transaction.steps.contains { $0.entity == .id(entity) }
    }
  }

  /// Returns whether an entity is staged for deletion.
  func deletes(_ entity: EntityID) -> Bool {
    changes.contains { change in
      change.isShown
        && change.transaction.steps.contains { step in
          if case .deleteEntity(.id(entity), _) = step { true } else { false }
        }
    }
  }
}
