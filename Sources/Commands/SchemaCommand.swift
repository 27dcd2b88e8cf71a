import ArgumentParser
import InstaQL
import LiveQueries
import Stores
import Triples

/// `sonde schema`: prints the namespaces of a store with their attributes and links.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print namespaces, attributes and links.",
    discussion: """
      text is easy to read; json is the schema.json of a folder; dot is a diagram for Graphviz, as in
        sonde schema world --format dot | dot -Tsvg > world.svg
      swift is a file of Swift types for typed queries in your own program.
      """)

  @Argument(help: ArgumentHelp(StoreLocation.help), completion: .file())
  var store: String

  @Option(help: "text, json, dot or swift.")
  var format: SchemaFormat = .text

  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var tables: TablesOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let location = try tables.applied(to: StoreLocation(store))
    let snapshot = try ProgressBar.during(location) { progress async throws(Failure) in
      let store = try await location.open(
        access: .readOnly, progress: progress, tokens: credentials.tokens)
      await store.printTextOrderRemark(for: nil)
      return try await store.snapshotOrFail()
    }
    _ = try Output.show(Array(format.text(of: snapshot).utf8))
    if snapshot.store.schema.namespaces.isEmpty {
      StandardError.write("\(StoreLocation.withoutSecrets(store)) is empty: it has no namespaces.")
    }
    if !location.isPast { try snapshot.freshness.printRemark() }
  }
}

/// The format of a printed schema.
enum SchemaFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, dot, swift

  /// Returns the whole schema in this format, with a final line break.
  func text(of snapshot: StoreSnapshot) -> String {
    let store = snapshot.store
    return switch self {
    case .text:
      SchemaText(
        store: store, counts: snapshot.served?.counts,
        estimated: snapshot.served?.estimated ?? []
      ).text
    case .json: SchemaJSON(schema: store.schema).text
    case .dot: SchemaDiagram(schema: store.schema).text
    case .swift: EntityTypes.swiftSource(for: store)
    }
  }
}

/// The schema as text, with a paragraph for each namespace.
private struct SchemaText {
  let store: TripleStore
  /// The entity counts that are known for a remote store; nil if the store can count its entities
  /// itself.
  let counts: [String: Int]?
  /// The namespaces whose counts are estimates.
  let estimated: Set<String>

  var text: String {
    store.schema.namespaces.map(paragraph).joined(separator: "\n")
  }

  private func paragraph(_ namespace: String) -> String {
    let rows =
      store.schema.attributes(of: namespace).filter { $0.valueType == .blob }.map {
        (TerminalSanitizer.line($0.label), Self.type(of: $0))
      }
      + store.schema.links(of: namespace).map {
        (TerminalSanitizer.line($0.label), Self.type(of: $0))
      }
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { label, type in
      "  " + label + String(repeating: " ", count: width - label.count + 2) + type
    }
    let count = counts == nil ? store.count(of: namespace) : counts?[namespace]
    let about = estimated.contains(namespace) ? "≈" : ""
    let number = count.map { "\(about)\($0)" } ?? "not counted"
    return ([TerminalSanitizer.line(namespace) + "  " + number] + lines).joined(separator: "\n")
      + "\n"
  }

  private static func type(of attribute: Attribute) -> String {
    var words = [TerminalSanitizer.line(attribute.typeName)]
    if attribute.cardinality == .many { words.append("many") }
    if attribute.isUnique { words.append("unique") }
    if attribute.hasIndex { words.append("indexed") }
    if attribute.isRequired { words.append("required") }
    return words.joined(separator: ", ")
  }

  private static func type(of link: Link) -> String {
    TerminalSanitizer.line(
      (link.cardinality == .one ? "→ " : "⇉ ") + link.target + " (\(link.otherLabel) there)")
  }
}

/// The schema in the format of a folder's `schema.json`.
private struct SchemaJSON {
  let schema: Schema

  var text: String {
    let entities = schema.namespaces.map { namespace in
      JSONObject.Member(key: namespace, value: entity(namespace))
    }
    let links = schema.attributes.compactMap { attribute in
      attribute.valueType == .ref ? attribute.reverse.map { link(attribute, $0) } : nil
    }
    return JSONWriter.text([
      "entities": .object(JSONObject(entities)), "links": .object(JSONObject(links)),
    ]) + "\n"
  }

  private func entity(_ namespace: String) -> Value {
    let attributes = schema.attributes(of: namespace).filter {
      $0.valueType == .blob && !$0.isIdentity
    }
    var object = JSONObject()
    if let label = schema.label(of: namespace) { object["label"] = .text(label) }
    object["attrs"] = .object(
      JSONObject(attributes.map { .init(key: $0.label, value: Self.attribute($0)) }))
    return .object(object)
  }

  private static func attribute(_ attribute: Attribute) -> Value {
    var object: JSONObject = [
      "valueType": .text(attribute.checkedType?.rawValue ?? "any"),
      "config": ["unique": .bool(attribute.isUnique), "indexed": .bool(attribute.hasIndex)],
    ]
    if attribute.isRequired { object["required"] = true }
    return .object(object)
  }

  private func link(_ attribute: Attribute, _ reverse: Attribute.Name) -> JSONObject.Member {
    var forward: JSONObject = [
      "on": .text(attribute.namespace), "label": .text(attribute.label),
      "has": .text(attribute.cardinality.rawValue),
    ]
    if attribute.isRequired { forward["required"] = true }
    if attribute.onDelete == .cascade { forward["onDelete"] = "cascade" }
    var back: JSONObject = [
      "on": .text(reverse.namespace), "label": .text(reverse.label),
      "has": .text(attribute.isUnique ? "one" : "many"),
    ]
    if attribute.onDeleteReverse == .cascade { back["onDelete"] = "cascade" }
    let name =
      attribute.namespace + attribute.label.prefix(1).uppercased()
      + attribute.label.dropFirst()
    return .init(key: name, value: ["forward": .object(forward), "reverse": .object(back)])
  }
}

/// The schema as a Graphviz diagram: a box for each namespace, an arrow for each link.
private struct SchemaDiagram {
  let schema: Schema

  var text: String {
    let boxes = schema.namespaces.map { namespace in
      let attributes = schema.attributes(of: namespace).filter { $0.valueType == .blob }
      let lines = attributes.map {
        Self.escaped("\($0.label): \($0.checkedType?.rawValue ?? "any")") + "\\l"
      }
      return
        "  \(Self.quoted(namespace)) [label=\"{\(Self.escaped(namespace))|\(lines.joined())}\"];"
    }
    let arrows = schema.attributes.compactMap { attribute -> String? in
      guard attribute.valueType == .ref, let reverse = attribute.reverse else { return nil }
      let head = attribute.cardinality == .one ? "normal" : "crow"
      let tail = attribute.isUnique ? "none" : "crow"
      let names = "label=\(Self.quoted(attribute.label + " / " + reverse.label))"
      return "  \(Self.quoted(attribute.namespace)) -> \(Self.quoted(reverse.namespace)) "
        + "[\(names), arrowhead=\(head), arrowtail=\(tail), dir=both];"
    }
    return (["digraph schema {", "  node [shape=record];"] + boxes + arrows + ["}"])
      .joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.escaping("\\", as: "\\\\").escaping("\"", as: "\\\"") + "\""
  }

  /// Escapes the special characters of Graphviz' record labels.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "{}|<>\\\"".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}
