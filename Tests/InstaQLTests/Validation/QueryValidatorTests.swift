import InstaQL
import Testing
import Triples

@Suite("Validation with the client's messages")
struct QueryValidatorTests {
  static let schema: Schema = {
    var name = Attribute.of("people", "name", .string)
    name.isIndexed = true
    return Schema([
      .of("people", "id"), .of("tasks", "id"), .of("empty", "id"), name,
      .of("people", "age", .number), .of("people", "any"), .of("people", "born", .date),
      .of("people", "done", .boolean), .of("tasks", "title", .string),
      .link("tasks", "owner", "people", "tasks"),
    ])
  }()

  static let shapes: [(String, String, String?)] = [
    ("5", "Query must be an object, but received: number", nil),
    ("null", "Query must be an object, but received: object (null)", nil),
    ("[]", "Query must be an object, but received: object", nil),
    (
      #"{"people": []}"#,
      "At path 'people': Query keys must be strings, but found key of type: string", nil
    ),
    (
      #"{"persons": {}}"#,
      "At path 'persons': Entity 'persons' does not exist in schema. "
        + "Available entities: people, tasks, empty", nil
    ),
    (
      #"{"peopel": {}}"#,
      "At path 'peopel': Entity 'peopel' does not exist in schema. "
        + "Available entities: people, tasks, empty", "Did you mean 'people'?"
    ),
    (
      #"{"people": true}"#,
      "At path 'people': Query part for entity 'people' must be an object, but received: boolean",
      nil
    ),
    (
      #"{"people": {"task": {}}}"#,
      "At path 'people.task': Link 'task' does not exist on entity 'people'. "
        + "Available links: tasks", "Did you mean 'tasks'?"
    ),
    (
      #"{"empty": {"task": {}}}"#,
      "At path 'empty.task': Link 'task' does not exist on entity 'empty'. Available links: none",
      nil
    ),
    (
      #"{"people": {"$": null}}"#,
      "At path 'people.$': Query parameter '$' must be an object in entity 'people', "
        + "but received: object", nil
    ),
    (
      #"{"people": {"$": {"wher": {}}}}"#,
      "At path 'people.$': Invalid query parameter 'wher' in $ object. Valid parameters are: "
        + "where, order, limit, last, first, offset, after, afterInclusive, before, "
        + "beforeInclusive, fields, aggregate. Found: wher", "Did you mean 'where'?"
    ),
    (
      #"{"people": {"tasks": {"$": {"first": 1, "offset": 1}}}}"#,
      "At path 'people.tasks.$': 'offset' can only be used on top-level namespaces. "
        + "It cannot be used in nested queries.", nil
    ),
    (
      #"{"people": {"$": {"where": 5}}}"#,
      "At path 'people.$.where': 'where' clause must be an object in entity 'people', "
        + "but received: number", nil
    ),
  ]

  static let conditions: [(String, String, String?)] = [
    (
      #"{"nam": 1}"#,
      ".nam': Attribute or link 'nam' does not exist on entity 'people'. "
        + "Available attributes: name, age, any, born, done. Available links: tasks",
      "Did you mean 'name'?"
    ),
    (
      #"{"name": 1}"#,
      ".name': Invalid value for attribute 'name' in entity 'people'. "
        + "Expected string, but received: number", nil
    ),
    (
      #"{"id": 1}"#,
      ".id': Invalid value for attribute 'id' in entity 'people'. "
        + "Expected string, but received: number", nil
    ),
    (
      #"{"age": {"$gt": "1"}}"#,
      ".age.$gt': Invalid value for operator '$gt' on attribute 'age' "
        + "in entity 'people'. Expected number, but received: string", nil
    ),
    (
      #"{"age": {"$in": {}}}"#,
      ".age.$in': Operator '$in' for attribute 'age' in entity 'people' "
        + "must be an array, but received: object", nil
    ),
    (
      #"{"age": {"in": [1, "2"]}}"#,
      ".age.in': Invalid value for operator 'in' on attribute 'age' "
        + "in entity 'people'. Expected number, but received: string", nil
    ),
    (
      #"{"age": {"$ilike": "x"}}"#,
      ".age.$ilike': Operator '$ilike' can only be used with indexed "
        + "attributes, but 'age' in entity 'people' is not indexed", nil
    ),
    (
      #"{"age": {"$gtt": 1}}"#,
      ".age.$gtt': Unknown operator '$gtt' for attribute 'age' in entity 'people'",
      "Did you mean '$gt'?"
    ),
    (
      #"{"tasks": "x"}"#,
      ".tasks': Invalid value for link 'tasks' in entity 'people'. "
        + "Expected a UUID, but received: x", nil
    ),
    (
      #"{"task.title": "x"}"#,
      ".task.title': Link 'task' does not exist on entity 'people' "
        + "in dot notation path 'task.title'. Available links: tasks", "Did you mean 'tasks'?"
    ),
    (
      #"{"tasks.nope": "x"}"#,
      ".tasks.nope': Attribute 'nope' does not exist on entity 'tasks' "
        + "in dot notation path 'tasks.nope'. Available attributes: title, id", nil
    ),
    (
      #"{"tasks.id": "x"}"#,
      ".tasks.id': Invalid value for id field in entity 'tasks'. "
        + "Expected a UUID, but received: x", nil
    ),
    (
      #"{"tasks.owner": "x"}"#,
      ".tasks.owner': Invalid value for link 'owner' in entity 'tasks'. "
        + "Expected a UUID, but received: x", nil
    ),
    (
      #"{"tasks.title": 5}"#,
      ".tasks.title': Invalid value for attribute 'tasks.title' "
        + "in entity 'people'. Expected string, but received: number", nil
    ),
    (
      #"{"or": [{"name": "x"}, {"and": [{"age": true}]}]}"#,
      ".or[[object Object]].and[[object Object]].age': Invalid value for "
        + "attribute 'age' in entity 'people'. Expected number, but received: boolean", nil
    ),
    (
      #"{"done": {"$isNull": 5}, "name": 7}"#,
      ".done.$isNull': Invalid value for operator '$isNull' on attribute 'done' "
        + "in entity 'people'. Expected boolean, but received: number", nil
    ),
  ]

  @Test("an invalid structure has its path and a suggestion", arguments: shapes)
  func refuses(_ json: String, _ message: String, _ hint: String?) throws {
    let error = try #require(throws: QueryError.self) {
      try QueryValidator(schema: Self.schema).validate(JSONReader.value(of: json))
    }
    #expect(error.message == message)
    #expect(error.hint == hint)
  }

  @Test("the first error of a condition is reported", arguments: conditions)
  func refusesCondition(_ condition: String, _ ending: String, _ hint: String?) throws {
    try refuses(
      #"{"people": {"$": {"where": \#(condition)}}}"#, "At path 'people.$.where" + ending, hint)
  }

  @Test("errors are reported in the order of the keys")
  func order() throws {
    try refuses(
      #"{"people": {"tasks": {"$": {"where": {"x": 1}}}, "$": {"where": {"y": 1}}}}"#,
      "At path 'people.tasks.$.where.x': Attribute or link 'x' does not exist on entity 'tasks'. "
        + "Available attributes: title. Available links: owner", nil)
  }

  @Test(
    "valid queries pass",
    arguments: [
      "{}", #"{"$$ruleParams": 5, "people": {}}"#,
      #"{"people": {"$": {"where": {"name": null, "age": {"$gt": null}, "any": {"$foo": 1}}}}}"#,
      #"{"people": {"$": {"where": {"born": 5}}}, "tasks": {"$": {"where": null}}}"#,
      #"{"people": {"$": {"where": {"born": "soon", "done": {"$isNull": true}}}}}"#,
      #"{"people": {"$": {"where": {"or": {"x": 1}, "and": 5, "name": {"$ilike": "x"}}}}}"#,
      #"{"people": {"$": {"where": {"tasks": "01020304-0506-4708-890a-0b0c0d0e0f10"}}}}"#,
      #"{"people": {"$": {"where": {"tasks.title": {"$like": "x"}, "id": "x"}}}}"#,
      #"{"people": {"tasks": 5}}"#, #"{"people": {"tasks": {"$": {"limit": 5}}}}"#,
      #"{"people": {"$": {"limit": -5, "order": 5, "fields": "x"}}}"#,
    ])
  func passes(_ json: String) throws {
    try QueryValidator(schema: Self.schema).validate(JSONReader.value(of: json))
  }

  @Test("without a schema only the structure is checked")
  func lenient() throws {
    let lenient = QueryValidator()
    for json in [
      #"{"x": {"y": {"$": {"offset": 1}}, "$": {"where": "x"}}}"#, #"{"x": {"y": null}}"#,
    ] {
      try lenient.validate(JSONReader.value(of: json))
    }
    let error = try #require(throws: QueryError.self) {
      try lenient.validate(JSONReader.value(of: #"{"x": {"$": {"skip": 1}}}"#))
    }
    #expect(error.message.hasPrefix("At path 'x.$': Invalid query parameter 'skip' in $ object."))
  }
}
