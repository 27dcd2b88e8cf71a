import DataSourcesTesting
import LiveQueries
import Triples
import TestSupport

/// A small dataset with every kind of attribute: trees with fruits, which are deleted with their
/// tree.
enum Orchard {
  static let schema = Schema([
    blob("trees", "id", isUnique: true), blob("trees", "name", isUnique: true, isIndexed: true),
    blob("trees", "age"), blob("fruits", "id", isUnique: true), blob("fruits", "colour"),
    link("fruits", "tree", .one, "trees", "fruits", onDelete: .cascade),
    link("trees", "neighbours", .many, "trees", "neighboursOf"),
  ])

  static func attribute(_ name: String) -> AttributeID { AttributeID("attr:\(name)") }

  static func id(_ number: Int) -> EntityID {
    let digits = String(number, radix: 16)
    return EntityID(
      "a0000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
  }

  static func blob(
    _ namespace: String, _ label: String, isUnique: Bool = false, isIndexed: Bool = false
  ) -> Attribute {
    Attribute(id: attribute("\(namespace).\(label)"), namespace: namespace, label: label).with {
      $0.isUnique = isUnique
      $0.isIndexed = isIndexed
    }
  }

  static func link(
    _ namespace: String, _ label: String, _ cardinality: Attribute.Cardinality, _ target: String,
    _ reverse: String, onDelete: Attribute.Deletion? = nil
  ) -> Attribute {
    Attribute(
      id: attribute("\(namespace).\(label)"), namespace: namespace, label: label,
      reverse: .init(namespace: target, label: reverse), valueType: .ref, cardinality: cardinality
    ).with { $0.onDelete = onDelete }
  }

  static func set(
    _ entity: EntityID, _ name: String, _ value: Value, _ mode: TransactionMode = .upsert
  ) -> TransactionStep { .addTriple(.id(entity), attribute(name), value, mode) }

  /// A tree with its id and name.
  static func tree(
    _ entity: EntityID, _ name: String, _ mode: TransactionMode = .upsert
  ) -> Transaction {
    Transaction([
      set(entity, "trees.id", .text(entity.text), mode),
      set(entity, "trees.name", .text(name), mode),
    ])
  }
}

/// Random changes of the orchard.
struct RandomOrchard {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  mutating func transaction() -> Transaction {
    Transaction((0...below(3)).flatMap { _ in steps() })
  }

  private mutating func steps() -> [TransactionStep] {
    let entity = Orchard.id(below(9))
    let other = Orchard.id(below(9))
    switch below(9) {
    case 0: return [.deleteEntity(.id(entity), namespace: below(2) == 0 ? "trees" : "fruits")]
    case 1:
      return [
        .retractTriple(.id(entity), Orchard.attribute("trees.neighbours"), .text(other.text))
      ]
    case 2: return [Orchard.set(entity, "trees.neighbours", .text(other.text))]
    case 3: return [Orchard.set(entity, "fruits.tree", .text(other.text))]
    case 4:
      return [
        .deepMergeTriple(.id(entity), Orchard.attribute("trees.age"), ["years": .integer(3)])
      ]
    case 5:
      let name = Value.text("tree \(below(5))")
      return [
        .addTriple(
          .lookup(Orchard.attribute("trees.name"), name), Orchard.attribute("trees.age"), 7)
      ]
    case 6:
      return [
        Orchard.set(entity, "fruits.id", .text(entity.text)),
        Orchard.set(entity, "fruits.colour", .text("colour \(below(4))")),
      ]
    default:
      return Orchard.tree(entity, "tree \(below(12))", below(4) == 0 ? .create : .upsert).steps
    }
  }
}

extension TripleStore {
  /// The complete store as a server would send it.
  func served(of attributes: Schema) -> [ServedRows.Row] {
    attributes.attributes.flatMap { attribute in
      rows(attribute.id, .stored).handles.flatMap { entity in
        zip(values(entity, attribute.id), createdTimes(entity, attribute.id)).map {
          ServedRows.Row(id(of: entity), attribute.id, $0, createdAt: $1)
        }
      }
    }
  }

  /// All facts with their ages, as sorted lines.
  var lines: [String] {
    served(of: schema).map {
      "\($0.entity) \($0.attribute) \(JSONWriter.text($0.value)) \($0.createdAt)"
    }.sorted()
  }
}
