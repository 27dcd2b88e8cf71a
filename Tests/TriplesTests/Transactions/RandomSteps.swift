import DataSourcesTesting
import Triples
import TestSupport

/// Random steps for the company's schema: valid ones, and some that violate each rule.
struct RandomSteps {
  var random: SeededGenerator

  private static let names = [
    "people.name", "people.email", "people.age", "people.nick", "people.born", "people.manager",
    "people.desk", "projects.title", "tasks.title", "tasks.project", "tasks.assignees",
    "tasks.next",
  ]

  mutating func transaction(of store: TripleStore) -> Transaction {
    Transaction((0...random.below(5)).flatMap { _ in steps(store) })
  }

  private mutating func steps(_ store: TripleStore) -> [TransactionStep] {
    let name = Self.names[random.below(Self.names.count)]
    let namespace = String(name.split(separator: ".")[0])
    let attribute = Company.attributeID(name)
    switch random.below(10) {
    case 0: return [.deleteEntity(entity(), namespace: namespace)]
    case 1: return [.retractTriple(.id(id()), attribute, value(name))]
    case 2:
      let nick = Company.attributeID("people.nick")
      return [.deepMergeTriple(entity(), nick, patch(), mode())]
    case 3, 4, 5: return [.addTriple(entity(), attribute, value(name), mode())]
    default:
      // An entity with all required values.
      let entity = EntityReference.id(id())
      var steps: [TransactionStep] = [
        .addTriple(entity, Company.attributeID("\(namespace).id"), entity.json),
        .addTriple(entity, attribute, value(name)),
      ]
      if namespace == "people" {
        steps.append(.addTriple(entity, Company.attributeID("people.name"), "Somebody"))
      }
      return steps
    }
  }

  private mutating func id() -> EntityID { Company.id(UInt64(random.below(14) + 1)) }

  private mutating func entity() -> EntityReference {
    random.below(6) == 0 ? Company.lookup(email()) : .id(id())
  }

  private mutating func mode() -> TransactionMode {
    [.upsert, .upsert, .upsert, .update, .create][random.below(5)]
  }

  private mutating func email() -> String { "p\(random.below(6))@x.io" }

  private mutating func patch() -> Value {
    [["a": 1], ["a": nil], ["b": ["c": 2]], ["b": ["c": nil, "d": [1]]], "text", nil][
      random.below(6)]
  }

  private mutating func value(_ name: String) -> Value {
    switch name {
    case "people.email": return random.below(8) == 0 ? .null : .text(email())
    case "people.age": return random.below(9) == 0 ? "old" : .integer(Int64(random.below(5)))
    case "people.born": return random.below(9) == 0 ? "soon" : "2024-02-29"
    case "people.name": return random.below(9) == 0 ? .null : .text(random.text())
    case "people.nick": return random.value(depth: 2)
    case "projects.title", "tasks.title": return .text(random.text())
    default:
      if random.below(8) == 0 { return [.text("attr:people.email"), .text(email())] }
      return .text(id().text)
    }
  }
}
