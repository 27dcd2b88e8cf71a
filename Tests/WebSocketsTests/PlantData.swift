import DataSources
import LiveQueries
import Triples

/// A small dataset: beds with plants.
enum PlantData {
  static func attribute(_ number: Int) -> AttributeID {
    AttributeID("a7000000-0000-4000-8000-00000000000\(number)")
  }

  static func id(_ number: Int) -> EntityID {
    EntityID("5a000000-0000-4000-8000-0000000000\(number < 10 ? "0" : "")\(number)")
  }

  static let plantID = attribute(1)
  static let name = attribute(2)
  static let height = attribute(3)
  static let bed = attribute(4)
  static let bedID = attribute(5)
  static let bedName = attribute(6)

  static let attributes = [
    Attribute(id: plantID, namespace: "plants", label: "id", constraints: .unique),
    Attribute(id: name, namespace: "plants", label: "name", constraints: [.unique, .indexed]).with {
      $0.checkedType = .string
    },
    Attribute(id: height, namespace: "plants", label: "height", constraints: .indexed).with {
      $0.checkedType = .number
    },
    Attribute(
      id: bed, namespace: "plants", label: "bed",
      reverse: .init(id: "r1", namespace: "beds", label: "plants"), valueType: .ref),
    Attribute(id: bedID, namespace: "beds", label: "id", constraints: .unique),
    Attribute(id: bedName, namespace: "beds", label: "name"),
  ]

  /// The transaction that adds a plant to a store.
  static func plant(_ number: Int, _ name: String, height: Int, bed: Int? = nil)
    -> [TransactionStep]
  {
    let id = EntityReference.id(PlantData.id(number))
    var steps: [TransactionStep] = [
      .addTriple(id, plantID, .text(PlantData.id(number).text)),
      .addTriple(id, PlantData.name, .text(name)),
      .addTriple(id, PlantData.height, .integer(Int64(height))),
    ]
    if let bed { steps.append(.addTriple(id, PlantData.bed, .text(PlantData.id(bed).text))) }
    return steps
  }

  static func bed(_ number: Int, _ name: String) -> [TransactionStep] {
    let id = EntityReference.id(PlantData.id(number))
    return [
      .addTriple(id, bedID, .text(PlantData.id(number).text)), .addTriple(id, bedName, .text(name)),
    ]
  }

  static func grow(_ number: Int, to height: Int) -> Transaction {
    Transaction([
      .addTriple(.id(id(number)), PlantData.height, .integer(Int64(height)), .update)
    ])
  }

  /// Two beds, one with three plants.
  static func store() throws -> TripleStore {
    var store = TripleStore()
    try store.transact(Transaction(attributes.map(TransactionStep.addAttribute)), at: 1)
    try store.transact(
      Transaction(
        bed(50, "North") + bed(51, "South") + plant(1, "Aster", height: 30, bed: 50)
          + plant(2, "Borage", height: 60, bed: 50) + plant(3, "Chive", height: 20, bed: 51)),
      at: 2)
    return store
  }
}
