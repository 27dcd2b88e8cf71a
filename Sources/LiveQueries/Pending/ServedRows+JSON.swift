import Triples

/// Converts an answer to and from its archived form.
extension ServedRows {
  var json: JSONObject {
    var object = JSONObject()
    object["processed"] = processed.map { .integer(Int64($0)) } ?? .null
    object["pages"] = .object(JSONObject(served.pages.map { .init(key: $0, value: $1.json) }))
    object["counts"] = .object(
      JSONObject(served.counts.map { .init(key: $0, value: .integer(Int64($1))) }))
    object["triples"] = .array(
      rows.map {
        [.text($0.entity.text), .text($0.attribute.text), $0.value, .integer($0.createdAt)]
      })
    return object
  }

  init?(json: JSONObject) {
    guard case .array(let triples)? = json["triples"], case .object(let pages)? = json["pages"],
      case .object(let counts)? = json["counts"]
    else { return nil }
    self.init()
    if case .integer(let processed)? = json["processed"] { self.processed = Int(processed) }
    rows.reserveCapacity(triples.count)
    for triple in triples {
      guard let edge = ServedAnswer.Edge(json: triple), let createdAt = edge.createdAt else {
        return nil
      }
      rows.append(Row(edge.entity, edge.attribute, edge.value, createdAt: createdAt))
    }
    for page in pages.members {
      guard let read = ServedAnswer.Page(json: page.value) else { return nil }
      served.pages[page.key] = read
    }
    for count in counts.members {
      guard case .integer(let number) = count.value else { return nil }
      served.counts[count.key] = Int(number)
    }
  }
}

extension ServedAnswer.Page {
  fileprivate var json: Value {
    [
      "start": start?.json ?? .null, "end": end?.json ?? .null, "next": .bool(hasNext),
      "previous": .bool(hasPrevious),
    ]
  }

  fileprivate init?(json: Value) {
    guard case .object(let object) = json else { return nil }
    self.init(
      start: object["start"].flatMap(ServedAnswer.Edge.init(json:)),
      end: object["end"].flatMap(ServedAnswer.Edge.init(json:)),
      hasNext: object["next"] == true, hasPrevious: object["previous"] == true)
  }
}

extension ServedAnswer.Edge {
  fileprivate var json: Value {
    [
      .text(entity.text), .text(attribute.text), value,
      createdAt.map(Value.integer) ?? .null,
    ]
  }

  fileprivate init?(json: Value) {
    guard case .array(let parts) = json, parts.count == 4, let entity = parts[0].textValue,
      let attribute = parts[1].textValue
    else { return nil }
    var createdAt: Int64?
    if case .integer(let moment) = parts[3] { createdAt = moment }
    self.init(
      entity: EntityID(entity), attribute: AttributeID(attribute), value: parts[2],
      createdAt: createdAt)
  }
}
