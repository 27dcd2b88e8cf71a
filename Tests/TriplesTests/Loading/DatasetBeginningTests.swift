import Testing
import Triples

@Suite("Loading the beginning of a file")
struct DatasetBeginningTests {
  private static func values(_ store: TripleStore) throws -> [Value?] {
    let attribute = try #require(store.schema.attribute("t", "v"))
    return store.rows(of: "t").handles.map { store.value($0, attribute.id) }
  }

  private static let files: [(String, String, [Value?])] = [
    // The last row may continue.
    ("t.csv", "v\n1\n2\n3", [1, 2]), ("t.csv", "v\n1\n2\n", [1, 2]),
    ("t.csv", "v\r\n1\r\n2\r", [1, 2]), ("t.csv", "w,v\na,1\nb,\"x\"", [1]),
    ("t.csv", "w,v\na,1\n\"b\nc\",2\n\"d\ne", [1, 2]), ("t.csv", "w;v\na;1,5\nb;2", [1.5]),
    ("t.tsv", "w\tv\na\t1\nb\t2", [1]),
    // Whether a quote is malformed depends on the whole file.
    ("t.csv", "v\n1\na\"b\n2\n", [1]),
    ("t.jsonl", "{\"v\":1}\n{\"v\":2}\n{\"v\":", [1, 2]), ("t.ndjson", "{\"v\":1}\n", [1]),
  ]

  @Test("only rows that are certainly complete are loaded", arguments: files)
  func complete(path: String, text: String, values: [Value?]) throws {
    let store = try #require(Dataset.beginning(ofFile: path, Array(text.utf8)))
    #expect(try Self.values(store) == values)
  }

  @Test(
    "a file without a complete row, or of another format, has no beginning",
    arguments: [
      ("t.csv", ""), ("t.csv", "v"), ("t.csv", "v\n1"), ("t.csv", "v\na\"b\n1\n"),
      ("t.csv", "v\n\"1\n2\n"), ("t.jsonl", "{\"v\":1}"), ("t.json", "[{\"v\":1},\n{\"v\":2}]"),
      ("t.txt", "v\n1\n2\n"),
    ])
  func nothing(path: String, text: String) {
    #expect(Dataset.beginning(ofFile: path, Array(text.utf8)) == nil)
  }

  @Test("UTF-16 has no beginning")
  func utf16() {
    let bytes: [UInt8] = [0xFF, 0xFE] + "v\n1\n2\n".utf8.flatMap { [$0, UInt8(0)] }
    #expect(Dataset.beginning(ofFile: "t.csv", bytes) == nil)
  }

  @Test("rows have the ids of the whole file, while types may differ")
  func identity() throws {
    let text = "v\n1\n2\nx\n"
    let beginning = try #require(Dataset.beginning(ofFile: "t.csv", Array(text.utf8.prefix(5))))
    let whole = try DatasetTests.load(("t.csv", text))
    #expect(try Self.values(beginning) == [1])
    #expect(try Self.values(whole) == ["1", "2", "x"])
    func ids(_ store: TripleStore) -> [EntityID] {
      store.rows(of: "t").handles.map { store.id(of: $0) }
    }
    #expect(ids(beginning) == Array(ids(whole).prefix(1)))
  }
}
