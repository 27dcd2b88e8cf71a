import DataSourcesTesting
import Testing
import Triples
import TestSupport

@Suite("Invalid datasets")
struct DatasetErrorTests {
  private static let broken: [(file: String, text: String, message: String)] = [
    (
      "cities.json", "[{\"key\": \"a\"},\n {\"key\" 1}]",
      "cities.json, line 2, column 9: expected ':', found '1'"
    ),
    (
      "cities.json", "{}",
      "cities.json, line 1: an entity has no value for the key 'key'"
    ),
    (
      "cities.json", "",
      "cities.json, line 1, column 1: expected '[' before the first entity, but reached the end of the text"
    ),
    ("cities.json", "[1]", "cities.json, line 1: expected an object, found a number"),
    (
      "cities.json", "[{\"key\":1}",
      "cities.json, line 1, column 11: expected ',' or ']', but reached the end of the text"
    ),
    (
      "cities.json", "[{\"key\":1}] x",
      "cities.json, line 1, column 13: expected the end of the file, found 'x'"
    ),
    (
      "cities.jsonl", "{\"key\":1} {\"key\":2}",
      "cities.jsonl, line 1, column 11: expected the end of the line, found '{'"
    ),
    (
      "cities.csv", String(repeating: "x", count: 5000),
      "cities.csv, line 1: expected a name of at most 4096 bytes, found one of 5000"
    ),
    (
      "cities.jsonl", "{\"key\":1}\n{\"key\":\n{\"key\":3}\n",
      "cities.jsonl, line 2: the line does not contain a complete JSON object"
        + " (line 4, column 1: expected ',' or '}', but reached the end of the text)"
    ),
    (
      "cities.jsonl", "{\"key\":1}\n\n{\"key\":",
      "cities.jsonl, line 3, column 8: expected a value, but reached the end of the text"
    ),
    (
      "cities.json", "[{\"name\": \"a\"}]",
      "cities.json, line 1: an entity has no value for the key 'key'"
    ),
    (
      "cities.json", "[{\"key\": true}]",
      "cities.json, line 1: the key 'key' must be a string or a number, not a boolean"
    ),
    (
      "cities.json", "[{\"id\": [], \"key\": 1}]",
      "cities.json, line 1: the key 'id' must be a string or a number, not an array"
    ),
    (
      "cities.json", "[{\"id\": \"x\", \"key\": 1}]",
      "cities.json, line 1: an entity has both the key 'key' and an 'id' that is not a UUID. Remove one of them"
    ),
    (
      "cities.json", "[{\"key\": \"a\",\n\"key\": \"b\"}]",
      "cities.json, line 2: the name 'key' occurs twice in one entity"
    ),
    (
      "cities.json", "[{\"key\": \"a\"},\n{\"key\": \"a\"}]",
      "cities.json, line 2: the entity 'a' occurs twice in cities"
    ),
    (
      "cities.json", "[{\"key\": \"a\", \"name\": 5}]",
      "cities.json, line 1: name of 'a' must be a string, not a number"
    ),
    (
      "cities.json", "[{\"key\": \"paris\",\n\"country\": \"XX\"}]",
      "cities.json, line 2: the link country of 'paris' references 'XX', which does not exist in countries"
    ),
    (
      "cities.json", "[{\"key\": \"paris\", \"near\": [1, \"b\"]}]",
      "cities.json, line 1: the link near of 'paris' references '1', which does not exist in cities"
    ),
    (
      "cities.json", "[{\"key\": \"a\", \"near\": [{}]}]",
      "cities.json, line 1: the link near of 'a' must be an id or a key, not an object"
    ),
    (
      "cities.json", "[{\"key\": \"a\", \"country\": [\"FR\"]}]",
      "cities.json, line 1: the link country of 'a' is a list, but the schema allows only one value"
    ),
    (
      "cities.json", "[{\"key\": \"a\", \"capitalOf\": \"FR\"}]",
      "cities.json, line 1: 'capitalOf' is the reverse of the link countries.capital, which must be set instead"
    ),
    (
      "countries.json", "[{\"code\": \"A\"}]",
      "countries.json, line 1: 'A' has no name, which is required"
    ),
    (
      "countries.json", "[{\"code\": \"A\", \"name\": \"x\", \"founded\": \"soon\"}]",
      "countries.json, line 1: founded of 'A' must be a date, not 'soon'"
    ),
    (
      "countries.json", "[{\"code\": \"A\", \"name\": \"x\"}, {\"code\": \"B\", \"name\": \"x\"}]",
      "countries.json: name 'x' of 'B' must be unique, but occurs more than once"
    ),
    (
      "countries.json",
      "[{\"code\":\"A\",\"name\":\"x\",\"capital\":\"c\"},\n{\"code\":\"B\",\"name\":\"y\",\"capital\":\"c\"}]",
      "countries.json, line 2: the link capital of 'B' references 'c', but the schema allows only one such link, and another entity already has it"
    ),
    (
      "cities.csv", "key,name\na\n", "cities.csv, line 2: the row has 1 field, but the header has 2"
    ),
    ("cities.csv", "key,key\n", "cities.csv, line 1: the name 'key' occurs twice in the header"),
    (
      "cities.csv", "",
      "cities.csv, line 1: the file has no header. Write the names of the attributes in its first line"
    ),
    ("cities.csv", "key\n\"a", "cities.csv, line 2: a quoted field has no closing quote"),
    (
      "cities.csv", "key\na\"b",
      "cities.csv, line 2: an unquoted field contains a quote (quote the field, and double the quote)"
    ),
    (
      "cities.csv", "key\n\"a\"b",
      "cities.csv, line 2: expected ',' or the end of the line after the closing quote"
    ),
    (
      "cities.csv", "key,country\n\"a\nb\",FR",
      "cities.csv, line 3: the link country of 'a\nb' references 'FR', which does not exist in countries"
    ),
  ]

  @Test("the message contains the position, the error and the value", arguments: broken)
  func messages(file: String, text: String, message: String) {
    let error = #expect(throws: DatasetError.self) {
      try DatasetTests.load(("schema.json", DatasetTests.schema), (file, text))
    }
    #expect(error?.message == message)
  }

  @Test(
    "an invalid schema is rejected with the position",
    arguments: [
      ("[]", "schema.json: the schema must be an object, not array"),
      (
        "{",
        "schema.json, line 1, column 2: expected a key in quotes, but reached the end of the text"
      ),
      (#"{"entities": 1}"#, "schema.json: entities must be an object, not number"),
      (
        #"{"entities": {"a": {"key": 1}}}"#,
        "schema.json: entities.a: 'key' must be a string, not number"
      ),
      (
        #"{"entities": {"a": {"attrs": {"b": {"valueType": "text"}}}}}"#,
        "schema.json: entities.a.attrs.b: 'valueType' cannot be 'text'; use string, number, boolean, date or any"
      ),
      (
        #"{"links": {"l": {}}}"#, "schema.json: links.l: the link must have 'forward' and 'reverse'"
      ),
      (
        #"{"entities":{"a":{}},"links":{"l":{"forward":{"on":"a","label":"b","has":"two"},"reverse":{"on":"a","label":"c"}}}}"#,
        "schema.json: links.l.forward: 'has' cannot be 'two'; use one or many"
      ),
    ])
  func schemas(text: String, message: String) {
    let error = #expect(throws: DatasetError.self) {
      try DatasetTests.load(("schema.json", text))
    }
    #expect(error?.message == message)
  }

  @Test("a label is an attribute that the schema declares or a file has")
  func labels() throws {
    let schema = #"{"entities": {"a": {"key": "code", "label": "b"}}}"#
    for file in [("a.csv", "code,b\n1,one"), ("a.json", #"[{"code": 1, "b": "one"}]"#)] {
      let store = try DatasetTests.load(("schema.json", schema), file)
      #expect(store.schema.label(of: "a") == "b")
      #expect(store.schema.attribute("a", "b")?.checkedType == .string)
    }
    let error = #expect(throws: DatasetError.self) {
      try DatasetTests.load(("schema.json", schema), ("a.csv", "code,c\n1,one"))
    }
    #expect(
      error?.message
        == "schema.json: entities.a: 'label' is 'b', but there is no attribute with this name")
  }

  @Test("two files for one namespace are rejected")
  func rivals() {
    let error = #expect(throws: DatasetError.self) {
      try DatasetTests.load(("b.csv", "x\n1"), ("b.json", "[]"))
    }
    #expect(
      error?.message
        == "b.json: b.csv already contains 'b', so the namespace of this file is 'b_json'")
  }

  @Test("an entity of one namespace does not belong to another, however often it is linked")
  func otherNamespace() {
    let id = "a0000000-0000-4000-8000-000000000001"
    let error = #expect(throws: DatasetError.self) {
      try DatasetTests.load(
        ("schema.json", DatasetTests.schema),
        (
          "cities.json",
          """
          [{"id": "\(id)", "key": "a"}, {"key": "b", "near": ["\(id)"]},
           {"key": "c", "near": ["\(id)"], "country": "\(id)"}]
          """
        ))
    }
    #expect(
      error?.message
        == "cities.json, line 2: the link country of 'c' references '\(id)', which does not exist in countries"
    )
  }

  @Test("endless labels are rejected before they fill the memory")
  func manyLabels() {
    let members = (0..<5_000).map { "\"l\($0)\": 1" }.joined(separator: ",")
    let error = #expect(throws: DatasetError.self) {
      try DatasetTests.load(("a.json", "[{\(members)}]"))
    }
    #expect(error?.message.contains("at most 4096 attributes") == true)
  }

  @Test("randomly changed bytes are loaded or rejected without a crash", arguments: 0..<10)
  func fuzz(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let texts = [
      ("schema.json", DatasetTests.schema), ("countries.json", DatasetTests.countries),
      ("cities.jsonl", DatasetTests.cities),
      ("more.csv", "key,n,t\r\na,1,\"x \"\"y\"\"\"\r\nb,2.5,\r\n"),
    ]
    for _ in 0..<100 {
      var files = texts.map { (name: $0.0, bytes: Array($0.1.utf8)) }
      for _ in 0...random.below(3) {
        let file = random.below(files.count)
        let place = random.below(max(files[file].bytes.count, 1))
        guard place < files[file].bytes.count else { continue }
        switch random.below(4) {
        case 0: files[file].bytes[place] = UInt8(random.below(256))
        case 1: files[file].bytes.remove(at: place)
        case 2: files[file].bytes.insert(Array("{}[]\",:\n;1e".utf8)[random.below(11)], at: place)
        default: files[file].bytes.removeSubrange(place...)
        }
      }
      do throws(DatasetError) {
        let store = try Dataset.load(files)
        // Slow, so only done sometimes.
        let broken = random.below(50) == 0 ? store.checkInvariants() : []
        #expect(broken.isEmpty, "seed \(seed)")
      } catch {
        #expect(!error.message.isEmpty, "seed \(seed)")
        #expect((error.line ?? 1) >= 1, "seed \(seed)")
      }
    }
  }
}
