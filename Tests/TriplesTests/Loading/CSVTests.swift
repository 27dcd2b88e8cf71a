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
    ("w;v\na;1\n\"b;c\";2", [1, 2]), ("w\tv\na\t1\nb;c\t2", [1, 2]), ("v\na;b", ["a;b"]),
    ("w, v\na, 1\nb,2", [1, 2]), ("w, v\na, \"x, \"\"y\"\"\"\nb, ", ["x, \"y\"", nil]),
    ("u, w,v\na,b, 1", [" 1"]), ("w,v\na, 1", [" 1"]), ("w, \"v\"\na, \" 1\"", [" 1"]),
    ("w;v\na;1,5", [1.5]), ("\"w;x\",v\na,1", [1]), ("\u{FEFF}w;v\r\na;1\r\n", [1]),
  ]

  @Test("a column has the type of all its fields", arguments: columns)
  func types(text: String, values: [Value?]) throws {
    #expect(try column("v", of: text) == values)
  }

  private static let commaNumbers: [(String, [Value?])] = [
    ("w;v\na;1.234,56\nb;-7\nc;\nd;0,5", [1234.56, -7, nil, 0.5]),
    ("w\tv\na\t1 234,5\nb\t12\u{A0}345\nc\t1\u{202F}234\u{202F}567", [1234.5, 12_345, 1_234_567]),
    ("w;v\na;1.234,5\nb;1.234", [1234.5, 1234]), ("w;v\na;1,5E+3\nb;2,5", [1500.0, 2.5]),
    // Another column shows that the file has decimal commas, or groups of digits.
    ("w;v\n0,5;1,234\n1,5;2,500", [1.234, 2.5]), ("w;v\n1.234,5;1.234\n1,5;980", [1234, 980]),
    // Without commas, dots are decimal points.
    ("w;v\na;1.234\nb;1.5", [1.234, 1.5]), ("w;v\na;1.234", [1.234]),
    // Other forms are text.
    ("w;v\na;1,5\nb;x", ["1,5", "x"]), ("w;v\na;1.23,5", ["1.23,5"]), ("w;v\na;01,5", ["01,5"]),
    ("w;v\na;1,234.5", ["1,234.5"]), ("w,v\na,\"1,5\"", ["1,5"]), ("w;v\na;\"1,5\"", ["1,5"]),
    ("w;v\na;1 234\nb;5 678", ["1 234", "5 678"]),
  ]

  @Test(
    "numbers with decimal commas are read if commas do not separate fields", arguments: commaNumbers
  )
  func decimalCommas(text: String, values: [Value?]) throws {
    #expect(try column("v", of: text) == values)
  }

  @Test(
    "a column whose decimal separator is ambiguous is text, with a remark",
    arguments: [
      ("w;v\na;1,234\nb;2,500", "1,234", 2), ("w;v\n0,5;1.234", "1.234", 2),
      ("w\tv\na\t1.5\nb\t2,5", "2,5", 3),
    ])
  func ambiguousDecimals(text: String, example: String, line: Int) throws {
    let reading = try LenientLoadingTests.read([("t.csv", text)])
    let values = try LenientLoadingTests.values("v", of: "t", in: reading.store)
    #expect(values.allSatisfy { $0?.textValue != nil })
    #expect(
      reading.report.entries.map(\.message) == [
        "t.csv, line \(line): the decimal separator of v is ambiguous ('\(example)'), so the column was"
          + " read as text. Write the numbers of the file with decimal points and without digit grouping"
      ])
  }

  @Test("a schema that declares numbers resolves ambiguous decimal commas")
  func declaredNumbers() throws {
    let schema = #"{"entities": {"t": {"attrs": {"v": {"valueType": "number"}}}}}"#
    let reading = try LenientLoadingTests.read([
      ("schema.json", schema), ("t.csv", "w;v\na;1,234\nb;2,500\n"),
    ])
    #expect(try LenientLoadingTests.values("v", of: "t", in: reading.store) == [1.234, 2.5])
    #expect(reading.report.isEmpty, "\(reading.report.entries)")
  }

  private static let tabbed: [(String, [Value?])] = [
    ("v\n1\n-2\n0", [1, -2, 0]), ("w\tv\na,b\t1\n;\t2\n", [1, 2]),
    ("w,x\tv\r\na\tsays \"hi\"\r\nb\t\"quoted\"\r\n", ["says \"hi\"", "\"quoted\""]),
    ("v\na\\tb\\nc\\rd\\\\te", ["a\tb\nc\rd\\te"]), ("v\nC:\\data\\", ["C:\\data\\"]),
    ("v\tw\n\t1\nx\t2", [nil, "x"]), ("\u{FEFF}v\ntrue", [true]), ("v\n\\t1", ["\t1"]),
  ]

  @Test("with tabs, quotes are literal and escapes are decoded", arguments: tabbed)
  func tabs(text: String, values: [Value?]) throws {
    let store = try DatasetTests.load(("t.tsv", text))
    let attribute = try #require(store.schema.attribute("t", "v"))
    #expect(store.rows(of: "t").handles.map { store.value($0, attribute.id) } == values)
  }

  @Test("a record with tabs must have as many values as the header")
  func tabbedFault() {
    #expect {
      try DatasetTests.load(("t.tsv", "v\tw\n1\t2\n3\n"))
    } throws: {
      ($0 as? DatasetError)?.message == "t.tsv, line 3: the row has 1 field, but the header has 2"
    }
  }

  @Test("an unnamed column is named by its number and reported")
  func unnamed() throws {
    var warnings: [DatasetError] = []
    let store = try Dataset.load(
      [("t.csv", Array("\"\",column1,,v\n1,2,3,4\n".utf8))], warnings: &warnings)
    #expect(
      store.schema.attributes(of: "t").map(\.label)
        == ["id", "column1_", "column1", "column3", "v"])
    #expect(
      warnings.map(\.message) == [
        "t.csv, line 1: column 1 has no name and was named 'column1_'",
        "t.csv, line 1: column 3 has no name and was named 'column3'",
      ])
  }

  @Test("data written with a schema is read again with any column names")
  func namedByNothing() throws {
    let schema = #"{"entities": {"t": {"attrs": {"": {"valueType": "number"}}}}}"#
    let store = try DatasetTests.load(("schema.json", schema), ("t.csv", "id,\nx,5\n"))
    let attribute = try #require(store.schema.attribute("t", ""))
    #expect(store.rows(of: "t").handles.map { store.value($0, attribute.id) } == [5])
  }

  @Test("a schema defines types, and lists of targets are separated by semicolons")
  func schema() throws {
    let store = try DatasetTests.load(
      ("schema.json", DatasetTests.schema), ("countries.json", DatasetTests.countries),
      ("cities.csv", "key,name,country,near\nparis,1,FR,lyon; 7\nlyon,2,FR,\n7,3,ES,paris\n"))
    let paris = try DatasetTests.find("cities", "name", "1", in: store)
    let near = try #require(store.schema.link("cities", "near"))
    #expect(store.targets(paris, near).count == 2)
  }

  @Test("invalid UTF-8 is rejected")
  func unsound() {
    let error = #expect(throws: DatasetError.self) {
      try Dataset.load([(name: "t.csv", bytes: Array("v\na".utf8) + [0xC3, 0x28])])
    }
    #expect(error?.message == "t.csv, line 2: invalid UTF-8. Save the file as UTF-8")
  }

  @Test("UTF-16 is reported with advice", arguments: [true, false])
  func encoding(isBigEndian: Bool) {
    let bytes = "v\n1".utf16.flatMap { unit -> [UInt8] in
      isBigEndian
        ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    let mark: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    let error = #expect(throws: DatasetError.self) {
      try Dataset.load([(name: "t.csv", bytes: mark + bytes)])
    }
    #expect(
      error?.message
        == "t.csv, line 1: the encoding UTF-16 is not supported. Save the file as UTF-8")
  }

  @Test("a name with dots is replaced in every row and reported")
  func dots() throws {
    var warnings: [DatasetError] = []
    let store = try Dataset.load(
      [
        (name: "t.csv", bytes: Array("id,country.name\n1,France\n2,Peru".utf8)),
        (name: "u.jsonl", bytes: Array("{\"a.b\":1}\n{\"x\":1}\n{\"x\":2,\"a.b\":3}".utf8)),
      ], warnings: &warnings)
    let name = try #require(store.schema.attribute("t", "country_name"))
    #expect(store.rows(of: "t").handles.map { store.value($0, name.id) } == ["France", "Peru"])
    let other = try #require(store.schema.attribute("u", "a_b"))
    #expect(store.rows(of: "u").handles.map { store.value($0, other.id) } == [1, nil, 3])
    #expect(
      warnings.map(\.message) == [
        "t.csv, line 1: 'country.name' was renamed to 'country_name', because dots are path"
          + " separators in queries",
        "u.jsonl, line 1: 'a.b' was renamed to 'a_b', because dots are path separators in queries",
      ])
  }
}
