import InstaQL
import Triples

/// A question what would go if entities were deleted.
package struct DeletionOrder: Sendable, Equatable {
  let entities: [EntityID]
  let namespace: String
  /// What they are called, together.
  let name: String
  let catalog: Catalog
  /// Who may delete more with it than is known here; nil where all is known.
  let alsoBy: String?

  /// Why a database keeps them; nil when nothing that is known here says that it does.
  ///
  /// - Complexity: O(what goes, and what leads there).
  var refusal: Notice? {
    let store = catalog.store
    var going: Set<Place> = []
    for case let entity? in entities.map({ store.handle(of: $0) }) {
      for (entity, home) in store.cascade(from: entity, in: namespace) {
        going.insert(Place(entity: entity, namespace: home ?? namespace))
      }
    }
    var keepers: Set<Place> = []
    for attribute in catalog.schema.attributes where attribute.keepsTarget {
      let link = Link(attribute, .reverse)
      for place in going where place.namespace == attribute.reverse?.namespace {
        for source in store.targets(place.entity, link) {
          keepers.insert(Place(entity: source, namespace: attribute.namespace))
        }
      }
    }
    keepers.subtract(going)
    if keepers.isEmpty { return nil }
    let counts = Dictionary(grouping: keepers, by: \.namespace).sorted { $0.key < $1.key }
      .map { (namespace: $0.key, count: $0.value.count) }
    return .stillReferenced(name, by: counts)
  }

  private struct Place: Hashable {
    let entity: EntityHandle
    let namespace: String
  }

  /// Deletes them in a copy of the store, and counts.
  /// - Complexity: O(what goes).
  func foreseen() throws(TransactionError) -> ForeseenDeletion {
    let steps = entities.map { TransactionStep.deleteEntity(.id($0), namespace: namespace) }
    var copy = catalog.store
    let changes = try copy.transact(Transaction(steps))
    let gone = Cascade(changes, in: catalog)
    var cascade = gone.sentence
    if let alsoBy {
      cascade += ", and what \(alsoBy) deletes with \(entities.count == 1 ? "it" : "them")"
    }
    return ForeseenDeletion(
      steps: steps, name: name, isOne: entities.count == 1, count: gone.count,
      cascade: cascade, unkept: gone.unkept)
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
  /// The tables WITHOUT ROWID of which rows go, or lose a link: a database tells nothing of these, so that
  /// nothing brings them back.
  let unkept: [String]
}

/// What goes when an entity is deleted.
struct Cascade {
  private var entities: [String: Int] = [:]
  private var links = 0
  private var untold: Set<String> = []

  init(_ changes: ChangeSet, in catalog: Catalog) {
    for change in changes.changes where change.new == nil {
      guard let attribute = catalog.schema.attribute(change.attribute) else { continue }
      if attribute.isIdentity { entities[attribute.namespace, default: 0] += 1 }
      if attribute.valueType == .ref { links += 1 }
      let identity = catalog.schema.attribute(attribute.namespace, "id")
      if identity?.isOfUntoldRows == true { untold.insert(attribute.namespace) }
    }
  }

  /// The tables WITHOUT ROWID among those that lose something.
  var unkept: [String] { untold.sorted() }

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
