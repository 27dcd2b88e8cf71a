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
      sentence: "Unknown operator '$foo' for attribute 'height' in namespace 'plants'.",
      nearest: operators),
    Fault(
      query: ["beds": ["plants": ["$": ["where": ["or": [["height": ["$gtt": 1]]]]]]]],
      path: ["beds", "plants", "$", "where", "or", "0", "height", "$gtt"],
      sentence: "Unknown operator '$gtt' for attribute 'height' in namespace 'plants'.",
      nearest: "Did you mean '$gt'?"),
    Fault(
      query: ["plants": ["$": ["where": ["height": [:]]]]],
      path: ["plants", "$", "where", "height"],
      sentence:
        "The condition on 'height' in namespace 'plants' is an object without an operator.",
      nearest: operators),
    Fault(
      query: ["plants": ["$": ["where": ["name": .null]]]],
      path: ["plants", "$", "where", "name"],
      sentence: "The value of 'name' in namespace 'plants' must be a string, a number, a boolean "
        + "or an object of operators, not null.",
      nearest: #"To match missing values, write {"$isNull": true}."#),
    Fault(
      query: ["plants": ["$": ["where": ["name": ["$in": "Aster"]]]]],
      path: ["plants", "$", "where", "name", "$in"],
      sentence: "Operator '$in' for attribute 'name' in namespace 'plants' must have a list as its "
        + #"value, not "Aster"."#),
    Fault(
      query: ["plants": ["$": ["where": ["name": ["$isNull": 1]]]]],
      path: ["plants", "$", "where", "name", "$isNull"],
      sentence: "Operator '$isNull' for attribute 'name' in namespace 'plants' must have true or "
        + "false as its value, not 1."),
    Fault(
      query: ["plants": ["$": ["limit": 0]]], path: ["plants", "$", "limit"],
      sentence: "`limit` must be a positive integer, not 0."),
    Fault(
      query: ["plants": ["$": ["offset": -1]]], path: ["plants", "$", "offset"],
      sentence: "`offset` must be a non-negative integer, not -1."),
    Fault(
      query: ["plants": ["$": ["limit": 1, "first": 1]]], path: ["plants", "$", "first"],
      sentence: "Use either `limit` or `first`, not both."),
    Fault(
      query: ["plants": ["$": ["order": ["name": "up"]]]], path: ["plants", "$", "order", "name"],
      sentence: #"The values in `order` must be "asc" or "desc", not "up"."#),
    Fault(
      query: ["plants": ["$": ["order": ["name": "asc", "height": "asc"]]]],
      path: ["plants", "$", "order"],
      sentence: "`order` must have a single key, but has: name, height."),
    Fault(
      query: ["beds": ["plants": ["$": ["offset": 1]]]], path: ["beds", "plants", "$", "offset"],
      sentence:
        "`offset`, `before` and `after` are supported only at the top level of a query."),
    Fault(
      query: ["plants": ["$": ["aggregate": "sum"]]], path: ["plants", "$", "aggregate"],
      sentence: #"`aggregate` must be "count", not "sum"."#),
    Fault(
      query: ["plants": ["$": ["fields": "name"]]], path: ["plants", "$", "fields"],
      sentence: "`fields` must be an array of field names."),
    Fault(
      query: ["plants": ["$": ["after": 7]]], path: ["plants", "$", "after"],
      sentence: "At 'plants.$.after': the value must be a cursor: [entity id, attribute id, value, "
        + "time]."),
    Fault(
      query: ["a.b": ["plants": ["$": 7]]], path: ["a.b", "plants", "$"],
      sentence: "At 'a.b.plants.$': the value must be an object with options."),
  ]
}
