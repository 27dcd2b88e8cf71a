import Testing
import Triples

@Suite("Loading CSV")
struct CSVTests {
  private func column(_ label: String, of text: String) throws -> [Value?] {
    let store = try DatasetTests.load(("t.csv", text))
    let attribute = try #require(store.schema.attribute("t", label))
    return store.rows(of: "t").handles.map { store.value($0, attribute.id) }
  }

  private static let columns: [(String, [Value?])] = [
    ("v\n1\n-2\n0", [1, -2, 0]), ("v\n1\n2.5\n1e3", [1, 2.5, 1000.0]), ("v\n1\nx", ["1", "x"]),
    ("v\n007\n1", ["007", "1"]), ("v\ntrue\nFALSE", [true, false]), ("v\ntrue\n1", ["true", "1"]),
    ("w,v\na,1\nb,\nc,3", [1, nil, 3]), ("w,v\na,x\nb,\"\"", ["x", ""]),
    ("v\n\"1\"\n2", ["1", "2"]),
    ("v\r\n\"a, b\"\r\n\"c\r\nd\"\r\n", ["a, b", "c\r\nd"]),
    ("v\n\"say \"\"hi\"\"\"", ["say \"hi\""]),
    ("v\nNaN\n", ["NaN"]), ("v\n+1\n", ["+1"]), ("v\n1e999", ["1e999"]), ("v\né漢😀", ["é漢😀"]),
    ("\u{FEFF}v\n1", [1]),
    ("v\n9223372036854775807\n-9223372036854775808", [.integer(.max), .integer(.min)]),
    ("v\n12345678901234567890", ["12345678901234567890"]), ("v\n 1", [" 1"]),
  ]

  @Test("types are what all fields of a column agree on", arguments: columns)
  func types(text: String, values: [Value?]) throws {
    #expect(try column("v", of: text) == values)
  }

  @Test("a schema says the types, and lists of targets stand between semicolons")
  func schema() throws {
    let store = try DatasetTests.load(
      ("schema.json", DatasetTests.schema), ("countries.json", DatasetTests.countries),
      ("cities.csv", "key,name,country,near\nparis,1,FR,lyon; 7\nlyon,2,FR,\n7,3,ES,paris\n"))
    let paris = try DatasetTests.find("cities", "name", "1", in: store)
    let near = try #require(store.schema.link("cities", "near"))
    #expect(store.targets(paris, near).count == 2)
  }

  @Test("bytes that are not UTF-8 are refused")
  func unsound() {
    let error = #expect(throws: DatasetError.self) {
      try Dataset.load([(name: "t.csv", bytes: Array("v\na".utf8) + [0xC3, 0x28])])
    }
    #expect(error?.message == "t.csv, line 2: the bytes are not UTF-8")
  }
}
