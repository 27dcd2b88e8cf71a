import DataSourcesTesting
import TestSupport
import Testing
import Triples

@Suite("Lenient loading")
struct LenientLoadingTests {
  static func read(
    _ files: [(String, String)], _ options: DatasetOptions = DatasetOptions()
  ) throws -> DatasetReading {
    try Dataset.read(files.map { (name: $0.0, bytes: Array($0.1.utf8)) }, options)
  }

  /// The values of an attribute, in row order.
  static func values(
    _ label: String, of namespace: String, in store: TripleStore
  ) throws -> [Value?] {
    let attribute = try #require(store.schema.attribute(namespace, label))
    return store.rows(of: namespace).handles.map { store.value($0, attribute.id) }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let file: String
    let text: String
    let label: String
    let values: [Value?]
    let messages: [String]
    var testDescription: String { "\(file) \(text)" }
  }

  private static let cases: [Case] = [
    Case(
      file: "t.csv", text: "v,w\n1,2\n3,4,5\n6,7\n", label: "column3", values: [nil, 5, nil],
      messages: [
        "t.csv, line 3: the row has 3 fields, but the header has 2; the additional values are in "
          + "'column3'"
      ]),
    Case(
      file: "t.csv", text: "column3,v\n1,2,3\n4,5\n6,7,x,y\n", label: "column3_",
      values: ["3", nil, "x"],
      messages: [
        "t.csv, line 2: the row has 3 fields, but the header has 2, as in 1 more row; the additional "
          + "values are in 'column3_' to 'column4'"
      ]),
    Case(file: "t.csv", text: "v,w\n1,2,\n3,4,\n", label: "w", values: [2, 4], messages: []),
    Case(
      file: "t.csv", text: "Sales\nid,n\na,1\n", label: "column2", values: ["n", "1"],
      messages: [
        "t.csv, line 2: the row has 2 fields, but the header has 1, as in 1 more row; the additional "
          + "values are in 'column2'"
      ]),
    Case(
      file: "t.csv", text: "v,w\n1,2\n3\n", label: "w", values: [2, nil],
      messages: [
        "t.csv, line 3: the row has 1 field, but the header has 2; missing fields are left empty"
      ]),
    Case(
      file: "t.csv", text: "w,v,v\n1,2,3\n", label: "v_2", values: [3],
      messages: [
        "t.csv, line 1: two columns are named 'v'; the second was renamed to 'v_2'"
      ]),
    Case(
      file: "t.csv", text: "v,w\n5\" nail,2\nx,3\n", label: "v", values: ["5\" nail", "x"],
      messages: [
        "t.csv, line 2: an unquoted field contains a quote (quote the field, and double the quote); "
          + "read as written"
      ]),
    Case(
      file: "t.csv", text: "v,w\n\"say \"hi\" now\",2\n\"x\",3\n", label: "v",
      values: ["say \"hi\" now", "x"],
      messages: [
        "t.csv, line 2: expected ',' or the end of the line after the closing quote; read as written"
      ]),
    Case(
      file: "t.csv", text: "v,w\n\"a\"b,2\n\"c\",3\n", label: "v", values: ["\"a\"b", "c"],
      messages: [
        "t.csv, line 2: expected ',' or the end of the line after the closing quote; read as written"
      ]),
    Case(
      file: "t.csv", text: "v,w\n\"open,2\nx,3\n", label: "v", values: ["\"open", "x"],
      messages: ["t.csv, line 2: a quoted field has no closing quote; read as written"]),
    Case(
      file: "t.csv", text: "v\n1\nNA\n3\nn/a\n", label: "v", values: [1, nil, 3, nil],
      messages: [
        "t.csv, line 3: 2 of 4 values of v are not numbers ('NA') and were treated as missing"
      ]),
    Case(
      file: "t.csv", text: "v\ntrue\n-\nFALSE\n", label: "v", values: [true, nil, false],
      messages: [
        "t.csv, line 3: 1 of 3 values of v are not booleans ('-') and were treated as missing"
      ]),
    Case(
      file: "t.csv", text: "v\n" + (1...30).map { "\($0)\n" }.joined() + "soon\n", label: "v",
      values: (1...30).map { .text("\($0)") } + ["soon"],
      messages: [
        "t.csv, line 32: 1 of 31 values of v is not a number ('soon'), so the column was read as text"
      ]),
    Case(
      file: "t.csv", text: "\"v\",\"w\"\n\"1\",\"x\"\n\"2\",\"y\"\n", label: "v", values: [1, 2],
      messages: []),
    Case(file: "t.csv", text: "v|w\n1|2\n", label: "w", values: [2], messages: []),
    Case(
      file: "t.tsv", text: "# one\n# two\n#v\tw\n1\t2\n3\n", label: "v", values: [1, 3],
      messages: [
        "t.tsv, line 1: 2 comment lines at the beginning were skipped",
        "t.tsv, line 5: the row has 1 field, but the header has 2; missing fields are left empty",
      ]),
    Case(
      file: "t.jsonl", text: "{\"v\":1}\n{\"v\":\n{\"v\":3}\n", label: "v", values: [1, 3],
      messages: [
        "t.jsonl, line 2: the line does not contain a complete JSON object (line 4, column 1: expected ',' or "
          + "'}', but reached the end of the text); row skipped"
      ]),
    Case(
      file: "t.json", text: "[{\"v\":1},\n{\"v\":2,\"v\":3}]", label: "v", values: [1, 3],
      messages: ["t.json, line 2: the name 'v' occurs twice in one entity; the last one is used"]),
    Case(
      file: "t.json", text: "[{\"value\":1},\n5]", label: "value", values: [1, 5],
      messages: [
        "t.json, line 2: expected an object, found a number; read as an entity "
          + "with one attribute, 'value'"
      ]),
    Case(file: "t.json", text: "[\"a\", \"b\"]", label: "value", values: ["a", "b"], messages: []),
  ]

  @Test("errors in a row are reported, and the rest is loaded", arguments: cases)
  func rows(_ example: Case) throws {
    let reading = try Self.read([(example.file, example.text)])
    #expect(try Self.values(example.label, of: "t", in: reading.store) == example.values)
    #expect(reading.report.entries.map(\.message) == example.messages)
    #expect(reading.report.count == example.messages.count)
    #expect(reading.store.checkInvariants().isEmpty)
  }

  @Test("violations of the schema are kept if possible and reported")
  func schema() throws {
    let cities = """
      [{"key": "paris", "name": 5, "country": "XX"}, {"key": "lyon", "country": ["FR", "ES"]},
       {"key": "lyon", "name": "again"}, {"name": "no key"}, {"key": "a", "near": [{}]}]
      """
    let reading = try Self.read([
      ("schema.json", DatasetTests.schema), ("countries.json", DatasetTests.countries),
      ("cities.json", cities),
    ])
    let store = reading.store
    #expect(store.count(of: "cities") == 5)
    #expect(
      try Self.values("name", of: "cities", in: store) == [5, nil, "again", "no key", nil])
    let lyon = try DatasetTests.find("cities", "key", "lyon", in: store)
    #expect(store.targets(lyon, try #require(store.schema.link("cities", "country"))).count == 1)
    #expect(store.schema.attribute("cities", "key")?.isUnique == false)
    #expect(reading.report.count == 8, "\(reading.report.entries)")
    #expect(store.checkInvariants().isEmpty)
  }

  @Test("files with the same name get different namespaces, which are reported")
  func rivals() throws {
    let reading = try Self.read([("b.csv", "x\n1"), ("b.json", "[{\"x\": 2}, {\"x\": 3}]")])
    #expect(reading.store.count(of: "b") == 1 && reading.store.count(of: "b_json") == 2)
    #expect(
      reading.report.entries.map(\.message)
        == ["b.json: b.csv already contains 'b', so the namespace of this file is 'b_json'"])
  }

  @Test("text in Windows-1252 or UTF-16 is read and reported")
  func encodings() throws {
    let latin = try Dataset.read([
      (name: "t.csv", bytes: Array("v\ncaf".utf8) + [0xE9, 0x0A, 0x80])
    ])
    #expect(try Self.values("v", of: "t", in: latin.store) == ["café", "€"])
    #expect(
      latin.report.entries.map(\.message)
        == ["t.csv: the text is not UTF-8; it was read as Windows-1252"])
    let wide = "v\né😀".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let utf16 = try Dataset.read([(name: "t.csv", bytes: [0xFF, 0xFE] + wide)])
    #expect(try Self.values("v", of: "t", in: utf16.store) == ["é😀"])
  }

  @Test("numeric ids stay numbers, and an additional key keeps its own column")
  func ids() throws {
    let store = try Self.read([("t.csv", "id,n\n2,a\n10,b\n")]).store
    #expect(try Self.values("key", of: "t", in: store) == [2, 10])
    #expect(store.schema.attribute("t", "key")?.checkedType == .number)
    #expect(store.schema.fileID(of: "t")?.label == "key")
    for text in ["id,key,name\n1,a,x\n2,a,y\n", "key,id,name\na,1,x\na,2,y\n"] {
      let reading = try Self.read([("t.csv", text)])
      #expect(try Self.values("id_", of: "t", in: reading.store) == [1, 2])
      #expect(try Self.values("key", of: "t", in: reading.store) == ["a", "a"])
      #expect(reading.store.schema.fileID(of: "t")?.label == "id_")
      #expect(reading.store.schema.attribute("t", "key")?.isUnique == false)
      #expect(reading.store.checkInvariants().isEmpty)
    }
  }

  @Test(
    "UUIDs, also next to other ids, and the names of rows are in no column that a file calls id",
    arguments: [
      ("t.csv", "id,n\nb0000000-0000-4000-8000-000000000001,a\n"),
      ("t.csv", "id,n\nb0000000-0000-4000-8000-000000000001,a\n2,b\n3,c\n"),
      ("t.json", #"{"a": {"n": 1}, "b": {"n": 2}}"#), ("t.csv", "key,n\n1,a\n"),
    ])
  func noColumnOfIDs(name: String, text: String) throws {
    #expect(try Self.read([(name, text)]).store.schema.fileID(of: "t") == nil)
  }

  @Test("inferred text is not indexed, but can be searched case-insensitively")
  func longText() throws {
    let store = try Self.read([("t.csv", "a,n\n\(String(repeating: "x", count: 9_000)),1\n")]).store
    #expect(store.schema.attribute("t", "a")?.isIndexed == false)
    #expect(store.schema.attribute("t", "n")?.isIndexed == true)
  }

  @Test("texts that mean a missing value are missing in every column")
  func missing() throws {
    let reading = try Self.read(
      [("t.csv", "a,n\nx,1\n-99,-99\nnone,3\n")], DatasetOptions(missingTexts: ["-99", "none"]))
    #expect(try Self.values("a", of: "t", in: reading.store) == ["x", nil, nil])
    #expect(try Self.values("n", of: "t", in: reading.store) == [1, nil, 3])
    #expect(reading.report.isEmpty)
  }

  @Test("a schema of links only is valid, and types are inferred")
  func linksOnly() throws {
    let schema = """
      {"links": {"l": {"forward": {"on": "books", "label": "author", "has": "one"},
        "reverse": {"on": "authors", "label": "books", "has": "many"}}}}
      """
    let store = try Self.read([
      ("schema.json", schema), ("authors.csv", "id,name\n1,Ann\n"),
      ("books.csv", "title,author\nPlan,1\n"),
    ]).store
    let book = try DatasetTests.find("books", "title", "Plan", in: store)
    #expect(store.targets(book, try #require(store.schema.link("books", "author"))).count == 1)
    #expect(store.schema.attribute("authors", "name")?.checkedType == .string)
  }

  @Test("dates in milliseconds are read from CSV, but years are not dates")
  func dates() throws {
    let schema = #"{"entities": {"t": {"attrs": {"d": {"valueType": "date"}}}}}"#
    let reading = try Self.read([
      ("schema.json", schema), ("t.csv", "id,d\na,1704067200000\nb,2024-01-01\nc,-5000\n"),
    ])
    #expect(
      try Self.values("d", of: "t", in: reading.store) == [1_704_067_200_000, "2024-01-01", -5_000])
    #expect(reading.report.isEmpty, "\(reading.report.entries)")
  }

  @Test("a file with only errors keeps a limited number of entries and counts all")
  func manyFaults() throws {
    let text = "a,b\n1,2\n" + String(repeating: "1\n", count: 5_000)
    let report = try Self.read([("t.csv", text)]).report
    #expect(report.count == 5_000)
    #expect(report.entries.count < 200)
  }

  @Test("rows with equal content have different ids, which are the same in any order")
  func contentIDs() throws {
    let options = DatasetOptions(identity: .content(earlier: TripleStore()))
    func ids(_ text: String) throws -> [EntityID] {
      let store = try Self.read([("t.csv", text)], options).store
      return store.rows(of: "t").handles.map { store.id(of: $0) }
    }
    let first = try ids("a,b\n1,x\n1,x\n2,y\n")
    #expect(Set(first).count == 3)
    #expect(try Set(ids("b,a\ny,2\nx,1\nnew,3\nx,1\n")).isSuperset(of: first))
  }

  @Test("randomly changed bytes lose only data that is reported", arguments: 0..<8)
  func fuzz(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = (0..<40).map { "\($0),\"name \($0)\",\($0 % 2 == 0)" }
    let text = Array(("n,t,b\n" + rows.joined(separator: "\n") + "\n").utf8)
    for _ in 0..<60 {
      var bytes = text
      for _ in 0...random.below(4) {
        bytes[6 + random.below(bytes.count - 6)] = Array("\",;x1é".utf8)[random.below(7)]
      }
      let reading = try Dataset.read([(name: "t.csv", bytes: bytes)])
      let lines = bytes.split(separator: 0x0A).count - 1
      let missing = lines - reading.store.count(of: "t")
      #expect(missing <= 0 || reading.report.count > 0, "seed \(seed)")
      #expect(reading.store.checkInvariants().isEmpty, "seed \(seed)")
    }
  }
}
