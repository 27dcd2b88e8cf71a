import Triples

/// A small harbour: boats, the people aboard, and ports, with data for each edge case of the
/// rules.
enum BoatsFixture {
  static let store = world.store()

  /// The id for a short name.
  static func id(_ name: String) -> String {
    let places = ["ida", "Bo", "cem", "Éva", "dan"]
    if let place = places.firstIndex(of: name) { return uuid(1, place) }
    let boats = ["swan", "tern", "gull", "wreck"]
    if let place = boats.firstIndex(of: name) { return uuid(2, place) }
    return uuid(3, ["oslo", "riga"].firstIndex(of: name) ?? 9)
  }

  /// The short names of ids.
  static func names(_ ids: [String]) -> [String] {
    let all = ["ida", "Bo", "cem", "Éva", "dan", "swan", "tern", "gull", "wreck", "oslo", "riga"]
    return ids.map { id in all.first { Self.id($0) == id } ?? id }
  }

  private static func uuid(_ kind: UInt64, _ place: Int) -> String {
    EntityID(high: kind << 32, low: UInt64(place)).text
  }

  private static let world: NaiveWorld = {
    var world = NaiveWorld()
    world.attributes = [
      blob("people", "id"), blob("people", "name", .string), blob("people", "age", .number),
      blob("people", "able", .boolean), blob("people", "joined", .date), blob("people", "note"),
      blob("boats", "id"), blob("boats", "title", .string), blob("boats", "length", .number),
      blob("ports", "id"), blob("ports", "code"),
      link("people", "boat", .one, "boats", "crew"),
      link("people", "mate", .one, "people", "mates"),
      link("boats", "ports", .many, "ports", "boats"),
      link("boats", "captain", .one, "people", "commands", isUnique: true),
    ]
    people(&world)
    harbour(&world)
    return world
  }()

  private static func people(_ world: inout NaiveWorld) {
    add(&world, "people", "ida", 1, ["name": "Ida", "age": 30, "able": true, "note": "a_1"])
    add(&world, "people", "Bo", 2, ["name": "bo", "age": 25, "able": false, "note": .null])
    add(&world, "people", "cem", 3, ["name": "Cem", "able": .null, "note": "100%"])
    add(&world, "people", "Éva", 4, ["name": "Éva", "age": .null, "note": ["x", "y"]])
    add(&world, "people", "dan", 4, ["name": "Dan", "age": 25.0, "note": "30"])
    add(&world, "people", "ida", 1, ["joined": "2025-01-10"], isKnown: true)
    add(&world, "people", "Bo", 1, ["joined": "2025-01-10T00:00:00Z"], isKnown: true)
    add(&world, "people", "cem", 1, ["joined": 1_736_467_200_000], isKnown: true)
    add(&world, "people", "Éva", 1, ["joined": "3/1/2025"], isKnown: true)
    join(
      &world, "people", "boat",
      [("ida", "swan"), ("Bo", "swan"), ("cem", "tern"), ("dan", "wreck")])
    join(&world, "people", "mate", [("Bo", "ida"), ("cem", "ida"), ("Éva", "Bo")])
  }

  private static func harbour(_ world: inout NaiveWorld) {
    add(&world, "boats", "swan", 13, ["title": "Swan", "length": 9])
    add(&world, "boats", "tern", 12, ["title": "Tern", "length": 6])
    add(&world, "boats", "gull", 11, ["title": "gull"])
    // It has a title and a crew, but is not a boat.
    world.insert(id("wreck"), AttributeID("boats.title"), "Wreck", 1)
    add(&world, "ports", "oslo", 20, ["code": "OSL"])
    add(&world, "ports", "riga", 21, ["code": 7])
    join(&world, "boats", "ports", [("swan", "oslo"), ("swan", "riga"), ("tern", "riga")])
    join(&world, "boats", "captain", [("swan", "ida"), ("tern", "Bo")])
  }

  private static func blob(
    _ namespace: String, _ label: String, _ type: CheckedType? = nil
  ) -> Attribute {
    Attribute(id: AttributeID("\(namespace).\(label)"), namespace: namespace, label: label).with {
      $0.isUnique = label == "id"
      $0.isIndexed = type != nil
      $0.checkedType = type
    }
  }

  private static func link(
    _ namespace: String, _ label: String, _ cardinality: Attribute.Cardinality, _ target: String,
    _ reverse: String, isUnique: Bool = false
  ) -> Attribute {
    Attribute(
      id: AttributeID("\(namespace).\(label)"), namespace: namespace, label: label,
      reverse: Attribute.Name(namespace: target, label: reverse), valueType: .ref,
      cardinality: cardinality
    ).with { $0.isUnique = isUnique }
  }

  private static func add(
    _ world: inout NaiveWorld, _ namespace: String, _ name: String, _ time: Int64,
    _ values: [String: Value], isKnown: Bool = false
  ) {
    let id = id(name)
    if !isKnown { world.insert(id, AttributeID(namespace + ".id"), .text(id), time) }
    for (label, value) in values {
      world.insert(id, AttributeID("\(namespace).\(label)"), value, time)
    }
  }

  private static func join(
    _ world: inout NaiveWorld, _ namespace: String, _ label: String, _ pairs: [(String, String)]
  ) {
    for (from, to) in pairs {
      world.insert(id(from), AttributeID("\(namespace).\(label)"), .text(id(to)), 1)
    }
  }
}
