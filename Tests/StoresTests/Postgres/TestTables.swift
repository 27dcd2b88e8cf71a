import Triples

/// A store of triples as tables of PostgreSQL: a column for each attribute, a foreign key for each link to one,
/// a table of pairs for each link to several.
struct TestTables {
  let store: TripleStore

  var sql: String {
    let names = store.schema.namespaces.filter { store.schema.attribute($0, "id") != nil }
    var statements: [String] = []
    for name in names { statements.append(table(name)) }
    for attribute in links where attribute.cardinality == .one {
      statements.append(
        "ALTER TABLE \(quoted(attribute.namespace)) ADD COLUMN \(quoted(attribute.label + "_id")) "
          + "text REFERENCES \(quoted(attribute.reverse?.namespace ?? ""));")
    }
    for name in names { statements += rows(of: name) }
    for attribute in links { statements += pairs(attribute) }
    return statements.joined(separator: "\n")
  }

  private var links: [Attribute] {
    store.schema.attributes.filter { attribute in
      attribute.valueType == .ref
        && store.schema.attribute(attribute.reverse?.namespace ?? "", "id") != nil
        && store.schema.attribute(attribute.namespace, "id") != nil
    }
  }

  private func values(of namespace: String) -> [Attribute] {
    store.schema.attributes(of: namespace).filter {
      $0.valueType == .blob && !$0.isIdentity && $0.cardinality == .one
    }
  }

  private func table(_ namespace: String) -> String {
    let columns = values(of: namespace).map { "\(quoted($0.label)) \(type($0))" }
    return "CREATE TABLE \(quoted(namespace)) ("
      + (["\"id\" text PRIMARY KEY"] + columns).joined(separator: ", ") + ");"
  }

  private func type(_ attribute: Attribute) -> String {
    var kinds: Set<String> = []
    for entity in store.rows(attribute.id, .stored).handles {
      switch store.value(entity, attribute.id) ?? .null {
      case .null: break
      case .bool: kinds.insert("bool")
      case .integer: kinds.insert("int8")
      case .double: kinds.insert("float8")
      case .text: kinds.insert("text")
      case .array, .object: kinds.insert("jsonb")
      }
    }
    if kinds == ["int8", "float8"] { return "float8" }
    return kinds.count == 1 ? kinds.first ?? "text" : kinds.isEmpty ? "text" : "jsonb"
  }

  private func rows(of namespace: String) -> [String] {
    let attributes = values(of: namespace)
    let types = attributes.map(type)
    return store.rows(of: namespace).handles.map { entity in
      let cells = zip(attributes, types).map { attribute, type in
        literal(store.value(entity, attribute.id) ?? .null, type)
      }
      let id = literal(.text(store.id(of: entity).text), "text")
      let columns = ["\"id\""] + attributes.map { quoted($0.label) }
      return "INSERT INTO \(quoted(namespace)) (\(columns.joined(separator: ", "))) VALUES ("
        + ([id] + cells).joined(separator: ", ") + ");"
    }
  }

  private func pairs(_ attribute: Attribute) -> [String] {
    let (near, far) = (attribute.namespace, attribute.reverse?.namespace ?? "")
    let ends = store.rows(of: near).handles.flatMap { entity in
      store.targets(entity, Link(attribute, .forward))
        .filter { store.rows(of: far).contains($0) }
        .map {
          (
            literal(.text(store.id(of: entity).text), "text"),
            literal(.text(store.id(of: $0).text), "text")
          )
        }
    }
    if attribute.cardinality == .one {
      return ends.map { source, target in
        "UPDATE \(quoted(near)) SET \(quoted(attribute.label + "_id")) = \(target) WHERE \"id\" = \(source);"
      }
    }
    let table = quoted("\(near)_\(attribute.label)")
    let create =
      "CREATE TABLE \(table) (\"source\" text REFERENCES \(quoted(near)), "
      + "\"\(attribute.label)_id\" text REFERENCES \(quoted(far)), "
      + "PRIMARY KEY (\"source\", \"\(attribute.label)_id\"));"
    return [create] + ends.map { "INSERT INTO \(table) VALUES (\($0.0), \($0.1));" }
  }

  private func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  private func literal(_ value: Value, _ type: String) -> String {
    let text =
      switch value {
      case .null: "NULL"
      case .bool(let flag) where type == "bool": "\(flag)"
      case .integer(let number) where type != "jsonb": "\(number)"
      case .double(let number) where type != "jsonb": "\(number)"
      case .text(let text) where type == "text": "'" + text.replacing("'", with: "''") + "'"
      default: "'" + JSONWriter.text(value).replacing("'", with: "''") + "'"
      }
    return text.utf8.contains(0) ? "NULL" : text
  }
}
