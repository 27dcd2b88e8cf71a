import Triples

extension ExactJSON {
  /// Returns the JSON of steps or operations, with the digits that the columns of a schema keep.
  func transaction(in schema: Schema) throws(JSONError) -> Value {
    if let elements {
      if case .text? = elements.first?.rounded { return try Self.step(elements, schema) }
      var steps: [Value] = []
      for element in elements { steps.append(try element.transaction(in: schema)) }
      return .array(steps)
    }
    var object = JSONObject()
    for (key, value) in members ?? [] {
      object[key] = key == "__ops" ? try value.transaction(in: schema) : try value.value(for: nil)
    }
    return members == nil ? try value(for: nil) : .object(object)
  }

  private static func step(_ parts: [ExactJSON], _ schema: Schema) throws(JSONError) -> Value {
    let words = parts.prefix(3).map(\.rounded.textValue)
    var values: [Value] = []
    for (place, part) in parts.enumerated() {
      if place == 3, words[0] == "create" || words[0] == "update", let members = part.members {
        var object = JSONObject()
        for (label, value) in members {
          object[label] = try value.value(for: schema.attribute(words[1] ?? "", label))
        }
        values.append(.object(object))
      } else {
        let isWritten = place == 3 && words[0] == "add-triple"
        let attribute = isWritten ? words[2].flatMap { schema.attribute(AttributeID($0)) } : nil
        values.append(try part.value(for: attribute))
      }
    }
    return .array(values)
  }
}
