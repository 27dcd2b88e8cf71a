import Triples

extension TransactionError {
  /// The details of the error for programs. The member `hint` contains advice for users.
  ///
  /// - Source: the hints of InstantDB's errors, by the type of the error.
  var hint: Value {
    var hint = facts
    hint["hint"] = advice.map(Value.text)
    return .object(hint)
  }

  private var facts: JSONObject {
    switch self {
    case .notUnique(let name, let attribute, let value):
      return [
        "record-type": "triple", "attr-id": .text(attribute.text), "etype": .text(name.namespace),
        "label": .text(name.label), "value": value,
      ]
    case .attributeExists(let name):
      return [
        "record-type": "attr", "etype": .text(name.namespace), "label": .text(name.label),
      ]
    case .unknownAttribute(let id), .nothingToRestore(let id):
      return ["record-type": "attr", "args": [["id": .text(id.text)]]]
    case .malformedTransaction: return ["in": ["tx-steps"]]
    case .malformedStep(let index, _):
      return ["in": ["tx-steps", .integer(Int64(index))]]
    case .wrongType(let name, let expected, let found):
      return fault(
        at: name, expected: expected.rawValue, [("attempted-value", found)])
    case .notADate(let name, let found):
      return fault(at: name, expected: "date", [("attempted-value", found)])
    case .missingRequired(let name, let ids):
      return fault(
        at: name, expected: "required?", [("entity-ids", .array(ids.map { .text($0.text) }))])
    case .tooLarge(let name, _, _, _), .mergesLink(let name), .linkedValueIsNoID(let name):
      return fault(at: name)
    case .tooDeep(let name?, _): return fault(at: name)
    case .lookupNeedsUnique(let name): return fault(at: name, expected: "unique?")
    case .lookupFindsNothing(let name, let value):
      return fault(at: name, [("attempted-value", value)])
    case .changedMeanwhile(let name, _), .ledToMeanwhile(let name): return fault(at: name)
    case .invalidEntityID, .createsExisting, .updatesMissing, .malformedAttribute, .tooDeep(nil, _):
      return fault([])
    }
  }

  private func fault(
    at name: Name, expected: String? = nil, _ more: [(String, Value)] = []
  ) -> JSONObject {
    fault(
      [
        ("in", [.text(name.namespace), .text(name.label)]),
        ("expected", expected.map(Value.text)),
      ] + more)
  }

  private func fault(_ parts: [(String, Value?)]) -> JSONObject {
    var fault: JSONObject = ["message": .text(message)]
    for (key, value) in parts { fault[key] = value }
    return ["data-type": "tx-step", "errors": [.object(fault)]]
  }

  private var advice: String? {
    switch self {
    case .createsExisting: "Update these entities, or create new ones with other ids."
    case .updatesMissing: "Create these entities first."
    case .unknownAttribute: "Use an attribute of the schema, or add it in the same transaction."
    case .wrongType(_, let expected, _): "Use a \(expected.rawValue)."
    case .notADate: "Use the form 2026-01-31 or 2026-01-31T12:00:00Z."
    case .tooLarge(_, let isUnique, _, _):
      "Shorten the value, or use an attribute that is not \(isUnique ? "unique" : "indexed")."
    case .tooDeep: "Use fewer levels, or store the value as text."
    case .notUnique: "Use another value, or change the entity that has this value."
    case .attributeExists: "Use the existing attribute."
    case .missingRequired: "Set this attribute in the same transaction."
    case .linkedValueIsNoID:
      "To link an entity, give its id, or lookup__NAME__VALUE in a link operation."
    case .mergesLink: "Use link and unlink instead."
    case .lookupNeedsUnique: "Look up the entity by a unique attribute or by its id."
    case .lookupFindsNothing: "Create that entity first."
    case .changedMeanwhile(_, nil): nil
    case .ledToMeanwhile: "Remove that link first."
    case .changedMeanwhile: "Review the new value, then set yours again."
    case .invalidEntityID(let id):
      "A row of a database is named by its key, for example [\"id\", \(Int64(id) ?? 1)]."
    case .malformedTransaction, .malformedStep, .malformedAttribute, .nothingToRestore: nil
    }
  }
}
