import ConformanceSupport
import DataSourcesTesting
import InstaQL
import Testing
import Triples
import TestSupport

struct FirstPageTests {
  private static let store: TripleStore = {
    var random = SeededGenerator(seed: 11)
    var world = NaiveWorld()
    world.attributes = [
      Attribute(id: AttributeID("id"), namespace: "stones", label: "id", constraints: .unique),
      Attribute(id: AttributeID("n"), namespace: "stones", label: "n").with {
        $0.checkedType = .number
      },
      Attribute(id: AttributeID("t"), namespace: "stones", label: "t").with {
        $0.checkedType = .string
      },
    ]
    for _ in 0..<12_000 {
      let id = random.uuid()
      world.insert(id, AttributeID("id"), .text(id), Int64.random(in: 0..<500, using: &random))
      world.insert(id, AttributeID("n"), .integer(Int64.random(in: 0..<40, using: &random)), 1)
      world.insert(
        id, AttributeID("t"), .text("stone \(random.next() % 97) \(random.next() % 7)"), 1)
    }
    return world.store()
  }()

  @Test(
    "a page filled by the first entities equals that of the whole order",
    arguments: [
      ("n", 20, false), ("n", 20, true), ("t", 20, true), ("", 20, false), ("", 3, true),
      ("", 400, false),
    ])
  func samePage(order: String, limit: Int, descending: Bool) throws {
    let conditions: [ConditionNode] = [
      .compare("t", .like, "%5%"), .compare("n", .less, 30), .compare("t", .like, "%96 6"),
      .any([.compare("n", .equal, 3), .compare("t", .like, "stone 1%")]),
      .not(.compare("t", .like, "%0%")), .compare("t", .equal, "nothing"),
    ]
    for condition in conditions {
      var plan = QueryPlan("stones", condition: condition).limit(limit)
      let path = order.isEmpty ? OrderKey.creation : AttributePath(order)
      if !order.isEmpty || descending {
        plan = plan.order(path, descending ? .descending : .ascending)
      }
      let answer = try QueryEngine.answer(plan, in: Self.store)
      let json = try JSONReader.value(of: try QueryEngine.json(QueryDocument(plan), in: Self.store))
      let rows = json.object?["data"]?.object?["stones"]?.list ?? []
      #expect(rows.map { $0.object?["id"]?.text } == answer.rows.map { Self.store.id(of: $0).text })
      let info = json.object?["pageInfo"]?.object?["stones"]?.object
      #expect(info?["hasNextPage"] == answer.pageInfo.map { .bool($0.hasNext) })
      #expect(info?["hasPreviousPage"] == false)
      #expect((info?["endCursor"] == .null) == answer.rows.isEmpty)
    }
  }
}
