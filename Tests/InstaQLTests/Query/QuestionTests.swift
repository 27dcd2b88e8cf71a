import InstaQL
import Testing

@Suite("What is asked of somebody who understands InstaQL only")
struct QuestionTests {
  @Test(
    "all that InstaQL can say, and what the rest looks at",
    arguments: [
      ("employees filter level = 1 limit 3", "employees filter level = 1 limit 3"),
      ("employees order level, name limit 3", "employees"),
      ("employees order office.name", "employees with office"),
      ("employees filter level = 1 and a = field(b) offset 2", "employees filter level = 1"),
      (
        "employees filter no reports (boss.name = \"x\") with reports { filter a = 1 limit 2 }",
        "employees with reports { with boss }"
      ),
      ("employees group office.city aggregate sum(salary)", "employees with office"),
      ("employees with reports { order a, b limit 2 }", "employees with reports"),
    ])
  func questions(_ text: String, _ asked: String) throws {
    let plan = try QueryDocument(text: text).plans[0]
    #expect(plan.question.text == asked)
  }

  @Test("of any plan there is a question, which InstaQL can say")
  func random() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var queries = RandomQueries(seed: seed)
    for round in 0..<500 {
      let plan = queries.plan()
      #expect(throws: Never.self, "seed \(seed), round \(round)") {
        try plan.question.instaQL()
      }
    }
  }
}
