import InstaQL
import LiveQueries
import TerminalUI
import Triples

// Deleting, and what would go with it.
extension Model {
  /// Shows what would go with the entity, and asks.
  mutating func askBeforeDeleting(
    _ target: EditTarget, _ handle: EntityHandle, in catalog: Catalog
  ) -> [Effect] {
    // What goes with it is said after the name, however long that is.
    let label = catalog.label(of: handle, in: target.namespace)
    let isBare = label == target.entity.text
    let name = TextWidth.truncated(
      isBare ? "\(target.namespace) \(label)" : label, to: Self.longestNamed)
    return askBeforeDeleting([target.entity], of: target.namespace, called: name, in: catalog)
  }

  private static let longestNamed = 40

  /// The same for all marked rows at once.
  mutating func askBeforeDeletingMarked() -> [Effect] {
    if refuseToChange() { return [] }
    let marked = tab.results.table.map { table in
      markedEntities.map { table.catalog.store.id(of: $0) }
    }
    guard let table = tab.results.table, let marked, !marked.isEmpty, let catalog = known else {
      notice = .noneSelected
      return []
    }
    let namespace = table.answer.namespace
    return askBeforeDeleting(
      marked, of: namespace, called: "\(NumberText.grouped(marked.count)) marked \(namespace)",
      in: catalog)
  }

  private mutating func askBeforeDeleting(
    _ entities: [EntityID], of namespace: String, called name: String, in catalog: Catalog
  ) -> [Effect] {
    // Of a large database, and of a server, only what is shown is known here.
    let isPart = catalog.snapshot.served != nil
    let isServer = isPart && catalog.snapshot.served?.canGiveAll != true
    if isServer, !isServerSilent {
      return say(
        Farewell(entities, of: namespace, called: name, in: catalog, at: keyPlace))
    }
    return prepare(
      .deletion(
        DeletionOrder(
          entities: entities, namespace: namespace, name: name, catalog: catalog,
          alsoBy: isServer ? "the server" : isPart ? "the database" : nil)))
  }

  /// What would go is known: asks.
  mutating func ask(_ deletion: ForeseenDeletion) {
    let them = deletion.isOne ? "it" : "them"
    let undo = undo(of: deletion)
    open(
      MenuPane(
        "Delete \(deletion.name)? \(deletion.cascade)",
        [
          MenuPane.Entry(key: "n", label: "keep \(them)", wishes: []),
          MenuPane.Entry(
            key: "d", label: "delete", detail: undo.detail,
            wishes: [
              .delete(
                AnnouncedDeletion(
                  steps: deletion.steps, summary: ChangeSummary.deleted(deletion.name),
                  canBeUndone: undo.isPossible, isKnownWhole: !isServerSilent))
            ]),
        ]))
  }

  /// Whether what somebody else has not told cannot be asked for: what goes is known in part alone.
  var isServerSilent: Bool {
    guard let snapshot = catalog?.snapshot, let served = snapshot.served, !served.canGiveAll else {
      return false
    }
    return !snapshot.freshness.isOfServer
  }

  /// Whether the deletion can be undone, and how far, in words; of a foreign database not everything
  /// can.
  private func undo(of deletion: ForeseenDeletion) -> (detail: String, isPossible: Bool) {
    guard store.howLive != nil else {
      return (isServerSilent ? UndoLimitWords.offline : UndoLimitWords.whole, true)
    }
    if deletion.count > UndoLimits.maxRows {
      return (UndoLimitWords.tooManyRows(UndoLimits.maxRows), false)
    }
    if !deletion.unkept.isEmpty {
      return (UndoLimitWords.withoutRowID(deletion.unkept), false)
    }
    // Of what is wholly known it was seen that none go.
    let mayLoseUnkept =
      catalog?.snapshot.served != nil
      && catalog?.schema.attributes.contains(where: \.isOfUntoldRows) == true
    return (
      UndoLimitWords.upTo(UndoLimits.maxRows, exceptWithoutRowID: mayLoseUnkept), true
    )
  }
}

/// A deletion as it was put to a person.
struct AnnouncedDeletion: Sendable, Equatable {
  let steps: [TransactionStep]
  /// What will have been done then, in words.
  let summary: String
  let canBeUndone: Bool
  /// Whether all was known of what goes.
  let isKnownWhole: Bool
}

extension StoreSnapshot.Freshness {
  /// Whether a server that answers said it just now, be it without changes that it has not seen yet.
  var isOfServer: Bool {
    switch self {
    case .live, .optimistic: true
    case .stale, .archived, .connecting, .offline: false
    }
  }
}
