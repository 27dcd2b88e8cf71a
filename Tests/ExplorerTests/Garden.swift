import Triples

/// A small store that all tests of the screen look at: plants in beds.
enum Garden {
  static let schema = #"""
    {"entities": {
      "beds": {"key": "key", "label": "name", "attrs": {
        "key": {"valueType": "string", "config": {"unique": true, "indexed": true}},
        "name": {"valueType": "string", "config": {"unique": false, "indexed": true}},
        "area": {"valueType": "number", "config": {"unique": false, "indexed": true}}}},
      "plants": {"key": "key", "label": "name", "attrs": {
        "key": {"valueType": "string", "config": {"unique": true, "indexed": true}},
        "name": {"valueType": "string", "config": {"unique": false, "indexed": true}},
        "height": {"valueType": "number", "config": {"unique": false, "indexed": true}},
        "edible": {"valueType": "boolean", "config": {"unique": false, "indexed": true}},
        "sown": {"valueType": "date", "config": {"unique": false, "indexed": true}},
        "note": {"valueType": "string", "config": {"unique": false, "indexed": false}}}}},
     "links": {"bedPlants": {"forward": {"on": "plants", "label": "bed", "has": "one"},
                             "reverse": {"on": "beds", "label": "plants", "has": "many"}}}}
    """#

  static let beds = #"""
    [{"key": "south", "name": "South wall", "area": 12.5},
     {"key": "pond", "name": "By the pond", "area": 8},
     {"key": "empty", "name": "Fallow", "area": 10000}]
    """#

  static let plants = #"""
    [{"key": "fig", "name": "Fig", "height": 250, "edible": true, "sown": "2019-04-01", "bed": "south"},
     {"key": "iris", "name": "Iris", "height": 80, "edible": false, "sown": "2022-03-15", "bed": "pond"},
     {"key": "mint", "name": "Mint", "height": 40, "edible": true, "sown": "2023-05-02", "bed": "pond"},
     {"key": "ume", "name": "梅 Ume", "height": 310, "edible": true, "sown": null, "bed": "south"},
     {"key": "odd", "name": "Odd\u001b[31m\tone", "height": 12345, "edible": false, "note": "é"}]
    """#

  private static let usual = Result { try load(schema: schema, plants: plants) }

  static func store() throws -> TripleStore { try usual.get() }

  static func store(schema: String = schema, plants: String) throws -> TripleStore {
    try load(schema: schema, plants: plants)
  }

  static func store(schema: String) throws -> TripleStore {
    try load(schema: schema, plants: plants)
  }

  private static func load(schema: String, plants: String) throws -> TripleStore {
    try Dataset.load([
      (name: "schema.json", bytes: Array(schema.utf8)),
      (name: "beds.json", bytes: Array(beds.utf8)),
      (name: "plants.json", bytes: Array(plants.utf8)),
    ])
  }
}
