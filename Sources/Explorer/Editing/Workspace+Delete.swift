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
    let label = catalog.distinctLabel(of: handle, in: target.namespace)
    let isBare = label == target.entity.text
    let name = TextWidth.truncated(
      isBare ? "\(target.namespace) \(label)" : label, to: Self.maxNameLength)
    return askBeforeDeleting([target.entity], of: target.namespace, called: name, in: catalog)
  }

  private static let maxNameLength = 40

  /// Requests a preview of deleting the selected rows of a namespace, or else of the answer, after
  /// which the user is asked to confirm it.
  mutating func askBeforeDeletingMarked(of namespace: String? = nil) -> [Effect] {
    if refuseToChange(namespace ?? shownNamespace) { return [] }
    guard let table = tab.results.table, let catalog = known else { return notify(.noneSelected) }
    let namespace = namespace ?? table.answer.namespace
    let own = table.catalog.store
    var marked = session.marks.living(of: namespace, in: table).map { own.id(of: $0) }
    let missing = store.isPartial ? session.marks.missing(of: namespace, in: own) : []
    let all = max(marked.count, session.marks.count(of: namespace, in: own))
    if !missing.isEmpty, !store.isServerSilent {
      marked += missing
      if catalog.snapshot.served?.canGiveAll == true {
        return loadMarked(marked, of: namespace, in: catalog)
      }
    }
    guard !marked.isEmpty else {
      return notify(
        all == 0 ? .noneSelected : store.isPartial ? .selectedNotLoaded(all) : .selectedGone(all))
    }
    return askBeforeDeletingMarked(marked, among: all, of: namespace, in: catalog)
  }

  /// Loads the selected rows of a database before the user is asked to confirm their deletion.
  private mutating func loadMarked(
    _ marked: [EntityID], of namespace: String, in catalog: Catalog
  ) -> [Effect] {
    do throws(QueryError) {
      let plan = catalog.plan(ofRows: marked, in: namespace)
      let loaded = try QueryEngine.answer(plan, in: catalog.store)
      notice = .working(Notice.previewingDeletion, rows: nil)
      return requests.begin(.complete(loaded), for: .backgroundWork, from: keyPlace)
    } catch {
      return notify(Notice(error.complaint))
    }
  }

  /// Asks the user to confirm the deletion of selected rows that were loaded for it.
  ///
  /// - Parameter place: The tab and the pane that had the focus when the deletion was requested.
  mutating func askBeforeDeleting(
    marked answer: Answer, in snapshot: StoreSnapshot, from place: KeyPlace?
  ) -> [Effect] {
    guard prompt == nil, keyPlace == place else { return notify(.deletionAbandoned) }
    let (namespace, marked) = (answer.namespace, answer.rows.map { answer.store.id(of: $0) })
    let all = max(marked.count, session.marks.count(of: namespace, in: answer.store))
    guard !marked.isEmpty else { return notify(.selectedGone(all)) }
    return askBeforeDeletingMarked(
      marked, among: all, of: namespace, in: Catalog(snapshot: snapshot))
  }

  /// Requests a preview of deleting selected rows, except those that are staged for deletion.
  ///
  /// - Parameter all: The number of selected rows, including those that are not loaded.
  private mutating func askBeforeDeletingMarked(
    _ marked: [EntityID], among all: Int, of namespace: String, in catalog: Catalog
  ) -> [Effect] {
    let staged = changes.state.deletions
    let entities = marked.filter { !staged.contains($0) }
    guard !entities.isEmpty else { return notify(.stagedForDeletion) }
    let name = Self.name(of: entities, among: all, in: namespace, of: catalog)
    return askBeforeDeleting(entities, of: namespace, called: name, in: catalog)
  }

  /// The namespace of the selected rows that a deletion concerns; nil if it concerns the row at the
  /// cursor.
  ///
  /// Selecting a row moves the cursor to the next one, which can be of another namespace.
  var namespaceOfMarks: String? {
    guard let table = tab.results.table, let row = tab.results.chosenRow else { return nil }
    let nested = table.blocks.filter { block in
      let marked = session.marks[block.link.target]
      return !marked.isEmpty
        && block.entities.contains { marked.contains(table.catalog.store.id(of: $0)) }
    }.map(\.link.target)
    return ([row.namespace, table.answer.namespace] + nested).uniqued.first {
      // The title also counts rows that are not loaded, or that another client deleted.
      !session.marks.living(of: $0, in: table).isEmpty || $0 == shownNamespace && markedCount > 0
    }
  }

  /// Returns the text that stands for selected rows in a question, such as "2 selected plants".
  ///
  /// - Parameter all: The number of selected rows, including those that are not loaded.
  private static func name(
    of entities: [EntityID], among all: Int, in namespace: String, of catalog: Catalog
  ) -> String {
    if all == 1 {
      let label = catalog.store.handle(of: entities[0]).map {
        TextWidth.truncated(catalog.distinctLabel(of: $0, in: namespace), to: maxNameLength)
      }
      return "1 selected row" + (label.map { " (\($0))" } ?? "")
    }
    let others = entities.count < all ? " of \(NumberText.grouped(all))" : ""
    return "\(NumberText.grouped(entities.count))\(others) selected \(namespace)"
  }

  private mutating func askBeforeDeleting(
    _ entities: [EntityID], of namespace: String, called name: String, in catalog: Catalog
  ) -> [Effect] {
    // Only a part of a large database or of a server's data is loaded here.
    let isPart = catalog.isServed
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
    guard let catalog, catalog.isServed else { return nil }
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
    case .loading, .stale, .archived, .connecting, .offline: false
    }
  }
}
