import InstaQL
import LiveQueries
import Triples

/// A small dataset of goals and their todos.
enum Goals {
  static let all = QueryDocument(QueryPlan("goals"))
  static let todos = QueryDocument(QueryPlan("todos"))
  static let withTodos = QueryDocument(QueryPlan("goals").with("todos"))

  static func id(_ number: Int) -> EntityID { EntityID(high: 1, low: UInt64(number)) }

  static func todoID(_ number: Int) -> EntityID { EntityID(high: 2, low: UInt64(number)) }

  private static func attribute(_ namespace: String, _ label: String) -> Attribute {
    Attribute(id: AttributeID("\(namespace).\(label)"), namespace: namespace, label: label).with {
      $0.isUnique = label == "id"
    }
  }

  static func store(goals: Int) throws -> TripleStore {
    var steps: [TransactionStep] = [
      attribute("goals", "id"), attribute("goals", "title"), attribute("goals", "rank"),
      attribute("todos", "id"), attribute("todos", "text"),
      Attribute(
        id: AttributeID("todos.goal"), namespace: "todos", label: "goal",
        reverse: Attribute.Name(namespace: "goals", label: "todos"), valueType: .ref),
    ].map { .addAttribute($0) }
    for number in 0..<goals { steps += goal(number).steps }
    var store = TripleStore()
    try store.transact(Transaction(steps), at: 1)
    return store
  }

  static func snapshot(goals: Int) throws -> StoreSnapshot {
    StoreSnapshot(try store(goals: goals))
  }

  /// A goal whose rank is its number.
  static func goal(_ number: Int) -> Transaction {
    let entity = EntityReference.id(id(number))
    return Transaction([
      .addTriple(entity, AttributeID("goals.id"), .text(id(number).text)),
      .addTriple(entity, AttributeID("goals.title"), .text("goal \(number)")),
      .addTriple(entity, AttributeID("goals.rank"), .integer(Int64(number))),
    ])
  }

  static func set(_ number: Int, _ label: String, _ value: Value) -> Transaction {
    Transaction([.addTriple(.id(id(number)), AttributeID("goals.\(label)"), value)])
  }

  static func todo(_ number: Int, of goal: Int) -> Transaction {
    let entity = EntityReference.id(todoID(number))
    return Transaction([
      .addTriple(entity, AttributeID("todos.id"), .text(todoID(number).text)),
      .addTriple(entity, AttributeID("todos.text"), .text("todo \(number)")),
      .addTriple(entity, AttributeID("todos.goal"), .text(id(goal).text)),
    ])
  }

  static func delete(_ number: Int) -> Transaction {
    Transaction([.deleteEntity(.id(id(number)), namespace: "goals")])
  }
}

extension LiveResult {
  var answer: LiveAnswer? {
    if case .loaded(let answer) = self { return answer }
    return nil
  }

  var failure: LiveFailure? {
    if case .failed(let failure) = self { return failure }
    return nil
  }

  /// The titles of the goals in a loaded result, in order.
  var titles: [String]? {
    guard let answer = answer?.answers.first else { return nil }
    return answer.rows.map {
      if case .text(let title)? = answer.value($0, "title") { title } else { "?" }
    }
  }
}
