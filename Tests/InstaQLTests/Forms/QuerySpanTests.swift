import DataSourcesTesting
import InstaQL
import Testing
import Triples
import TestSupport

@Suite("Highlighting of query text", .timeLimit(.minutes(10)))
struct QuerySpanTests {
  private static let schema = Schema([
    .of("cities", "name", .string), .of("cities", "population", .number),
    .of("cities", "capital", .boolean), .link("cities", "country", "countries", "cities"),
    .of("countries", "name", .string),
  ])

  private func spans(_ text: String, scope: String? = nil) -> [String] {
    QuerySpan.spans(of: text, scope: scope, schema: Self.schema).map { span in
      let piece = Array(text.utf8)[span.range]
      return "\(String(decoding: piece, as: UTF8.self)):\(span.kind)"
    }
  }

  static let closedComments: [(text: String, closed: String)] = [
    ("cities -- big\nlimit 1", "cities /* big */\nlimit 1"),
    ("cities\n--\n  limit 1 -- last", "cities\n/*  */\n  limit 1 /* last */"),
    ("cities -- a */ b /* c\r\nlimit 1", "cities /* a * / b /* c */\nlimit 1"),
    ("cities /* -- a\n */ limit 1", "cities /* -- a\n */ limit 1"),
    ("cities filter name = '-- a'\nlimit 1", "cities filter name = '-- a'\nlimit 1"),
    ("cities filter `-- a` = 1\nlimit 1", "cities filter `-- a` = 1\nlimit 1"),
    ("cities filter name = '-- a\nb", "cities filter name = '-- a\nb"),
    ("cities -- big", "cities -- big"),
    (#"{"cities": {"$": {}}}"# + "\n-- a", #"{"cities": {"$": {}}}"# + "\n-- a"),
  ]

  @Test("line comments are closed so that lines can be joined", arguments: closedComments)
  func closing(_ text: String, _ closed: String) {
    #expect(LineComments.closed(in: text) == closed)
  }

  @Test("a quote or a comment before a text continues in it")
  func closingAfter() {
    #expect(LineComments.closed(in: "a -- b\nc", after: "cities filter name = '") == "a -- b\nc")
    #expect(LineComments.closed(in: "a -- b\nc -- d", after: "cities -- ") == "a -- b\nc /* d */")
    #expect(LineComments.closed(in: "é -- é\nc", after: "cities ") == "é /* é */\nc")
  }

  @Test("names and keywords are highlighted by their meaning")
  func whole() {
    #expect(
      spans("cities filter country.name = \"Paris\" and not capital order by name desc limit 3")
        == [
          "cities:namespace", "filter:keyword", "country:link", ".:punctuation", "name:attribute",
          "=:comparison", "\"Paris\":string", "and:keyword", "not:keyword", "capital:attribute",
          "order:keyword", "by:keyword", "name:attribute", "desc:keyword", "limit:keyword",
          "3:number",
        ])
    #expect(
      spans("cities group country aggregate sum(population) as total with country { fields name }")
        == [
          "cities:namespace", "group:keyword", "country:link", "aggregate:keyword",
          "sum:function", "(:punctuation", "population:attribute", "):punctuation", "as:keyword",
          "total:name", "with:keyword", "country:link", "{:punctuation", "fields:keyword",
          "name:attribute", "}:punctuation",
        ])
    #expect(
      spans("capital = true or name is not null or population in (1, 2)", scope: "cities") == [
        "capital:attribute", "=:comparison", "true:boolean", "or:keyword", "name:attribute",
        "is:comparison", "not:keyword", "null:null", "or:keyword", "population:attribute",
        "in:comparison", "(:punctuation", "1:number", ",:punctuation", "2:number",
        "):punctuation",
      ])
  }

  @Test("the first error is marked, and the rest is highlighted")
  func broken() {
    #expect(
      spans("cities filter nam = 1 and limit 5") == [
        "cities:namespace", "filter:keyword", "nam:error", "=:comparison", "1:number",
        "and:keyword", "limit:keyword", "5:number",
      ])
    #expect(spans("cities filter name = \"Par").suffix(2) == ["=:comparison", "\"Par:error"])
    #expect(spans("cities # limit 3").suffix(3) == ["#:error", "limit:keyword", "3:number"])
    #expect(spans("cities filter name = \"\\q\" limit 3").suffix(3).first == "\"\\q\":error")
  }

  @Test("comments are highlighted")
  func comments() {
    #expect(
      spans("/* all */ cities -- of them\n limit 3 /* no more").filter { $0.hasSuffix("comment") }
        == ["/* all */:comment", "-- of them:comment", "/* no more:comment"])
  }

  @Test("InstaQL is highlighted, too")
  func json() {
    #expect(
      spans("{\"cities\": {\"$\": {\"limit\": 3, \"x\": [true, null, \"y\", nul]}}") == [
        "{:punctuation", "\"cities\":name", "::punctuation", "{:punctuation", "\"$\":name",
        "::punctuation", "{:punctuation", "\"limit\":name", "::punctuation", "3:number",
        ",:punctuation", "\"x\":name", "::punctuation", "[:punctuation", "true:boolean",
        ",:punctuation", "null:null", ",:punctuation", "\"y\":string", ",:punctuation",
        "nul:error", "]:punctuation", "}:punctuation", "}:punctuation",
      ])
  }

  @Test("for any text, spans are in order and within the text")
  func anything() {
    var random = SeededGenerator(seed: UInt64.random(in: 0 ... .max))
    let parts = [
      "cities", "filter", "\"", "'", "`", "\\", "{", "}", "=", "é", "日本", "\u{1A}", " ", "1e", "9",
      "\u{0}", "(", "group", "sum(", "null", "-", "&&", "\n", "🇫🇷", "name", ".",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in random.pick(parts) }
        .joined()
      var end = 0
      for span in QuerySpan.spans(of: text, schema: Self.schema) {
        #expect(span.range.lowerBound >= end && !span.range.isEmpty, "\(text.debugDescription)")
        end = span.range.upperBound
      }
      #expect(end <= text.utf8.count)
    }
  }
}
