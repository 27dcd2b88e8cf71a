import InstaQL
import Testing
import Triples

@Suite("Validation agrees with the reference client, word for word")
struct ValidationConformanceTests {
  @Test(
    "in every case of a file", .enabled(if: !ConformanceFiles.present.isEmpty),
    arguments: ConformanceFiles.present)
  func file(_ name: String) throws {
    let file = try ConformanceFiles.json(name)
    let isStrict = file["options"]["useSchema"] == true
    let validator = QueryValidator(schema: isStrict ? Self.schema(file["schema"]) : nil)
    var refused = 0
    for example in file["cases"].elements {
      var message: String?
      do throws(QueryError) {
        try validator.validate(example["query"])
      } catch { message = error.message }
      let isExpected = example["error"]["kind"] == "validation"
      #expect(
        message == (isExpected ? example["error"]["message"].string : nil),
        "\(name) \(example["id"].string)")
      if isExpected { refused += 1 }
    }
    print("\(name): \(file["cases"].elements.count) cases, \(refused) refused")
  }

  /// The schema of a case file, with everything that it declares.
  static func schema(_ json: Value) -> Schema {
    var attributes: [Attribute] = []
    for entity in json["entities"].elements {
      attributes.append(.of(entity["name"].string, "id"))
    }
    for entity in json["entities"].elements {
      for declared in entity["attrs"].elements {
        var attribute = Attribute.of(
          entity["name"].string, declared["name"].string,
          CheckedType(rawValue: declared["type"].string))
        attribute.isIndexed = declared["indexed"] == true
        attributes.append(attribute)
      }
    }
    for link in json["links"].elements {
      let (forward, reverse) = (link["forward"], link["reverse"])
      attributes.append(
        .link(
          forward["on"].string, forward["label"].string, reverse["on"].string,
          reverse["label"].string))
    }
    return Schema(attributes)
  }
}
