/// Why files are no dataset: what is wrong, in which file and where in it.
public struct DatasetError: Error, Hashable, Sendable {
  public enum Problem: Hashable, Sendable {
    case json(JSONError.Problem)
    /// What the format wants there.
    case expected(String)
    /// Something in `schema.json` that cannot be.
    case schema(String)
    case csv(String)
    /// An entity of a file of lines that does not end with its line, and what was noticed where.
    case brokenRow(noticed: String)
    /// A label with dots, and what it is called instead; told as a warning.
    case dotted(label: String, plain: String)
    /// A column without a name, by its number, and what it is called; told as a warning.
    case unnamed(column: Int, name: String)
    /// Another spelling of characters than the one that is read.
    case encoding(String)
    /// Two files for the entities of one namespace.
    case rivalFile(other: String, namespace: String)
    case noKey(label: String)
    case idAndKey(key: String)
    case badKey(label: String, kind: String)
    case twice(label: String, of: String)
    case duplicateEntity(entity: String, namespace: String)
    case missing(label: String, of: String)
    case wrongType(label: String, of: String, expected: CheckedType, found: String)
    case notUnique(label: String, of: String, value: String)
    case reverseLink(label: String, forward: String)
    case notALink(label: String, of: String, kind: String)
    case severalTargets(label: String, of: String)
    case targetTaken(label: String, of: String, value: String)
    case dangling(label: String, of: String, value: String, namespace: String)
    /// A number that no value can hold, as it was written; told as a warning. `others` come after it.
    case inexact(String, others: Int)
  }

  /// Whether the file cannot be read at all, whatever it says.
  package var isOfForm: Bool {
    switch problem {
    case .json, .expected, .csv, .brokenRow, .encoding: true
    case .schema, .dotted, .unnamed, .rivalFile, .noKey, .idAndKey, .badKey, .twice,
      .duplicateEntity,
      .missing, .wrongType, .notUnique, .reverseLink, .notALink, .severalTargets, .targetTaken,
      .dangling, .inexact:
      false
    }
  }

  public let problem: Problem
  /// The file's name; empty when there are only bytes.
  public let file: String
  /// Counted from 1; nil for what concerns a whole file.
  public let line: Int?
  /// In characters, counted from 1; nil where the line says enough.
  public let column: Int?

  public init(_ problem: Problem, file: String, line: Int? = nil, column: Int? = nil) {
    self.problem = problem
    self.file = file
    self.line = line
    self.column = column
  }

  init(_ error: JSONError, file: String) {
    self.init(.json(error.problem), file: file, line: error.line, column: error.column)
  }

  /// Finds the line of an offset by reading from the beginning.
  init(_ problem: Problem, file: String, at offset: Int, in source: UnsafeBufferPointer<UInt8>) {
    var line = 1
    for byte in source.prefix(offset) where byte == UInt8(ascii: "\n") { line += 1 }
    self.init(problem, file: file, line: line)
  }
}

extension DatasetError: CustomStringConvertible {
  /// The place and the reason, as in `cities.json, line 3, column 7: expected ':', found '1'`.
  public var message: String {
    if file.isEmpty { return withoutFile }
    return file + (line == nil ? ": " : ", ") + withoutFile
  }

  /// The same without the file's name.
  var withoutFile: String {
    var place = ""
    if let line { place = "line \(line)" }
    if let column { place += ", column \(column)" }
    return place.isEmpty ? reason : "\(place): \(reason)"
  }

  public var description: String { message }

  private var reason: String {
    switch problem {
    case .json(.invalidUTF8): "the bytes are not UTF-8: save the file as UTF-8"
    case .json(let problem): JSONError(problem, offset: 0, line: 1, column: 1).reason
    case .expected(let what): "expected \(what)"
    case .schema(let reason), .csv(let reason): reason
    case .brokenRow(let noticed): "the entity is not complete on its line (\(noticed))"
    case .dotted(let label, let plain):
      "'\(label)' is called '\(plain)' here, for a dot in a query leads to another entity"
    case .unnamed(let column, let name):
      "column \(column) has no name, and is called '\(name)' here"
    case .encoding(let name): "the text is \(name): save the file as UTF-8"
    case .rivalFile(let other, let namespace):
      "\(other) already holds the \(namespace); keep one of the two"
    case .noKey(let label): "an entity without '\(label)', which is its key"
    case .idAndKey(let key): "an entity with both an id that is no UUID and the key '\(key)'"
    case .badKey(let label, let kind): "'\(label)' cannot be \(kind); a key is a text or a number"
    case .twice(let label, let entity): "'\(label)' stands twice in \(entity)"
    case .duplicateEntity(let entity, let namespace):
      "'\(entity)' stands twice among the \(namespace)"
    case .missing(let label, let entity): "'\(entity)' has no \(label), which is required"
    case .wrongType(let label, let entity, let expected, let found):
      "\(label) of '\(entity)' should be a \(expected.rawValue), not \(found)"
    case .notUnique(let label, let entity, let value):
      "\(label) '\(value)' of '\(entity)' is not unique"
    case .reverseLink(let label, let forward):
      "'\(label)' is the other side of \(forward); write the link there"
    case .notALink(let label, let entity, let kind):
      "\(label) of '\(entity)' cannot be \(kind); a link is written as an id or a key"
    case .severalTargets(let label, let entity):
      "\(label) of '\(entity)' is a list, but the schema says that it has one"
    case .targetTaken(let label, let entity, let value):
      "\(label) '\(value)' of '\(entity)' belongs to another already, but the schema says one"
    case .dangling(let label, let entity, let value, let namespace):
      "\(label) '\(value)' of '\(entity)' is no entity of \(namespace)"
    case .inexact(let text, let others):
      "the number \(text) is "
        + (Double(text).map(\.isFinite) ?? false
          ? "read as \(Double(text) ?? 0), the nearest that can be kept"
          : "too large to be kept, and left out")
        + "; write it as a text" + (others > 0 ? " (so are \(others) more)" : "")
    }
  }
}
