/// How entities are arranged in a file or in a part of a file.
enum DatasetLayout: Hashable {
  /// An array of objects.
  case array
  /// A sequence of objects.
  case lines
  /// An object whose keys are ids and whose values are entities.
  case map
  /// A single object.
  case single
  /// GeoJSON features: an array of objects with `properties` and `geometry`.
  case features
  case records(CSVReader.Form)
}

/// A list of entities of one namespace within a file.
struct DatasetPart {
  /// The index of the file.
  let file: Int
  let layout: DatasetLayout
  /// The preferred name of the namespace.
  var name: String
  /// The byte offset of the first entity.
  var offset = 0
  /// The members of the file's object that this part skips, because other parts contain them.
  var skipped: Set<String> = []
}

/// Determines the layout of a JSON file that contains an object.
///
/// - A member that is a list of objects is a namespace named by its key. All other members together
///   are one entity in the namespace of the file.
/// - GeoJSON features are the entities of one namespace.
/// - An object whose members are objects contains entities by id. So does an object with more than
///   ``maxColumnsOfOne`` values of a single type.
/// - If an object has a member `data` or a single member, and that member is an object, the inner
///   object is read instead.
/// - Any other object is one entity. If more objects follow it, each of them is an entity, too.
struct JSONLayoutFinder: ~Copyable {
  private var parser: JSONParser
  private let file: SourceFile
  private let name: String

  /// The maximum number of values of a single type in an entity. An object with more is a map of
  /// entities.
  static let maxColumnsOfOne = 24
  private static let maxDepth = 8

  /// The kind of value that an object's member has.
  private enum Kind: Hashable {
    case objects, map, object, features, other(JSONNode.Kind)

    var isNamespace: Bool { self == .objects || self == .map || self == .features }
    var isObject: Bool { self == .object || self == .map }
  }

  private struct Member {
    let name: String
    let kind: Kind
    let offset: Int
  }

  init(_ file: SourceFile, name: String) {
    self.file = file
    self.name = name
    parser = JSONParser(
      file.source, options: JSONOptions(largeIntegers: .doubles, hugeNumbers: .null))
  }

  /// Returns the parts of the file; nil if it is a triple dump.
  mutating func parts() throws(DatasetError) -> [DatasetPart]? {
    parser.skipSpace()
    return try parts(at: parser.position, named: name, depth: 0)
  }

  private mutating func parts(
    at offset: Int, named name: String, depth: Int
  ) throws(DatasetError) -> [DatasetPart]? {
    parser.position = offset
    let members = try members()
    if depth == 0 {
      parser.skipSpace()
      if !parser.isAtEnd { return [part(.lines, name, offset)] }
      let names = Set(members.map(\.name))
      if names.isSuperset(of: ["attrs", "triples"]) { return nil }
    }
    if let features = members.first(where: { $0.name == "features" && $0.kind == .features }) {
      return [part(.features, name, features.offset)]
    }
    // The data of an API response, or the only member.
    let inner =
      members.first { $0.name == "data" && $0.kind.isObject }
      ?? (members.count == 1 && members[0].kind.isObject ? members[0] : nil)
    if let inner, depth < Self.maxDepth {
      let innerName = inner.name == "data" ? name : inner.name
      let found = try parts(at: inner.offset, named: innerName, depth: depth + 1) ?? []
      return found + rest(of: members, without: [inner.name], at: offset, named: name)
    }
    if members.contains(where: { $0.kind == .objects || $0.kind == .features }) {
      return namespaces(members, at: offset, named: name)
    }
    return [part(Self.isMap(members) ? .map : .single, name, offset)]
  }

  private func part(_ layout: DatasetLayout, _ name: String, _ offset: Int) -> DatasetPart {
    DatasetPart(file: file.number, layout: layout, name: name, offset: offset)
  }

  private func namespaces(
    _ members: [Member], at offset: Int, named name: String
  ) -> [DatasetPart] {
    var parts: [DatasetPart] = []
    for member in members where member.kind.isNamespace {
      let layout: DatasetLayout =
        switch member.kind {
        case .map: .map
        case .features: .features
        case .objects, .object, .other: .array
        }
      parts.append(part(layout, member.name, member.offset))
    }
    return parts + rest(of: members, without: Set(parts.map(\.name)), at: offset, named: name)
  }

  /// Returns a part whose single entity has all members except `names`; empty if there are no other
  /// members.
  private func rest(
    of members: [Member], without names: Set<String>, at offset: Int, named name: String
  ) -> [DatasetPart] {
    guard members.contains(where: { !names.contains($0.name) }) else { return [] }
    var rest = part(.single, name, offset)
    rest.skipped = names
    return [rest]
  }

  /// Returns whether the keys of an object are ids of entities.
  private static func isMap(_ members: [Member]) -> Bool {
    guard let first = members.first else { return false }
    if members.allSatisfy({ $0.kind.isObject }) { return members.count > 1 }
    return members.count > maxColumnsOfOne && members.allSatisfy { $0.kind == first.kind }
  }

  // MARK: Parsing

  /// Returns the members of the object at the parser's position, and moves the parser to the
  /// object's end.
  private mutating func members() throws(DatasetError) -> [Member] {
    guard parser.consume(UInt8(ascii: "{")) else {
      throw DatasetError(parser.unexpected("'{'"), file: file.name)
    }
    var members: [Member] = []
    if parser.consume(UInt8(ascii: "}")) { return members }
    repeat {
      let key = try JSONRows.key(&parser, file)
      parser.skipSpace()
      let offset = parser.position
      members.append(Member(name: key, kind: try kind(), offset: offset))
    } while parser.consume(UInt8(ascii: ","))
    guard parser.consume(UInt8(ascii: "}")) else {
      throw DatasetError(parser.unexpected("',' or '}'"), file: file.name)
    }
    return members
  }

  /// Skips a value and returns its kind. The elements of a list are parsed one at a time, so that
  /// the tape stays small.
  private mutating func kind() throws(DatasetError) -> Kind {
    guard parser.consume(UInt8(ascii: "[")) else {
      try parse()
      return Self.kind(of: parser.root)
    }
    if parser.consume(UInt8(ascii: "]")) { return .other(.array) }
    var (areObjects, areFeatures) = (true, true)
    repeat {
      try parse()
      if parser.root.kind != .object { areObjects = false }
      if !parser.root.isFeature { areFeatures = false }
    } while parser.consume(UInt8(ascii: ","))
    guard parser.consume(UInt8(ascii: "]")) else {
      throw DatasetError(parser.unexpected("',' or ']'"), file: file.name)
    }
    return areFeatures ? .features : areObjects ? .objects : .other(.array)
  }

  private static func kind(of node: JSONNode) -> Kind {
    guard node.kind == .object else { return .other(node.kind) }
    var member = node.first
    for _ in 0..<node.count {
      if member.next.kind != .object { return .object }
      member = member.next.next
    }
    return node.count > 1 ? .map : .object
  }

  private mutating func parse() throws(DatasetError) {
    do throws(JSONError) { try parser.parseValue() } catch {
      throw DatasetError(error, file: file.name)
    }
  }
}

extension JSONNode {
  /// Whether the object is a GeoJSON feature.
  fileprivate var isFeature: Bool {
    guard kind == .object, let type = member("type"), type.isText("Feature") else { return false }
    return member("properties") != nil
  }
}
