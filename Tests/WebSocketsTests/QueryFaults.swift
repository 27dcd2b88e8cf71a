import Testing
import Triples

/// Invalid queries and the server's messages.
enum QueryFaults {
  struct Fault: Sendable, CustomTestStringConvertible {
    let query: Value
    let path: [String]
    let sentence: String
    var nearest: String?

    var testDescription: String { sentence }

    /// The details of the error.
    var hint: Value {
      var fault: JSONObject = [
        "in": .array(path.map(Value.text)), "message": .text(sentence),
      ]
      fault["hint"] = nearest.map(Value.text)
      return ["data-type": "query", "input": query, "errors": [.object(fault)]]
    }
  }

  private static let operators =
    "Operators: $in, $ne, $gt, $gte, $lt, $lte, $like, $ilike, $isNull, $not, in."

  static let all = [
    Fault(
      query: ["plants": ["$": ["where": ["height": ["$foo": 1]]]]],
      path: ["plants", "$", "where", "height", "$foo"],
      sentence: "Unknown operator '$foo' for attribute 'height' in entity 'plants'.",
      nearest: operators),
    Fault(
      query: ["beds": ["plants": ["$": ["where": ["or": [["height": ["$gtt": 1]]]]]]]],
      path: ["beds", "plants", "$", "where", "or", "0", "height", "$gtt"],
      sentence: "Unknown operator '$gtt' for attribute 'height' in entity 'plants'.",
      nearest: "Did you mean '$gt'?"),
    Fault(
      query: ["plants": ["$": ["where": ["height": [:]]]]],
      path: ["plants", "$", "where", "height"],
      sentence: "'height' in entity 'plants' is compared with an object that has no operator.",
      nearest: operators),
    Fault(
      query: ["plants": ["$": ["where": ["name": .null]]]],
      path: ["plants", "$", "where", "name"],
      sentence: "The value of 'name' in entity 'plants' must be a text, a number, a boolean or an "
        + "object of operators, got null.",
      nearest: #"To find what is missing, write {"$isNull": true}."#),
    Fault(
      query: ["plants": ["$": ["where": ["name": ["$in": "Aster"]]]]],
      path: ["plants", "$", "where", "name", "$in"],
      sentence: "Operator '$in' for attribute 'name' in entity 'plants' must have a list, got "
        + #""Aster"."#),
    Fault(
      query: ["plants": ["$": ["where": ["name": ["$isNull": 1]]]]],
      path: ["plants", "$", "where", "name", "$isNull"],
      sentence: "Operator '$isNull' for attribute 'name' in entity 'plants' must have true or "
        + "false, got 1."),
    Fault(
      query: ["plants": ["$": ["limit": 0]]], path: ["plants", "$", "limit"],
      sentence: "The limit field must be a positive integer. Got 0."),
    Fault(
      query: ["plants": ["$": ["offset": -1]]], path: ["plants", "$", "offset"],
      sentence: "The offset field must be a non-negative integer. Got -1."),
    Fault(
      query: ["plants": ["$": ["limit": 1, "first": 1]]], path: ["plants", "$", "first"],
      sentence: "Only provide one of `limit` or `first`."),
    Fault(
      query: ["plants": ["$": ["order": ["name": "up"]]]], path: ["plants", "$", "order", "name"],
      sentence: #"We only support "asc" or "desc" in the `order` clause. Got "up"."#),
    Fault(
      query: ["plants": ["$": ["order": ["name": "asc", "height": "asc"]]]],
      path: ["plants", "$", "order"],
      sentence: "We only support a single key in the `order` clause. Got name,height."),
    Fault(
      query: ["beds": ["plants": ["$": ["offset": 1]]]], path: ["beds", "plants", "$", "offset"],
      sentence:
        "We currently only support `offset`, `before`, and `after` clauses on the top-level "
        + "field."),
    Fault(
      query: ["plants": ["$": ["aggregate": "sum"]]], path: ["plants", "$", "aggregate"],
      sentence: #"The aggregate field only accepts "count", got "sum"."#),
    Fault(
      query: ["plants": ["$": ["fields": "name"]]], path: ["plants", "$", "fields"],
      sentence: "The `fields` property should be an array of field names."),
  ]
}
