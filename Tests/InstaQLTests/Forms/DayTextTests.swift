@testable import InstaQL
import Testing
import Triples

@Suite("Days relative to today, and searches")
struct DayTextTests {
  private static let schema = Schema([
    .of("todos", "id"), .of("todos", "title", .string), .of("todos", "due", .date),
    .of("todos", "note"),
  ])

  /// Parses the condition of a text on Monday, 2024-03-11 at 10:30 in UTC, or on another day.
  private static func condition(
    _ text: String, on day: CalendarDay = CalendarDay(year: 2024, month: 3, day: 11)
  ) throws -> ConditionNode {
    var parser = try TextParser(
      PredicateText(typed: text), schema: schema, namespace: "todos",
      time: QueryTime(today: day, minute: 1_710_153_000_000))
    let condition = try parser.predicate()
    #expect(parser.token.kind == .end)
    return condition
  }

  private static func within(_ first: String, _ end: String) -> ConditionNode {
    .all([
      .compare("due", .greaterOrEqual, .text(first)), .compare("due", .less, .text(end)),
    ])
  }

  @Test("a day includes all of its hours")
  func days() throws {
    #expect(try Self.condition("due = today") == Self.within("2024-03-11", "2024-03-12"))
    #expect(try Self.condition("due != yesterday") == .not(Self.within("2024-03-10", "2024-03-11")))
    #expect(try Self.condition("due < today") == .compare("due", .less, "2024-03-11"))
    #expect(try Self.condition("due <= today") == .compare("due", .less, "2024-03-12"))
    #expect(try Self.condition("due > today") == .compare("due", .greaterOrEqual, "2024-03-12"))
    #expect(
      try Self.condition("due >= tomorrow") == .compare("due", .greaterOrEqual, "2024-03-12"))
    #expect(try Self.condition("due in (today)") == Self.within("2024-03-11", "2024-03-12"))
    #expect(
      try Self.condition("due in (today, 2024-01-31)")
        == .any([Self.within("2024-03-11", "2024-03-12"), .isIn("due", ["2024-01-31"])]))
    #expect(
      try Self.condition("due between yesterday and today")
        == Self.within("2024-03-10", "2024-03-12"))
  }

  @Test("a time includes its minute")
  func times() throws {
    #expect(
      try Self.condition("due < now") == .compare("due", .less, "2024-03-11T10:30:00.000Z"))
    #expect(
      try Self.condition("due <= now") == .compare("due", .less, "2024-03-11T10:31:00.000Z"))
    #expect(
      try Self.condition("due > 2 hours ago")
        == .compare("due", .greaterOrEqual, "2024-03-11T08:31:00.000Z"))
    #expect(
      try Self.condition("due >= 630 minutes ago")
        == .compare("due", .greaterOrEqual, "2024-03-11"))
    #expect(
      try Self.condition("due = 90 minutes from now")
        == Self.within("2024-03-11T12:00:00.000Z", "2024-03-11T12:01:00.000Z"))
  }

  @Test("days and times are dates in functions of dates")
  func functions() throws {
    let age = try Self.condition("year(today) - year(due) > 5")
    let year = ValueExpression.call(.year, [.constant("2024-03-11")])
    #expect(
      age
        == .compare(
          AttributePath(computing: .arithmetic(year, .minus, .call(.year, [.path("due")]))),
          .greater, 5))
    #expect(age.text == #"year("2024-03-11") - year(due) > 5"#)
    #expect(try Self.condition(age.text) == age)
    #expect(
      try Self.condition("month(2 weeks ago) = month(2024-02-26)")
        == .compareFields(
          AttributePath(computing: .call(.month, [.constant("2024-02-26")])), .equal,
          AttributePath(computing: .call(.month, [.constant("2024-02-26")]))))
    #expect(
      try Self.condition("coalesce(due, now) > 2024-01-01")
        == .compare(
          AttributePath(
            computing: .call(
              .coalesce, [.path("due"), .constant("2024-03-11T10:30:00.000Z")])),
          .greater, "2024-01-01"))
    #expect(throws: QueryError.self) { try Self.condition(#"year("soon") = 5"#) }
  }

  @Test(
    "ranges before, after and around today",
    arguments: [
      ("last 7 days", "2024-03-04", "2024-03-12"), ("last day", "2024-03-10", "2024-03-12"),
      ("next 2 weeks", "2024-03-11", "2024-03-26"), ("last month", "2024-02-11", "2024-03-12"),
      ("last 12 months", "2023-03-11", "2024-03-12"), ("next year", "2024-03-11", "2025-03-12"),
      ("this week", "2024-03-11", "2024-03-18"), ("this month", "2024-03-01", "2024-04-01"),
      ("this year", "2024-01-01", "2025-01-01"), ("this day", "2024-03-11", "2024-03-12"),
      ("this quarter", "2024-01-01", "2024-04-01"),
      ("last 2 hours", "2024-03-11T08:30:00.000Z", "2024-03-11T10:31:00.000Z"),
      ("next 15 minutes", "2024-03-11T10:30:00.000Z", "2024-03-11T10:46:00.000Z"),
      ("last hour", "2024-03-11T09:30:00.000Z", "2024-03-11T10:31:00.000Z"),
    ])
  func spans(_ words: String, _ first: String, _ end: String) throws {
    #expect(try Self.condition("due in \(words)") == Self.within(first, end))
    #expect(try Self.condition("due not in \(words)") == .not(Self.within(first, end)))
  }

  @Test(
    "typed days are written as they were typed",
    arguments: [
      "todos filter due < today", #"todos filter due in last 7 days and title = "a" order due"#,
      "todos filter not due in this week or due not in next 2 months",
      "todos filter not due in (today, 3 days ago)",
      "todos filter due between yesterday and 2 weeks from now limit 3",
      "todos filter due < now or due in last 2 hours or not due in (30 minutes ago, today)",
      "todos filter year(today) - year(due) > 5 and due > 1 hour from now",
    ])
  func typed(_ text: String) throws {
    try QueryTime.$fixed.withValue(.now()) {
      var words = TypedWords()
      let document = try QueryDocument(text: text, schema: Self.schema)
      #expect(words.text(of: document) == document.text)
      words.add(text, schema: Self.schema)
      #expect(words.text(of: document) == text)
    }
  }

  @Test("a typed range of days is found among other conditions")
  func typedAmongOthers() throws {
    var words = TypedWords()
    words.add("due in -- soon\n next week", scope: "todos", schema: Self.schema)
    let soon = try ConditionNode(parsing: "due in next week", of: "todos", schema: Self.schema)
    let plan = QueryPlan("todos").filter(soon).filter(.isNull("note", false))
    #expect(
      words.text(of: QueryDocument(plan))
        == "todos filter due in /* soon */  next week and note is not null")
  }

  @Test(
    "a search is written as it was typed",
    arguments: [
      #"todos search "run" order due"#, #"todos search 'run' and due < today"#,
      #"todos filter due is null and not search "run""#,
    ])
  func search(_ text: String) throws {
    let schema = Schema([
      .of("todos", "id"), .of("todos", "title", .string), .of("todos", "text", .string),
      .of("todos", "due", .date),
    ])
    var words = TypedWords()
    let document = try QueryDocument(text: text, schema: schema)
    #expect(words.text(of: document).contains(#"title ilike "%run%" or text ilike "%run%""#))
    words.add(text, schema: schema)
    #expect(words.text(of: document) == text)
    #expect(try QueryDocument(text: words.text(of: document), schema: schema) == document)
  }

  @Test("a field named search is compared in a filter")
  func searchField() throws {
    let schema = Schema([.of("todos", "id"), .of("todos", "search", .string)])
    for text in [#"todos filter search = "x""#, #"todos search "x" and search = "y""#] {
      var words = TypedWords()
      words.add(text, schema: schema)
      #expect(words.text(of: try QueryDocument(text: text, schema: schema)) == text)
    }
  }

  @Test("a condition of another namespace is not written as a search")
  func searchElsewhere() throws {
    let schema = Schema([
      .of("todos", "id"), .of("todos", "title", .string), .of("goals", "id"),
      .of("goals", "title", .string), .of("goals", "text", .string),
    ])
    var words = TypedWords()
    words.add(#"todos search "run""#, schema: schema)
    for text in [
      #"goals filter title ilike "%run%""#, #"todos filter any goal (title ilike "%run%")"#,
      #"todos with goal { filter title ilike "%run%" }"#,
    ] {
      #expect(words.text(of: try QueryDocument(text: text)) == text)
    }
  }

  @Test(
    "a query with comments is written on one line, as it was typed",
    arguments: [
      ("todos filter title = 'a' -- urgent", "todos filter title = 'a' /* urgent */"),
      (
        "todos -- all\nwhere note = 1 /* x */\nlimit 3",
        "todos /* all */ where note = 1 /* x */ limit 3"
      ),
      ("todos limit 3 /* three", "todos limit 3 /* three */"),
      ("todos filter note = '--' order due", #"todos filter note = "--" order due"#),
    ])
  func comments(_ typed: String, _ written: String) throws {
    var words = TypedWords()
    words.add(typed, schema: Self.schema)
    let document = try QueryDocument(text: typed, schema: Self.schema)
    #expect(words.text(of: document) == written)
    #expect(try QueryDocument(text: written, schema: Self.schema) == document)
  }

  @Test("the comments of a filter stay while other clauses change")
  func filterComments() throws {
    var words = TypedWords()
    words.add("todos filter title = 'a' /* x */ or note = 1 -- y", schema: Self.schema)
    words.add("note > 2 -- two", scope: "todos", schema: Self.schema)
    func text(_ text: String) throws -> String {
      words.text(of: try QueryDocument(text: text, schema: Self.schema))
    }
    #expect(
      try text("todos filter title = 'a' or note = 1 limit 3")
        == "todos filter title = 'a' /* x */ or note = 1 /* y */ limit 3")
    #expect(
      try text("todos filter note > 2 order due") == "todos filter note > 2 /* two */ order due")
    let changed = "todos filter (title = \"a\" or note = 1) and note > 2"
    #expect(try text(changed) == changed)
    #expect(
      words.text(of: QueryDocument(QueryPlan("goals").filter(.compare("note", .greater, 2))))
        == "goals filter note > 2")
  }

  @Test("days and times are renewed as time passes, and their words are kept")
  func renewed() throws {
    let text = #"todos filter due < now and title = "a" limit 3"#
    func time(_ minute: Int64) -> QueryTime {
      QueryTime(
        today: CalendarDay(year: 2024, month: 3, day: 11),
        minute: 1_710_153_000_000 + minute * 60_000)
    }
    var words = TypedWords()
    let plan = try QueryTime.$fixed.withValue(time(0)) {
      words.add(text, schema: Self.schema)
      return try QueryDocument(text: text, schema: Self.schema).plans[0]
    }
    let same = QueryTime.$fixed.withValue(time(0)) { words.renew(plan, schema: Self.schema) }
    #expect(same?.plan == plan)
    #expect(same?.lifetime == .seconds(60))
    let later = QueryTime.$fixed.withValue(time(1)) { words.renew(plan, schema: Self.schema) }
    let renewed = try #require(later?.plan)
    #expect(
      renewed.text
        == #"todos filter due < "2024-03-11T10:31:00.000Z" and title = "a" limit 3"#)
    #expect(words.text(of: QueryDocument(renewed)) == text)
    #expect(words.text(of: QueryDocument(plan)) == text)
    let constant = words.renew(
      QueryPlan("todos", condition: .isNull("due", true)), schema: Self.schema)
    #expect(constant?.plan == nil)
  }

  @Test("the words of other queries are kept while a time is renewed")
  func renewedOften() throws {
    var words = TypedWords()
    let other = try QueryDocument(text: "todos filter due < today", schema: Self.schema)
    words.add("todos filter due < today", schema: Self.schema)
    for minute in 0..<Int64(TypedWords.maxCount) {
      let time = QueryTime(
        today: CalendarDay(year: 2024, month: 3, day: 11), minute: minute * 60_000)
      QueryTime.$fixed.withValue(time) {
        words.add("todos filter due < now", schema: Self.schema)
      }
    }
    #expect(words.text(of: other) == "todos filter due < today")
  }

  @Test("days and times outside of conditions are written as they were typed")
  func outside() throws {
    try QueryTime.$fixed.withValue(.now()) {
      let text = "todos fields title, year(today) - year(due) as age order month(now)"
      var words = TypedWords()
      words.add(text, schema: Self.schema)
      let document = try QueryDocument(text: text, schema: Self.schema)
      #expect(words.text(of: document) == text)
    }
  }

  @Test("only the words that were typed last are kept")
  func bounded() throws {
    var words = TypedWords()
    let oldest = "todos filter due < today"
    let document = try QueryDocument(text: oldest, schema: Self.schema)
    words.add(oldest, schema: Self.schema)
    for count in 1..<TypedWords.maxCount {
      words.add("todos filter due < \(count) days ago", schema: Self.schema)
    }
    #expect(words.text(of: document) == oldest)
    let newest = "todos filter due < \(TypedWords.maxCount) days ago"
    words.add(newest, schema: Self.schema)
    #expect(words.text(of: document) == document.text)
    #expect(
      words.text(of: try QueryDocument(text: newest, schema: Self.schema)) == newest)
    // Words that are typed again are new.
    words.add("todos filter due < 1 days ago or due < today", schema: Self.schema)
    #expect(words.text(of: document) == oldest)
  }

  @Test("a shorter month uses its last day")
  func shortMonths() throws {
    let day = CalendarDay(year: 2024, month: 3, day: 31)
    #expect(
      try Self.condition("due in last month", on: day) == Self.within("2024-02-29", "2024-04-01"))
    let sunday = CalendarDay(year: 2024, month: 3, day: 17)
    #expect(
      try Self.condition("due in this week", on: sunday) == Self.within("2024-03-11", "2024-03-18"))
  }

  @Test(
    "only dates can be compared with days",
    arguments: [
      "title = today", "title in last 7 days", "due in last 0 days", "due in last 7 cats",
      "title < now", "due in this hour", "due < 2 hours from today", "length(today) > 5",
    ])
  func refused(_ text: String) {
    #expect(throws: QueryError.self) { try Self.condition(text) }
  }

  @Test(
    "a date needs no quotes",
    arguments: [
      "2024-02-29", "2024-02-29T08:30:00Z", "2024-02-29t08:30:00.5+01:00",
    ])
  func unquoted(_ date: String) throws {
    for clause in ["due < ", "due != ", "note = ", "title = ", "due in ('2024-01-01', "] {
      let end = clause.contains("(") ? ")" : ""
      let quoted = try Self.condition("\(clause)'\(date)'\(end)")
      #expect(try Self.condition("\(clause)\(date)\(end)") == quoted)
    }
  }

  @Test("a date that does not exist is refused, with and without quotes")
  func impossible() {
    for date in ["2024-02-30", "'2024-02-30'"] {
      #expect(throws: QueryError.self) { try Self.condition("due < \(date)") }
    }
  }

  @Test("a field of that name is still a field")
  func fields() throws {
    #expect(
      try ConditionNode(parsing: "today = 5 and last = 'x'")
        == .all([.compare("today", .equal, 5), .compare("last", .equal, "x")]))
  }
}
