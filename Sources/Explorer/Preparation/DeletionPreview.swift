import Triples

/// A request to preview the deletion of entities.
package struct DeletionPreviewRequest: Sendable, Equatable {
  let entities: [EntityID]
  let namespace: String
  /// The text that stands for the entities to delete, such as "2 selected plants".
  let name: String
  var catalog: Catalog
  /// The server or database that may delete rows unknown to the program; nil if all affected rows
  /// are known.
  var cascadingStore: String?

  /// The reason why the database rejects the deletion; nil if no known foreign key prevents it.
  ///
  /// - Complexity: O(deleted entities and their references).
  var refusal: Notice? {
    let store = catalog.store
    var going: Set<Place> = []
    for case let entity? in entities.map({ store.handle(of: $0) }) {
      for (entity, entityNamespace) in store.cascade(from: entity, in: namespace) {
        going.insert(Place(entity: entity, namespace: entityNamespace ?? namespace))
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

  var steps: [TransactionStep] {
    entities.map { .deleteEntity(.id($0), namespace: namespace) }
  }

  /// What a sentence calls the entities to delete.
  var pronoun: String { entities.count == 1 ? "it" : "them" }

  /// Returns the effects of the deletion, by deleting the entities in a copy of the store.
  ///
  /// - Complexity: O(deleted entities).
  func foreseen() throws(TransactionError) -> DeletionPreview {
    var copy = catalog.store
    let cascade = Cascade(try copy.transact(Transaction(steps)), in: catalog)
    return DeletionPreview(request: self, cascade: cascade)
  }
}

/// A deletion with its effects.
package struct DeletionPreview: Sendable, Equatable {
  let request: DeletionPreviewRequest
  let cascade: Cascade

  var effects: String {
    cascade.sentence
      + (request.cascadingStore.map { ", and rows that \($0) deletes with \(request.pronoun)" }
        ?? "")
  }
}

/// The numbers of entities and links that a deletion removes, including cascades.
struct Cascade: Sendable, Equatable {
  private var entities: [String: Int] = [:]
  private var links = 0
  /// The affected tables whose rows an undo does not restore: tables WITHOUT ROWID of SQLite, and
  /// tables without a key of PostgreSQL.
  private(set) var withoutRowID: Set<String> = []
  private(set) var withoutKey: Set<String> = []

  init(_ changes: ChangeSet, in catalog: Catalog) {
    for change in changes.changes where change.new == nil {
      guard let attribute = catalog.schema.attribute(change.attribute) else { continue }
      if attribute.isIdentity { entities[attribute.namespace, default: 0] += 1 }
      if attribute.valueType == .ref { links += 1 }
      let identity = catalog.schema.identity(of: attribute.namespace)
      if identity?.isWithoutRowID == true { withoutRowID.insert(attribute.namespace) }
      if identity?.isPosition == true { withoutKey.insert(attribute.namespace) }
    }
  }

  /// The number of deleted entities.
  var count: Int { entities.values.reduce(0, +) }

  /// The summary, for example `Removes 1 row from beds, 2 rows from plants, and 3 links`.
  var sentence: String {
    var parts = entities.sorted { $0.key < $1.key }.map { namespace, count in
      "\(NumberText.count(count, "row")) from \(namespace)"
    }
    if links > 0 { parts.append(NumberText.count(links, "link")) }
    let last = parts.popLast() ?? ""
    return "Removes " + (parts.isEmpty ? last : "\(parts.joined(separator: ", ")), and \(last)")
  }
}
