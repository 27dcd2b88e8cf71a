import InstaQL
import Testing
import Triples

@Suite("Output formats of answers")
struct ResultFormatTests {
  private static let files: [(name: String, bytes: [UInt8])] = [
    (
      "schema.json",
      Array(
        #"""
        {"entities": {"books": {"attrs": {}}, "authors": {"attrs": {}}},
         "links": {"by": {"forward": {"on": "books", "label": "author", "has": "one"},
                          "reverse": {"on": "authors", "label": "books", "has": "many"}}}}
        """#.utf8)
    ),
    (
      "books.json",
      Array(
        #"""
        [{"id": "b1", "title": "One, \"two\"", "pages": 12, "note": "", "author": "a1"},
         {"id": "b2", "title": "Tab\there\nthere", "pages": 7.5, "note": null, "author": "a1"},
         {"id": "b3", "title": " a|b <i> \\", "tags": ["x", 1]}]
        """#.utf8)
    ),
    ("authors.json", Array(#"[{"id": "a1", "name": "Ann", "alive": true}]"#.utf8)),
  ]

  private static func write(_ query: String, as format: ResultFormat) throws -> String {
    let store = try Dataset.load(files)
    let options = QueryOptions(infersCardinality: true)
    let answers = try QueryDocument(text: query, schema: store.schema).plans.map {
      try QueryEngine.answer($0, in: store, options: options)
    }
    return String(decoding: try format.bytes(of: answers, options: options), as: UTF8.self)
  }

  @Test("a counted relation is the number of all matches for each row")
  func counted() throws {
    for (query, json, csv) in [
      ("authors fields name with books { count }", #""books":2}"#, "name,books\nAnn,2\n"),
      ("authors fields name with books { limit 1 count }", #""books":2}"#, "name,books\nAnn,2\n"),
      (
        "authors fields name with books { filter pages > 10 count }", #""books":1}"#,
        "name,books\nAnn,1\n"
      ),
      (
        "books order title desc limit 1 fields title with author { count }", #""author":1}"#,
        "title,author\nTab\there\nthere,1\n"
      ),
      (
        "books order title limit 1 fields title with author { count }", #""author":0}"#,
        "title,author\n"
      ),
    ] {
      #expect(try Self.write(query, as: .json).contains(json), "\(query)")
      #expect(try Self.write(query, as: .ndjson).contains(json), "\(query)")
      #expect(
        try Self.write(query, as: .csv).filter { $0 != "\"" }.hasPrefix(csv), "\(query)")
    }
  }

  @Test("CSV quotes commas, quotes and line breaks, and distinguishes an empty text")
  func csv() throws {
    let text = try Self.write("books fields title, pages, note", as: .csv)
    #expect(
      text == """
        title,pages,note
        "One, ""two""\",12,""
        "Tab\there
        there",7.5,
        " a|b <i> \\",,

        """)
  }

  @Test("the column id has the values of the file, not the ids derived from them")
  func fileIDs() throws {
    #expect(try Self.write("authors", as: .csv) == "id,name,alive\na1,Ann,true\n")
    #expect(
      try Self.write("books limit 1 fields pages with author", as: .tsv)
        == "pages\tauthor.id\tauthor.name\tauthor.alive\n12\ta1\tAnn\ttrue\n")
  }

  @Test("TSV escapes tabs and line breaks")
  func tsv() throws {
    let text = try Self.write("books fields title, pages, note", as: .tsv)
    #expect(
      text == """
        title\tpages\tnote
        One, "two"\t12\t
        Tab\\there\\nthere\t7.5\t
         a|b <i> \\\\\t\t

        """)
  }

  @Test("Markdown escapes its signs in cells and right-aligns numbers")
  func markdown() throws {
    let text = try Self.write("books fields title, pages", as: .markdown)
    #expect(
      text == """
        | title | pages |
        | --- | ---: |
        | One, "two" | 12 |
        | Tab\there<br>there | 7.5 |
        |  a\\|b &lt;i> \\\\ |  |

        """)
  }

  @Test("a single-valued relation has its own columns, others a column of JSON")
  func relations() throws {
    let one = try Self.write("books fields pages with author { fields name, alive }", as: .csv)
    #expect(one == "pages,author.name,author.alive\n12,Ann,true\n7.5,Ann,true\n,,\n")
    let many = try Self.write("authors fields name with books { fields pages limit 1 }", as: .tsv)
    let lines = many.split(separator: "\n")
    #expect(lines.first == "name\tbooks")
    #expect(lines.last?.hasPrefix("Ann\t[{\"pages\":12,\"id\":") == true)
  }

  @Test(
    "columns come in the order of the fields, also those of links and computed ones",
    arguments: [
      (
        ResultFormat.csv,
        "title,author.name,pages,twice\n\"One, \"\"two\"\"\",Ann,12,24\n"
      ),
      (.tsv, "title\tauthor.name\tpages\ttwice\nOne, \"two\"\tAnn\t12\t24\n"),
      (
        .markdown,
        """
        | title | author.name | pages | twice |
        | --- | --- | ---: | ---: |
        | One, "two" | Ann | 12 | 24 |

        """
      ),
    ])
  func order(_ format: ResultFormat, _ expected: String) throws {
    let query = "books filter pages = 12 fields title, author.name, pages, pages * 2 as twice"
    #expect(try Self.write(query, as: format) == expected)
  }

  @Test("JSON objects have their members in the order of the fields")
  func memberOrder() throws {
    func keys(_ query: String) throws -> [String] {
      let line = try Self.write(query, as: .ndjson).split(separator: "\n")[0]
      guard case .object(let object) = try JSONReader.value(of: Array(line.utf8)) else { return [] }
      return object.keys
    }
    let title = "books filter pages = 12 fields title"
    #expect(try keys("\(title), author.name, pages") == ["title", "author", "pages", "id"])
    #expect(try keys("\(title), pages with author") == ["title", "pages", "id", "author"])
    #expect(
      try keys("\(title), pages * 2 as twice, author.name") == ["title", "id", "twice", "author"])
    #expect(try keys("books filter pages = 12 fields author.name") == ["id", "author"])
  }

  @Test("NDJSON has a line for each entity, nested as in JSON")
  func ndjson() throws {
    let lines = try Self.write("books fields pages with author { fields name }", as: .ndjson)
      .split(separator: "\n")
    #expect(lines.count == 3)
    let first = try JSONReader.value(of: Array(lines[0].utf8))
    guard case .object(let book) = first, case .object(let author)? = book["author"] else {
      Issue.record("\(lines[0])")
      return
    }
    #expect(author["name"] == "Ann")
    #expect(
      try Self.write("books fields tags filter pages is null", as: .ndjson).contains("[\"x\",1]"))
  }

  @Test(
    "a count is a table of one number",
    arguments: [
      (ResultFormat.csv, "count\n3\n"), (.tsv, "count\n3\n"), (.ndjson, "{\"count\":3}\n"),
      (.markdown, "| count |\n| ---: |\n| 3 |\n"),
      (.json, "{\"data\":{},\"aggregate\":{\"books\":{\"count\":3}}}\n"),
    ])
  func count(_ format: ResultFormat, _ expected: String) throws {
    #expect(try Self.write("books count", as: format) == expected)
  }

  @Test(
    "only JSON and Markdown support several answers", arguments: ResultFormat.allCases)
  func several(_ format: ResultFormat) throws {
    let both = "books count; authors count"
    switch format {
    case .json: #expect(try Self.write(both, as: format).contains("\"authors\":{\"count\":1}"))
    case .markdown: #expect(try Self.write(both, as: format).hasPrefix("## authors\n\n| count |"))
    case .csv, .tsv, .ndjson:
      let error = #expect(throws: QueryError.self) { try Self.write(both, as: format) }
      #expect(error?.message.contains("one query at a time") == true)
    }
  }

  @Test("an answer larger than the limit is an error", arguments: ResultFormat.allCases)
  func limit(_ format: ResultFormat) throws {
    let store = try Dataset.load(Self.files)
    let options = QueryOptions(maxBytes: 20)
    let answer = try QueryEngine.answer(QueryPlan("books"), in: store, options: options)
    #expect(throws: QueryError.self) { try format.bytes(of: [answer], options: options) }
  }
}
