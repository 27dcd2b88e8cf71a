import ConformanceSupport
import InstaQL
import Testing
import Triples

/// The rules of evaluation, on the harbour data. `@name` in a query stands for an id.
struct AnswerTests {
  private static let store = BoatsFixture.store

  private func ask(
    _ namespace: String, _ options: String, _ rules: QueryOptions = .standard
  ) throws -> [String] {
    var text = "{\"\(namespace)\":{\"$\":\(options)}}"
    for name in ["ida", "Bo", "cem", "Éva", "dan", "swan", "tern", "gull", "wreck", "oslo", "riga"]
    {
      text = text.split(separator: "@\(name)", omittingEmptySubsequences: false)
        .joined(separator: BoatsFixture.id(name))
    }
    let document = try QueryDocument(json: text)
    let answer = try QueryEngine.answer(document.plans[0], in: Self.store, options: rules)
    return BoatsFixture.names(answer.rows.map { Self.store.id(of: $0).text })
  }

  @Test(
    "conditions on an entity's own values",
    arguments: [
      (#"{}"#, "ida Bo cem Éva dan"),
      (#"{"name":"Ida"}"#, "ida"), (#"{"name":"ida"}"#, ""), (#"{"age":"30"}"#, ""),
      (#"{"age":25}"#, "Bo dan"), (#"{"age":25.0}"#, "Bo dan"), (#"{"able":false}"#, "Bo"),
      (#"{"able":0}"#, ""), (#"{"id":"@Bo"}"#, "Bo"), (#"{"nope":1}"#, ""),
      (#"{"note":"x"}"#, ""), (#"{"age":{"$isNull":true}}"#, "cem Éva"),
      (#"{"age":{"$isNull":false}}"#, "ida Bo dan"), (#"{"note":{"$isNull":true}}"#, "Bo"),
      (#"{"age":{"$ne":30}}"#, "Bo cem Éva dan"), (#"{"note":{"$ne":"a_1"}}"#, "Bo cem Éva dan"),
      (#"{"age":{"$in":[30,"25"]}}"#, "ida"), (#"{"age":{"$in":[]}}"#, ""),
      (#"{"note":{"$in":[null,"a_1"]}}"#, "ida Bo"),
      (#"{"$entityIdStartsWith":"00000001"}"#, "ida Bo cem Éva dan"),
      (#"{"$entityIdStartsWith":"00000002"}"#, ""),
    ])
  func values(filter: String, wanted: String) throws {
    #expect(try ask("people", "{\"where\":\(filter)}").joined(separator: " ") == wanted)
  }

  @Test(
    "comparisons are by number, code unit or instant; null and missing have no order",
    arguments: [
      (#"{"age":{"$gt":25}}"#, "ida"), (#"{"age":{"$gte":25}}"#, "ida Bo dan"),
      (#"{"age":{"$lt":-9223372036854775808.0}}"#, ""),
      (#"{"age":{"$gt":9223372036854775807}}"#, ""),
      (
        #"{"and":[{"age":{"$gte":-9223372036854775808.0}},{"age":{"$lt":9223372036854775808.0}}]}"#,
        "ida Bo dan"
      ),
      (#"{"age":{"$lt":30}}"#, "Bo dan"), (#"{"name":{"$gt":"Cz"}}"#, "Bo Éva dan ida"),
      (#"{"able":{"$gt":false}}"#, "ida"), (#"{"note":{"$gt":29}}"#, ""),
      (#"{"note":{"$gt":"29"}}"#, "ida dan"), (#"{"age":{"$gt":"29"}}"#, ""),
      (#"{"able":{"$gte":0}}"#, ""), (#"{"able":{"$lte":true}}"#, "ida Bo"),
      (#"{"joined":{"$gt":"2025-01-10"}}"#, "Éva"),
      (#"{"joined":{"$gte":"2025-01-10"}}"#, "ida Bo cem Éva"),
      (#"{"joined":{"$lt":"2025-02-01"}}"#, "ida Bo cem"),
      (#"{"joined":"2025-01-10"}"#, "ida Bo cem"), (#"{"joined":{"$ne":"1/10/2025"}}"#, "Éva dan"),
      (#"{"joined":{"$gt":"soon"}}"#, ""), (#"{"joined":{"$in":[1736467200000]}}"#, "ida Bo cem"),
    ])
  func comparisons(filter: String, wanted: String) throws {
    let found = try ask("people", "{\"where\":\(filter)}")
    #expect(Set(found) == Set(wanted.split(separator: " ").map(String.init)))
  }

  @Test(
    "patterns are anchored, and a backslash escapes the next character",
    arguments: [
      (#"{"name":{"$like":"%a%"}}"#, "ida Éva dan"), (#"{"name":{"$like":"a"}}"#, ""),
      (#"{"name":{"$ilike":"É%"}}"#, "Éva"), (#"{"name":{"$ilike":"éVA"}}"#, "Éva"),
      (#"{"name":{"$like":"_o"}}"#, "Bo"), (#"{"name":{"$like":"_va"}}"#, "Éva"),
      (#"{"note":{"$like":"100\\%"}}"#, "cem"), (#"{"note":{"$like":"a\\_1"}}"#, "ida"),
      (#"{"age":{"$like":"3%"}}"#, ""), (#"{"note":{"$like":"3%"}}"#, "dan"),
    ])
  func patterns(filter: String, wanted: String) throws {
    #expect(try ask("people", "{\"where\":\(filter)}").joined(separator: " ") == wanted)
  }

  @Test(
    "paths match if any entity at their end does; missing ones are different and null",
    arguments: [
      (#"{"boat.title":"Swan"}"#, "ida Bo"), (#"{"boat.title":{"$ne":"Swan"}}"#, "cem Éva dan"),
      (#"{"boat":"@swan"}"#, "ida Bo"), (#"{"boat.id":"@swan"}"#, "ida Bo"),
      (#"{"boat.title":"Wreck"}"#, "dan"), (#"{"boat.id":"@wreck"}"#, ""),
      (#"{"boat":"@wreck"}"#, "dan"), (#"{"boat.length":{"$isNull":true}}"#, "Éva"),
      (#"{"mates":"@Bo"}"#, "ida"), (#"{"mates":{"$in":["@Bo","@Éva"]}}"#, "ida Bo"),
      (#"{"mates":{"$ne":"@Bo"}}"#, "ida Bo cem Éva dan"),
      (#"{"mate":{"$isNull":true}}"#, "ida dan"), (#"{"mates":{"$isNull":true}}"#, "cem Éva dan"),
      (#"{"mate.mate":{"$isNull":true}}"#, "ida Bo cem dan"),
      (#"{"mate.age":{"$isNull":false}}"#, "Bo cem Éva"), (#"{"boat.ports.code":7}"#, "ida Bo cem"),
      (#"{"boat.ports.code":{"$ne":7}}"#, "ida Bo Éva"), (#"{"boat.nope":1}"#, ""),
      (#"{"commands.length":{"$gt":6}}"#, "ida"),
    ])
  func paths(filter: String, wanted: String) throws {
    #expect(try ask("people", "{\"where\":\(filter)}").joined(separator: " ") == wanted)
  }

  @Test(
    "paths of one object share entities; elements of lists are independent",
    arguments: [
      (#"{"crew.name":"Ida","crew.age":25}"#, ""), (#"{"crew.name":"bo","crew.age":25}"#, "swan"),
      (#"{"and":[{"crew.name":"Ida"},{"crew.age":25}]}"#, "swan"),
      (#"{"and":[{"crew.name":"Ida","crew.age":25}]}"#, "swan"),
      (#"{"captain.name":"Ida","crew.name":"bo"}"#, ""),
      (#"{"captain.name":"bo","crew.name":"bo"}"#, ""),
      (#"{"captain.name":"Ida","crew.name":"Ida"}"#, "swan"),
      (#"{"captain.age":{"$gte":30},"crew.name":{"$ne":"Ida"}}"#, "swan"),
      (#"{"or":[{"title":"gull"},{"length":6}]}"#, "gull tern"),
      (#"{"or":[]}"#, ""), (#"{"and":[]}"#, "gull tern swan"),
      (#"{"or":[{"length":9},{"nope":1}]}"#, ""),
      (#"{"or":[{"length":9},{"crew.name":"Cem"}],"title":{"$like":"T%"}}"#, "tern"),
    ])
  func sharing(filter: String, wanted: String) throws {
    #expect(try ask("boats", "{\"where\":\(filter)}").joined(separator: " ") == wanted)
  }

  @Test(
    "with reference rules null is 0, dates are compared as written, and objects share",
    arguments: [
      ("people", #"{"age":{"$lt":30}}"#, "Bo Éva dan"),
      ("people", #"{"able":{"$gte":false}}"#, "ida Bo cem"),
      ("people", #"{"joined":"2025-01-10"}"#, "ida"),
      ("people", #"{"joined":{"$gte":"2025-01-10"}}"#, "ida Bo cem Éva"),
      ("people", #"{"note":{"$gte":"x"}}"#, "Éva"), ("people", #"{"note":{"$like":"100\\%"}}"#, ""),
      ("people", #"{"mates":{"$in":["@Bo"]}}"#, ""),
      ("people", #"{"mates":{"$ne":"@Bo"}}"#, "cem Éva dan"),
      ("people", #"{"boat.title":{"$ne":"Swan"}}"#, "cem Éva dan"),
      ("people", #"{"id":{"$in":["@Bo","@dan"]}}"#, "Bo dan"),
      ("people", #"{"boat":"@wreck"}"#, "dan"),
      ("boats", #"{"and":[{"crew.name":"Ida","crew.age":25}]}"#, ""),
      ("boats", #"{"captain.age":{"$gte":30},"crew.name":{"$ne":"Ida"}}"#, ""),
      ("boats", #"{"captain.age":{"$gte":25},"crew.name":{"$ne":"Ida"}}"#, ""),
      ("boats", #"{"captain.age":{"$isNull":false},"ports.code":{"$ne":7}}"#, "swan"),
    ])
  func referenceRules(namespace: String, filter: String, wanted: String) throws {
    let rules = QueryOptions(rules: .reference(dateObjects: false))
    #expect(
      try ask(namespace, "{\"where\":\(filter)}", rules).joined(separator: " ") == wanted)
  }

  @Test(
    "the order is null and missing first, texts by collation, ties by id",
    arguments: [
      (#"{"name":"asc"}"#, "Bo cem dan Éva ida"), (#"{"name":"desc"}"#, "ida Éva dan cem Bo"),
      (#"{"age":"asc"}"#, "cem Éva Bo dan ida"), (#"{"age":"desc"}"#, "ida dan Bo Éva cem"),
      (#"{"joined":"asc"}"#, "dan ida Bo cem Éva"), (#"{"able":"asc"}"#, "cem Éva dan Bo ida"),
      (#"{"serverCreatedAt":"desc"}"#, "dan Éva cem Bo ida"),
      (#"{"nope":"desc"}"#, "dan Éva cem Bo ida"), (#"{"id":"desc"}"#, "dan Éva cem Bo ida"),
    ])
  func order(order: String, wanted: String) throws {
    #expect(try ask("people", "{\"order\":\(order)}").joined(separator: " ") == wanted)
  }

  @Test("several keys, also at the ends of links")
  func severalKeys() throws {
    func names(_ plan: QueryPlan) throws -> String {
      let rows = try QueryEngine.answer(plan, in: Self.store).rows
      return BoatsFixture.names(rows.map { Self.store.id(of: $0).text }).joined(separator: " ")
    }
    let people = QueryPlan("people")
    #expect(try names(people.order("age", .descending).order("name")) == "ida Bo dan cem Éva")
    #expect(
      try names(people.order("boat.length", .descending).order("name")) == "Bo ida cem dan Éva")
    #expect(try names(QueryPlan("boats").order("crew.age")) == "tern gull swan")
  }

  @Test(
    "a page is cut from the whole order, with flags for more",
    arguments: [
      (#"{"limit":2}"#, "ida Bo", true, false), (#"{"limit":2,"offset":1}"#, "Bo cem", true, true),
      (#"{"last":2}"#, "Éva dan", false, true),
      (#"{"last":2,"offset":1}"#, "cem Éva", true, true),
      (#"{"last":9,"offset":3}"#, "ida Bo", true, false),
      (#"{"last":2,"offset":5}"#, "", false, true),
      (#"{"limit":9}"#, "ida Bo cem Éva dan", false, false),
      (#"{"offset":9}"#, "", false, true),
      (#"{"order":{"age":"asc"},"first":1}"#, "cem", true, false),
      (#"{"first":2,"after":["@Bo","people.id","@Bo",2]}"#, "cem Éva", true, true),
      (
        #"{"first":2,"after":["@Bo","people.id","@Bo",2],"afterInclusive":true}"#, "Bo cem", true,
        true
      ),
      (#"{"last":2,"before":["@dan","people.id","@dan",4]}"#, "cem Éva", true, true),
      (#"{"last":9,"before":["@cem","people.id","@cem",3]}"#, "ida Bo", true, false),
      (
        #"{"order":{"age":"desc"},"first":2,"after":["@Bo","people.age",25,2]}"#, "Éva cem", false,
        true
      ),
      (
        #"{"order":{"age":"asc"},"first":2,"after":["@cem","people.age",null,3]}"#, "Éva Bo", true,
        true
      ),
    ])
  func pages(options: String, wanted: String, hasNext: Bool, hasPrevious: Bool) throws {
    #expect(try ask("people", options).joined(separator: " ") == wanted)
    var text = "{\"people\":{\"$\":\(options)}}"
    for name in ["ida", "Bo", "cem", "Éva", "dan"] {
      text = text.split(separator: "@\(name)", omittingEmptySubsequences: false)
        .joined(separator: BoatsFixture.id(name))
    }
    let plan = try QueryDocument(json: text).plans[0]
    let info = try #require(try QueryEngine.answer(plan, in: Self.store).pageInfo)
    #expect(info.hasNext == hasNext)
    #expect(info.hasPrevious == hasPrevious)
  }

  @Test("a cursor of another order is rejected")
  func foreignCursor() {
    let id = BoatsFixture.id("Bo")
    let cursor = Cursor(
      entity: EntityID(id), attribute: AttributeID("people.id"), value: .text(id), createdAt: 2)
    #expect(throws: QueryError.self) {
      try QueryEngine.answer(
        QueryPlan("people").order("age").page(first: 2, after: cursor), in: Self.store)
    }
  }

  @Test(
    "whole answers as JSON",
    arguments: [
      (
        #"{"ports":{"$":{"fields":["code"]}}}"#,
        #"{"ports":[{"code":"OSL","id":"@oslo"},{"code":7,"id":"@riga"}]}"#
      ),
      (
        #"{"ports":{"$":{"fields":[]},"boats":{"$":{"fields":["title"],"where":{"length":9}}}}}"#,
        #"{"ports":[{"id":"@oslo","boats":[{"title":"Swan","id":"@swan"}]},{"id":"@riga","boats":[{"title":"Swan","id":"@swan"}]}]}"#
      ),
      (
        #"{"boats":{"$":{"fields":["title"]},"ports":{"$":{"fields":["code"],"limit":1}}}}"#,
        #"{"boats":[{"title":"gull","id":"@gull","ports":[]},{"title":"Tern","id":"@tern","ports":[{"code":7,"id":"@riga"}]},{"title":"Swan","id":"@swan","ports":[{"code":"OSL","id":"@oslo"}]}]}"#
      ),
      (
        #"{"boats":{"$":{"where":{"length":6}},"zzz":{}}}"#,
        #"{"boats":[{"id":"@tern","title":"Tern","length":6,"zzz":[]}]}"#
      ),
      (#"{"people":{"$":{"where":{"name":"dan"},"fields":["age"]},"boat":{}}}"#, #"{"people":[]}"#),
      (
        #"{"people":{"$":{"where":{"name":"Dan"},"fields":["age"]},"boat":{}}}"#,
        #"{"people":[{"age":25.0,"id":"@dan","boat":[]}]}"#
      ),
      (#"{"nobody":{}}"#, #"{"nobody":[]}"#),
    ])
  func json(query: String, wanted: String) throws {
    var wanted = wanted
    for name in ["oslo", "riga", "swan", "tern", "gull", "dan"] {
      wanted = wanted.split(separator: "@\(name)", omittingEmptySubsequences: false)
        .joined(separator: BoatsFixture.id(name))
    }
    let json = try QueryEngine.json(QueryDocument(json: query), in: Self.store)
    #expect(json == "{\"data\":\(wanted)}")
  }

  @Test("with inferred cardinality a single-valued link is an object or missing")
  func cardinality() throws {
    let plan = QueryPlan("boats").fields([]).order("title").with("captain") { $0.fields(["name"]) }
      .with("crew") { $0.fields([]) }
    let json = try QueryEngine.json(
      QueryDocument(plan), in: Self.store, options: QueryOptions(infersCardinality: true))
    let rows = try #require(
      try JSONReader.value(of: json).object?["data"]?.object?["boats"]?.list?.compactMap(\.object))
    #expect(rows.map { $0["captain"]?.object?["name"] } == [nil, "Ida", "bo"])
    #expect(rows.map { $0["crew"]?.list?.count } == [0, 2, 1])
  }

  @Test("a count is separate from the data and reads no rows")
  func counting() throws {
    let plan = QueryPlan("people", condition: .compare("age", .equal, 25)).count()
    #expect(
      try QueryEngine.json(QueryDocument(plan), in: Self.store)
        == #"{"data":{},"aggregate":{"people":{"count":2}}}"#)
    let answer = try QueryEngine.answer(plan, in: Self.store)
    #expect(answer.count == 2)
    #expect(answer.rows.isEmpty)
  }

  @Test("relations are evaluated on access, and only those of the plan")
  func related() throws {
    let plan = QueryPlan("boats", condition: .compare("title", .equal, "Swan"))
      .with("crew") { $0.order("name").limit(1) }
    let answer = try QueryEngine.answer(plan, in: Self.store)
    let swan = try #require(answer.rows.first)
    let crew = try answer.related("crew", of: swan)
    #expect(crew.rows.map { crew.value($0, "name") } == ["bo"])
    #expect(crew.total == 2)
    #expect(throws: QueryError.noRelation(label: "ports", namespace: "boats")) {
      try answer.related("ports", of: swan)
    }
  }

  @Test("an attribute in place of a link is an error with its name")
  func notALink() {
    for plan in [
      QueryPlan("people").with("name"),
      QueryPlan("people", condition: .isNull("name.x", true)).with("name"),
    ] {
      #expect(throws: QueryError.notALink(label: "name", namespace: "people")) {
        try QueryEngine.answer(plan, in: Self.store)
      }
    }
  }

  @Test("a plan depends on the attributes it reads and on memberships")
  func dependencies() throws {
    let plan = QueryPlan("boats", condition: .compare("crew.age", .equal, 25)).fields(["title"])
      .order("captain.name").with("ports") { $0.fields([]) }
    let prepared = try QueryEngine.prepare(plan, Self.store.schema)
    #expect(
      Set(prepared.attributes.map(\.text)) == [
        "boats.id", "boats.title", "people.boat", "people.age", "boats.captain", "people.name",
        "boats.ports", "ports.id",
      ])
  }

  @Test("a server's counts and pages take precedence over local data")
  func served() throws {
    let page = ServedAnswer.Page(start: nil, end: nil, hasNext: true, hasPrevious: false)
    let options = QueryOptions.standard.serving(
      ServedAnswer(pages: ["people": page], counts: ["people": 900]))
    var plan = QueryPlan("people")
    plan.isCount = true
    #expect(try QueryEngine.answer(plan, in: Self.store, options: options).count == 900)
    #expect(try QueryEngine.answer(plan, in: Self.store).count == 5)
    plan.isCount = false
    plan.page.limit = 100
    let answer = try QueryEngine.answer(plan, in: Self.store, options: options)
    #expect(answer.rows.count == 5 && answer.pageInfo?.hasNext == true)
  }

  @Test("a server's last page ends with the order, also if linked rows before it match")
  func servedLast() throws {
    let plan = QueryPlan("people").page(last: 2)
    let whole = try QueryEngine.answer(plan, in: Self.store)
    let start = try #require(whole.pageInfo?.start)
    let page = ServedAnswer.Page(
      start: ServedAnswer.Edge(
        entity: start.entity, attribute: start.attribute, value: start.value,
        createdAt: start.createdAt), end: nil, hasNext: false, hasPrevious: true)
    let options = QueryOptions.standard.serving(ServedAnswer(pages: ["people": page]))
    let answer = try QueryEngine.answer(plan, in: Self.store, options: options)
    #expect(answer.rows.count == 2 && answer.rows == whole.rows)
  }
}
