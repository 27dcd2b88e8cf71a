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
    let name = TextWidth.truncated(
      catalog.label(of: handle, in: target.namespace), to: Self.longestNamed)
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
      notice = Notice(text: "Nothing is marked: space marks a row")
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
    let steps = entities.map { TransactionStep.deleteEntity(.id($0), namespace: namespace) }
    var copy = catalog.store
    let changes: ChangeSet
    do throws(TransactionError) {
      changes = try copy.transact(Transaction(steps))
    } catch {
      notice = Notice(text: error.message, isError: true)
      return []
    }
    let isOne = entities.count == 1
    let them = isOne ? "it" : "them"
    let gone = Cascade(changes, in: catalog)
    var cascade = gone.sentence
    if store.howLive != nil, catalog.snapshot.served != nil {
      // Of a large database only what is shown is known here.
      cascade += ", and what the database deletes with \(them)"
    }
    let back = wayBack(gone, "U brings \(them) back")
    open(
      MenuPane(
        "Delete \(name)? \(cascade)",
        [
          MenuPane.Entry(key: "n", label: "keep \(them)", wishes: []),
          MenuPane.Entry(
            key: "d", label: "delete", detail: back.detail,
            wishes: [.send(steps, "\(name) \(isOne ? "is" : "are") deleted" + back.end)]),
        ]))
    return []
  }

  /// How what goes can be brought back, said before and after; of a database of others not everything
  /// can.
  private func wayBack(_ gone: Cascade, _ words: String) -> (detail: String, end: String) {
    guard store.howLive != nil else { return (words, ": " + words) }
    let most = NumberText.grouped(UndoReach.mostRows)
    if gone.count > UndoReach.mostRows {
      return ("for ever: of more than \(most) rows none is kept", "")
    }
    return ("\(words), unless over \(most) rows go", ": " + words)
  }
}

/// What goes when an entity is deleted.
struct Cascade {
  private var entities: [String: Int] = [:]
  private var links = 0

  init(_ changes: ChangeSet, in catalog: Catalog) {
    for change in changes.changes where change.new == nil {
      guard let attribute = catalog.schema.attribute(change.attribute) else { continue }
      if attribute.isIdentity { entities[attribute.namespace, default: 0] += 1 }
      if attribute.valueType == .ref { links += 1 }
    }
  }

  /// How many go.
  var count: Int { entities.values.reduce(0, +) }

  /// `2 plants and 1 beds go, with 3 links.`
  var sentence: String {
    let counts = entities.sorted { $0.key < $1.key }
      .map { "\(NumberText.grouped($0.value)) of \($0.key)" }
    let with = links == 0 ? "" : ", with \(NumberText.grouped(links)) link\(links == 1 ? "" : "s")"
    return counts.joined(separator: ", ") + with
  }
}
