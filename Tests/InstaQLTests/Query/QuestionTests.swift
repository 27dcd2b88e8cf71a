import InstaQL
import Testing

@Suite("Queries for servers that support only InstaQL")
struct QuestionTests {
  @Test(
    "they contain the expressible parts and the data for the others",
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
      ("employees group level having max(office.city) = \"x\"", "employees with office"),
      ("employees with reports { order a, b limit 2 }", "employees with reports"),
      ("employees limit 5 with reports { count }", "employees with reports { fields () }"),
      (
        "employees with reports { filter a = 1 count }",
        "employees with reports { filter a = 1 fields () }"
      ),
      (
        "employees filter a = field(reports.b) with reports { count }", "employees with reports"
      ),
      (
        "employees filter together(reports.a = 1, reports.b = 2) and c = field(d)",
        "employees filter all(together(reports.a = 1, reports.b = 2))"
      ),
      (
        "employees filter together(reports.a = 1, reports.b = 2) order c, d",
        "employees filter together(reports.a = 1, reports.b = 2)"
      ),
      (
        "employees order name, level with reports { filter boss.name = \"x\" }",
        "employees with reports { filter boss.name = \"x\" }"
      ),
      (
        "employees order sum(reports.level) with reports { filter boss.name = \"x\" }",
        "employees with reports { with boss }"
      ),
    ])
  func questions(_ text: String, _ asked: String) throws {
    let plan = try QueryDocument(text: text).plans[0]
    #expect(plan.question.text == asked)
  }

  private static let id = "a0000000-0000-4000-8000-000000000001"

  @Test(
    "they contain the links whose targets are tested, grouped or counted locally",
    arguments: [
      (
        "cities filter country is null or population * 2 > 5", "cities with country { fields () }"
      ),
      (
        "cities filter country = \"\(id)\" or population * 2 > 5",
        "cities with country { fields () }"
      ),
      (
        "cities filter country is null or country.name = field(name)", "cities with country"
      ),
      (
        "cities filter country.name = field(name) or country is null", "cities with country"
      ),
      (
        "countries filter no cities (country is null)",
        "countries with cities { with country { fields () } }"
      ),
      (
        "countries order sum(cities.population) with cities { filter country is null }",
        "countries with cities { with country { fields () } }"
      ),
      ("cities filter name is null or population * 2 > 5", "cities"),
      ("cities group by country", "cities with country { fields () }"),
      ("cities aggregate count(distinct country)", "cities with country { fields () }"),
    ])
  func ends(_ text: String, _ asked: String) throws {
    let schema = SchemaTextTests.schema
    let plan = try QueryDocument(text: text, schema: schema).plans[0]
    #expect(plan.question(in: schema).text == asked)
  }

  @Test("every plan has one that is expressible in InstaQL")
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
