import Testing
import Triples
import TestSupport

@Suite("Datasets that are wrong")
struct DatasetErrorTests {
  private static let broken: [(file: String, text: String, message: String)] = [
    (
      "cities.json", "[{\"key\": \"a\"},\n {\"key\" 1}]",
      "cities.json, line 2, column 9: expected ':', found '1'"
    ),
    (
      "cities.json", "{}",
      "cities.json, line 1: an entity without 'key', which is its key"
    ),
    (
      "cities.json", "",
      "cities.json, line 1, column 1: expected '[' before the first entity, but the text ends"
    ),
    ("cities.json", "[1]", "cities.json, line 1: expected an object for an entity, found a number"),
    (
      "cities.json", "[{\"key\":1}",
      "cities.json, line 1, column 11: expected ',' or ']', but the text ends"
    ),
    (
      "cities.json", "[{\"key\":1}] x",
      "cities.json, line 1, column 13: expected the end, found 'x'"
    ),
    (
      "cities.jsonl", "{\"key\":1} {\"key\":2}",
      "cities.jsonl, line 1, column 11: expected the end of the line, found '{'"
    ),
    (
      "cities.csv", String(repeating: "x", count: 5000),
      "cities.csv, line 1: expected a name of at most 4096 bytes, found 5000"
    ),
    (
      "cities.jsonl", "{\"key\":1}\n{\"key\":\n{\"key\":3}\n",
      "cities.jsonl, line 2: the entity is not complete on its line"
        + " (line 4, column 1: expected ',' or '}', but the text ends)"
    ),
    (
      "cities.jsonl", "{\"key\":1}\n\n{\"key\":",
      "cities.jsonl, line 3, column 8: expected a value, but the text ends"
    ),
    (
      "cities.json", "[{\"name\": \"a\"}]",
      "cities.json, line 1: an entity without 'key', which is its key"
    ),
    (
      "cities.json", "[{\"key\": true}]",
      "cities.json, line 1: 'key' cannot be a boolean; a key is a text or a number"
    ),
    (
      "cities.json", "[{\"id\": [], \"key\": 1}]",
      "cities.json, line 1: 'id' cannot be an array; a key is a text or a number"
    ),
    (
      "cities.json", "[{\"id\": \"x\", \"key\": 1}]",
      "cities.json, line 1: an entity with both an id that is no UUID and the key 'key'"
    ),
    (
      "cities.json", "[{\"key\": \"a\",\n\"key\": \"b\"}]",
      "cities.json, line 2: 'key' stands twice in one entity"
    ),
    (
      "cities.json", "[{\"key\": \"a\"},\n{\"key\": \"a\"}]",
      "cities.json, line 2: 'a' stands twice among the cities"
    ),
    (
      "cities.json", "[{\"key\": \"a\", \"name\": 5}]",
      "cities.json, line 1: name of 'a' should be a string, not a number"
    ),
    (
      "cities.json", "[{\"key\": \"paris\",\n\"country\": \"XX\"}]",
      "cities.json, line 2: country 'XX' of 'paris' is no entity of countries"
    ),
    (
      "cities.json", "[{\"key\": \"paris\", \"near\": [1, \"b\"]}]",
      "cities.json, line 1: near '1' of 'paris' is no entity of cities"
    ),
    (
      "cities.json", "[{\"key\": \"a\", \"near\": [{}]}]",
      "cities.json, line 1: near of 'a' cannot be an object; a link is written as an id or a key"
    ),
    (
      "cities.json", "[{\"key\": \"a\", \"country\": [\"FR\"]}]",
      "cities.json, line 1: country of 'a' is a list, but the schema says that it has one"
    ),
    (
      "cities.json", "[{\"key\": \"a\", \"capitalOf\": \"FR\"}]",
      "cities.json, line 1: 'capitalOf' is the other side of countries.capital; write the link there"
    ),
    (
      "countries.json", "[{\"code\": \"A\"}]",
      "countries.json, line 1: 'A' has no name, which is required"
    ),
    (
      "countries.json", "[{\"code\": \"A\", \"name\": \"x\", \"founded\": \"soon\"}]",
      "countries.json, line 1: founded of 'A' should be a date, not 'soon'"
    ),
    (
      "countries.json", "[{\"code\": \"A\", \"name\": \"x\"}, {\"code\": \"B\", \"name\": \"x\"}]",
      "countries.json: name 'x' of 'B' is not unique"
    ),
    (
      "countries.json",
      "[{\"code\":\"A\",\"name\":\"x\",\"capital\":\"c\"},\n{\"code\":\"B\",\"name\":\"y\",\"capital\":\"c\"}]",
      "countries.json, line 2: capital 'c' of 'B' belongs to another already, but the schema says one"
    ),
    ("cities.csv", "key,name\na\n", "cities.csv, line 2: 1 fields, but the first line has 2"),
    ("cities.csv", "key,key\n", "cities.csv, line 1: 'key' stands twice in the first line"),
    (
      "cities.csv", "", "cities.csv, line 1: expected a first line with the names of the attributes"
    ),
    ("cities.csv", "key\n\"a", "cities.csv, line 2: a quoted field that does not end"),
    (
      "cities.csv", "key\na\"b",
      "cities.csv, line 2: a quote inside a field; put the field in quotes and write \"\" for each"
    ),
    (
      "cities.csv", "key\n\"a\"b",
      "cities.csv, line 2: expected ',' or the end of the line after '\"'"
    ),
    (
      "cities.csv", "key,country\n\"a\nb\",FR",
      "cities.csv, line 3: country 'FR' of 'a\nb' is no entity of countries"
    ),
  ]

  @Test("the sentence says where, what and which value", arguments: broken)
  func messages(file: String, text: String, message: String) {
    let error = #expect(throws: DatasetError.self) {
      try DatasetTests.load(("schema.json", DatasetTests.schema), (file, text))
    }
    #expect(error?.message == message)
  }

  @Test(
    "a schema that cannot be is refused with the place in it",
    arguments: [
      ("[]", "schema.json: the schema should be an object, not array"),
      ("{", "schema.json, line 1, column 2: expected a key in quotes, but the text ends"),
      (#"{"entities": 1}"#, "schema.json: entities should be an object, not number"),
      (
        #"{"entities": {"a": {"key": 1}}}"#,
        "schema.json: entities.a: 'key' should be a string, not number"
      ),
      (
        #"{"entities": {"a": {"label": "b"}}}"#,
        "schema.json: entities.a: 'label' names no attribute: b"
      ),
      (
        #"{"entities": {"a": {"attrs": {"b": {"valueType": "text"}}}}}"#,
        "schema.json: entities.a.attrs.b: 'valueType' cannot be 'text'; it is string, number, boolean, date or any"
      ),
      (#"{"links": {"l": {}}}"#, "schema.json: links.l: a link has 'forward' and 'reverse'"),
      (
        #"{"entities":{"a":{}},"links":{"l":{"forward":{"on":"a","label":"b","has":"two"},"reverse":{"on":"a","label":"c"}}}}"#,
        "schema.json: links.l.forward: 'has' cannot be 'two'; it is one or many"
      ),
    ])
  func schemas(text: String, message: String) {
    let error = #expect(throws: DatasetError.self) {
      try DatasetTests.load(("schema.json", text))
    }
    #expect(error?.message == message)
  }

  @Test("two files for one namespace are refused")
  func rivals() {
    let error = #expect(throws: DatasetError.self) {
      try DatasetTests.load(("b.csv", "x\n1"), ("b.json", "[]"))
    }
    #expect(
      error?.message == "b.json: b.csv already holds the b, so these are called 'b_json' here")
  }

  @Test("an entity of one namespace is none of another, however often it is linked to")
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
      error?.message == "cities.json, line 2: country '\(id)' of 'c' is no entity of countries")
  }

  @Test("labels without end are refused before they fill the memory")
  func manyLabels() {
    let members = (0..<5_000).map { "\"l\($0)\": 1" }.joined(separator: ",")
    let error = #expect(throws: DatasetError.self) {
      try DatasetTests.load(("a.json", "[{\(members)}]"))
    }
    #expect(error?.message.contains("no more than 4096 attributes") == true)
  }

  @Test("bytes changed at random are loaded or refused, never more", arguments: 0..<10)
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
        // Slow, so not each time.
        let broken = random.below(50) == 0 ? store.checkInvariants() : []
        #expect(broken.isEmpty, "seed \(seed)")
      } catch {
        #expect(!error.message.isEmpty, "seed \(seed)")
        #expect((error.line ?? 1) >= 1, "seed \(seed)")
      }
    }
  }
}
