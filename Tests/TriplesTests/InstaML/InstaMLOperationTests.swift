import Testing
import Triples

@Suite("Operations of InstaML as text and JSON")
struct InstaMLOperationTests {
  @Test("operations round-trip as JSON")
  func json() throws {
    let operations: [InstaMLOperation] = [
      .init(.create, "people", .id("a"), ["name": "Ana"]),
      .init(.update, "people", .lookup("email", "ana@x.io"), ["age": 1], upsert: false),
      .init(.link, "people", .id("a"), ["reports": ["b", "c"]]),
      .init(.delete, "people", .id("a")),
    ]
    let text = JSONWriter.text(TransactionBuilder(operations).json)
    #expect(try TransactionBuilder(json: JSONReader.value(of: text)).operations == operations)
  }

  @Test(
    "one operation, lists and chunks are all parsed",
    arguments: [
      #"["delete","people","a",null]"#, #"[["delete","people","a",null]]"#,
      #"{"__ops":[["delete","people","a",null]]}"#,
      #"[{"__ops":[["delete","people","a",null]]}]"#, #"[["delete","people","a"]]"#,
    ])
  func forms(text: String) throws {
    let builder = try TransactionBuilder(json: JSONReader.value(of: text))
    #expect(builder.operations == [.init(.delete, "people", .id("a"))])
  }

  @Test(
    "other forms are rejected",
    arguments: [
      ("7", "Transaction chunk must be an object, but received: number"),
      (
        #"["x"]"#,
        "Invalid transaction operation: its list must begin with an action, a namespace and an entity."
      ),
      ("[null]", "Transaction chunk must be an object, but received: object"),
      ("{}", "Transaction chunk must have __ops array, but received: undefined"),
      (#"{"__ops":"x"}"#, "Transaction chunk must have __ops array, but received: string"),
      (#"{"__ops":["x"]}"#, "Transaction operation must be an array, but received: string"),
      (
        #"["destroy","people","a"]"#,
        "unsupported action destroy. The actions are create, update, merge, link, unlink, delete, "
          + "ruleParams."
      ),
      (
        #"["delete","people",7]"#,
        "The entity of an operation must be an id or a lookup, but received: 7"
      ),
      (
        #"["delete","people","lookup__email"]"#,
        "Unable to read the lookup 'lookup__email'. "
          + "Use the form lookup__NAME__VALUE, with VALUE as JSON."
      ),
    ])
  func unsound(text: String, sentence: String) throws {
    let json = try JSONReader.value(of: text)
    let error = #expect(throws: InstaMLError.self) { try TransactionBuilder(json: json) }
    #expect(error?.message == sentence)
  }

  @Test(
    "a lookup with any value round-trips as text",
    arguments: ["ana@x.io", "a__b", "\"", "", 7, true, nil, ["x", 1]] as [Value])
  func lookupText(value: Value) throws {
    let lookup = InstaMLEntity.lookup("email", value)
    #expect(try InstaMLEntity(text: lookup.text) == lookup)
    #expect(try InstaMLEntity(text: "ana") == .id("ana"))
  }

  @Test("the text of a lookup equals the reference's")
  func lookupSpelling() {
    #expect(InstaMLEntity.lookup("email", "a@x.io").text == #"lookup__email__"a@x.io""#)
  }
}
