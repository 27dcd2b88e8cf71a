import InstaQL
import LiveQueries
import TerminalUI
import Triples

// Deletes entities after a preview.
extension Workspace {
  /// Requests a preview of a deletion, after which the user is asked to confirm it.
  mutating func askBeforeDeleting(
    _ target: EditTarget, _ handle: EntityHandle, in catalog: Catalog
  ) -> [Effect] {
    // The effects follow the label on the same line, so the label's length is limited.
    let label = catalog.label(of: handle, in: target.namespace)
    let isBare = label == target.entity.text
    let name = TextWidth.truncated(
      isBare ? "\(target.namespace) \(label)" : label, to: Self.maxNameLength)
    return askBeforeDeleting([target.entity], of: target.namespace, called: name, in: catalog)
  }

  private static let maxNameLength = 40

  /// Requests a preview of deleting all selected rows, after which the user is asked to confirm it.
  mutating func askBeforeDeletingMarked() -> [Effect] {
    if refuseToChange() { return [] }
    let marked = tab.results.table.map { table in
      markedEntities.map { table.catalog.store.id(of: $0) }
    }
    guard let table = tab.results.table, let marked, !marked.isEmpty, let catalog = known else {
      return notify(.noneSelected)
    }
    let namespace = table.answer.namespace
    return askBeforeDeleting(
      marked, of: namespace, called: "\(NumberText.grouped(marked.count)) selected \(namespace)",
      in: catalog)
  }

  private mutating func askBeforeDeleting(
    _ entities: [EntityID], of namespace: String, called name: String, in catalog: Catalog
  ) -> [Effect] {
    // Only a part of a large database or of a server's data is loaded here.
    let isPart = catalog.snapshot.served != nil
    let isServer = isPart && catalog.snapshot.served?.canGiveAll != true
    let preview = DeletionPreviewRequest(
      entities: entities, namespace: namespace, name: name, catalog: catalog,
      cascadingStore: isServer ? "the server" : isPart ? "the database" : nil)
    return isServer && !store.isServerSilent
      ? report(DeletionImpactQuery(preview, at: keyPlace)) : prepare(.deletion(preview))
  }

  /// Asks the user to confirm a deletion, and shows its effects.
  mutating func ask(_ deletion: DeletionPreview) {
    let undo = undo(of: deletion.cascade)
    open(
      MenuPane(
        "Delete \(deletion.request.name)? \(deletion.effects)",
        [
          MenuPane.Entry(key: "n", label: "keep \(deletion.request.pronoun)", actions: []),
          MenuPane.Entry(
            key: "d", otherKey: "y", label: "delete", detail: undo.detail,
            actions: [
              .delete(
                deletion, canBeUndone: undo.isPossible, isKnownWhole: !store.isServerSilent)
            ]),
        ]))
  }

  /// Returns how far the deletion can be undone, and whether it can be undone at all.
  ///
  /// In a database, the number of restored rows is limited, and tables WITHOUT ROWID and without a
  /// key are excluded.
  private func undo(of cascade: Cascade) -> (detail: String, isPossible: Bool) {
    guard store.rules.changeDetection != nil else {
      return (store.isServerSilent ? UndoLimitWords.offline : UndoLimitWords.whole, true)
    }
    if cascade.count > UndoLimits.maxRows {
      return (UndoLimitWords.tooManyRows(UndoLimits.maxRows), false)
    }
    if !cascade.withoutRowID.isEmpty {
      return (UndoLimitWords.withoutRowID(cascade.withoutRowID.sorted()), false)
    }
    if !cascade.withoutKey.isEmpty {
      return (UndoLimitWords.withoutKey(cascade.withoutKey.sorted()), false)
    }
    return (UndoLimitWords.upTo(UndoLimits.maxRows, except: tablesWithoutUndo), true)
  }

  /// The tables whose rows an undo does not restore if a deletion affects them; nil if there are none.
  ///
  /// In a complete snapshot, the preview finds the affected rows.
  private var tablesWithoutUndo: String? {
    guard let catalog, catalog.snapshot.served != nil else { return nil }
    let schema = catalog.schema
    if schema.attributes.contains(where: \.isWithoutRowID) { return UndoLimitWords.rowIDTable }
    let isLinkedWithoutKey = schema.attributes.contains { attribute in
      attribute.valueType == .ref && !attribute.keepsTarget
        && schema.identity(of: attribute.namespace)?.isPosition == true
    }
    return isLinkedWithoutKey ? UndoLimitWords.keylessTable : nil
  }
}

extension StoreSnapshot.Freshness {
  /// Whether the snapshot comes from a reachable server. It may lack queued changes.
  var isOfServer: Bool {
    switch self {
    case .live, .optimistic: true
    case .stale, .archived, .connecting, .offline: false
    }
  }
}
