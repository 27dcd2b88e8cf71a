import InstaQL
import Triples

/// A question what would go if entities were deleted.
package struct DeletionOrder: Sendable, Equatable {
  let entities: [EntityID]
  let namespace: String
  /// What they are called, together.
  let name: String
  let catalog: Catalog
  /// Whether more may go than is known here.
  let isPart: Bool

  /// Deletes them in a copy of the store, and counts.
  /// - Complexity: O(what goes).
  func foreseen() throws(TransactionError) -> ForeseenDeletion {
    let steps = entities.map { TransactionStep.deleteEntity(.id($0), namespace: namespace) }
    var copy = catalog.store
    let changes = try copy.transact(Transaction(steps))
    let gone = Cascade(changes, in: catalog)
    var cascade = gone.sentence
    if isPart {
      cascade += ", and what the database deletes with \(entities.count == 1 ? "it" : "them")"
    }
    return ForeseenDeletion(
      steps: steps, name: name, isOne: entities.count == 1, count: gone.count,
      cascade: cascade)
  }
}

/// What would go, in words, and what makes it go.
package struct ForeseenDeletion: Sendable, Equatable {
  let steps: [TransactionStep]
  let name: String
  let isOne: Bool
  /// How many go, with what goes along.
  let count: Int
  let cascade: String
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
