import ConformanceCases
import InstaQL
import Testing
import Triples

struct ExplanationTests {
  private static let store = BoatsFixture.store

  @Test("an explanation names the ways taken, what was expected and what was found")
  func lines() throws {
    let plan = try QueryPlan("boats").filter(.compare("crew.name", .equal, "Ida"))
      .filter(.compare("length", .greater, 5)).with("crew")
    let explanation = try QueryEngine.explain(plan, in: Self.store)
    let text = explanation.lines.joined(separator: "\n")
    #expect(text.contains("crew → name = \"Ida\""))
    #expect(text.contains("semi-join along boat, backwards") && text.contains("scan"))
    #expect(text.contains("expected"))
    #expect(text.contains("with crew"))
    #expect(
      explanation.lines.last?.hasPrefix("\(explanation.rows) of \(explanation.total) in") == true)
    #expect(explanation.total == (try QueryEngine.answer(plan, in: Self.store).total))
  }

  @Test("an explanation is a JSON object with the same numbers")
  func json() throws {
    let plan = QueryPlan("boats", condition: .compare("length", .greater, 5))
    let explanation = try QueryEngine.explain(plan, in: Self.store)
    let json = try #require(try JSONReader.value(of: explanation.json).object)
    #expect(json["namespace"] == "boats")
    #expect(json["total"] == .integer(Int64(explanation.total)))
    #expect(json["steps"]?.list?.count == explanation.steps.count)
    #expect(json["steps"]?.list?.first?.object?["found"] == .integer(Int64(explanation.total)))
  }

  @Test("steps of a plan that finds nothing still say what was asked")
  func nothing() throws {
    let plan = QueryPlan("nobody", condition: .compare("a", .equal, 1))
    #expect(try QueryEngine.explain(plan, in: Self.store).lines.first?.contains("nothing") == true)
  }
}
