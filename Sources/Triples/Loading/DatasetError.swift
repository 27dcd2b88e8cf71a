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
    /// The same, which was read all the same.
    case decoded(String)
    /// Two files for the entities of one namespace, and what that of this file is called instead.
    case rivalFile(other: String, namespace: String, name: String)
    /// A dump of triples, which holds a whole store, beside files of entities.
    case dumpAmongFiles
    /// A `schema.json` that describes something else.
    case emptySchema
    /// Lines before the header that begin with `#`.
    case comments(count: Int)
    /// A record of CSV with fewer or more fields than the header.
    case fields(found: Int, expected: Int)
    /// A name that stands twice in the header, and what the latter column is called.
    case sameColumn(label: String, name: String)
    /// Cells of a column that mean a missing value.
    case missingCells(count: Int, of: Int, label: String, type: CheckedType, text: String)
    /// A column is text because of a few cells.
    case almostTyped(count: Int, of: Int, label: String, type: CheckedType, text: String)
    /// A file that is no list, but holds what is no object.
    case noObject(found: String)
    /// Values under `id` that are no UUIDs, beside keys; and where they are.
    case idBesideKey(label: String)
    /// An attribute that the schema calls unique, and is not.
    case noLongerUnique(label: String, of: String, value: String)
    /// Triples of an attribute that is not among the attributes.
    case unknownAttribute(String, triples: Int)
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
    /// More rows than may be read.
    case tooManyRows(limit: Int)
    /// A number that no value can hold, as it was written; told as a warning. `others` come after it.
    case inexact(String, others: Int)
  }

  /// What became of what is wrong.
  public enum Outcome: String, Hashable, Sendable {
    case rowLeftOut = "the row is left out"
    case valueLeftOut = "the value is left out"
    case linkLeftOut = "the link is left out"
    case valueKept = "the value is kept"
    case rowKept = "the row is kept"
    case asWritten = "it is read as it stands"
    case lastTaken = "the last is taken"
    case firstTaken = "the first is taken"
    case emptyFields = "the others are empty"
    case asValue = "it is read as an entity with a 'value'"
    case bothKept = "both rows are kept"
  }

  /// Whether the file cannot be read at all, whatever it says.
  package var isOfForm: Bool {
    switch problem {
    case .json, .expected, .csv, .brokenRow, .encoding, .fields: true
    default: false
    }
  }

  /// Whether something of the file is not in the store.
  package var losesData: Bool {
    switch outcome {
    case .rowLeftOut, .valueLeftOut, .linkLeftOut, .emptyFields, .firstTaken, .lastTaken: true
    case .valueKept, .rowKept, .asWritten, .asValue, .bothKept, nil: false
    }
  }

  public let problem: Problem
  /// What the loader did about it; nil where the problem says so, or nothing was read.
  public internal(set) var outcome: Outcome?
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
  package var withoutFile: String {
    var place = ""
    if let line { place = "line \(line)" }
    if let column { place += ", column \(column)" }
    let reason = outcome.map { "\(self.reason); \($0.rawValue)" } ?? reason
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
    case .encoding(let name): "the text is \(name): save the file as UTF-8"
    case .decoded(let name): "the text is not UTF-8, and is read as \(name)"
    case .dumpAmongFiles: "a dump of triples holds a whole store: open it by itself"
    case .tooManyRows(let limit):
      "there are more than \(limit) rows here, which no archive of this size holds as data"
    case .emptySchema: "it has neither 'entities' nor 'links', so it describes none of the files"
    case .comments(let count):
      "\(count) lines at the beginning are comments, and are skipped"
    case .dotted, .unnamed, .rivalFile, .sameColumn, .idBesideKey, .noLongerUnique:
      renaming
    case .fields, .missingCells, .almostTyped, .noObject, .unknownAttribute, .inexact:
      remark
    case .noKey, .idAndKey, .badKey, .twice, .duplicateEntity, .missing, .wrongType, .notUnique,
      .reverseLink, .notALink, .severalTargets, .targetTaken, .dangling:
      contradiction
    }
  }

  /// What is called otherwise than it is written.
  private var renaming: String {
    switch problem {
    case .dotted(let label, let plain):
      "'\(label)' is called '\(plain)' here, for a dot in a query leads to another entity"
    case .unnamed(let column, let name):
      "column \(column) has no name, and is called '\(name)' here"
    case .rivalFile(let other, let namespace, let name):
      "\(other) already holds the \(namespace), so these are called '\(name)' here"
    case .sameColumn(let label, let name):
      "'\(label)' stands twice in the first line; the latter is called '\(name)' here"
    case .idBesideKey(let label):
      "the entities have keys beside their 'id', so the id is called '\(label)' here"
    case .noLongerUnique(let label, let entity, let value):
      "\(label) '\(value)' of '\(entity)' is not unique, so \(label) is not taken as unique"
    default: ""
    }
  }

  /// What is not as the rest of the file would have it.
  private var remark: String {
    switch problem {
    case .fields(let found, let expected):
      "\(found) fields, but the first line has \(expected)"
    case .missingCells(let count, let total, let label, let type, let text):
      "\(count) of \(total) values of \(label) are not \(type.plural) ('\(text)'), "
        + "and are taken as missing"
    case .almostTyped(let count, let total, let label, let type, let text):
      "\(count) of \(total) values of \(label) \(count == 1 ? "is" : "are") not \(type.plural) "
        + "('\(text)'), so all are read as text"
    case .noObject(let found): "expected an object for an entity, found \(found)"
    case .unknownAttribute(let id, let triples):
      "no attribute has the id '\(id)', so \(triples) \(triples == 1 ? "triple is" : "triples are") "
        + "left out"
    case .inexact(let text, let others):
      "the number \(text) is "
        + (Double(text).map(\.isFinite) ?? false
          ? "read as \(Double(text) ?? 0), the nearest that can be kept"
          : "too large to be kept, and left out")
        + "; write it as a text" + (others > 0 ? " (so are \(others) more)" : "")
    default: ""
    }
  }

  /// What an entity says that it cannot be.
  private var contradiction: String {
    switch problem {
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
    default: ""
    }
  }
}

extension CheckedType {
  fileprivate var plural: String {
    switch self {
    case .string: "texts"
    case .number: "numbers"
    case .boolean: "booleans"
    case .date: "dates"
    }
  }
}
