/// An error in a dataset: the problem, the file and the position.
public struct DatasetError: Error, Hashable, Sendable {
  /// The kind of an error in a file.
  public enum Problem: Hashable, Sendable {
    /// The text is not JSON.
    case json(JSONError.Problem)
    /// The syntax is invalid; the text says what was expected.
    case expected(String)
    /// An invalid entry in `schema.json`.
    case schema(String)
    /// The text is not CSV, for the given reason.
    case csv(String)
    /// An entity is incomplete at the end of its line; `noticed` describes the parser's error.
    case brokenRow(noticed: String)
    /// A label that contains dots, and the label that replaces it; a warning.
    case dotted(label: String, plain: String)
    /// A column without a name: its position, and the name assigned to it; a warning.
    case unnamed(column: Int, name: String)
    /// An unsupported character encoding.
    case encoding(String)
    /// A character encoding other than UTF-8, which was converted.
    case decoded(String)
    /// Two files have the same namespace, so the second file gets the namespace `name`.
    case rivalFile(other: String, namespace: String, name: String)
    /// A triple dump, which is a complete store, among files of entities.
    case dumpAmongFiles
    /// A `schema.json` without entities and links.
    case emptySchema
    /// Comment lines, which begin with `#`, before the header.
    case comments(count: Int)
    /// A CSV record whose number of fields differs from the header's.
    case fields(found: Int, expected: Int)
    /// A CSV record has more fields than the header; the additional values get columns of their own.
    /// `others` is the number of further such records.
    case extraFields(found: Int, expected: Int, others: Int, first: String, last: String)
    /// The numbers of a column have decimal commas or grouped digits, so the column is read as
    /// text.
    case ambiguousDecimals(label: String, text: String)
    /// A duplicate name in the header, and the name assigned to the second column.
    case sameColumn(label: String, name: String)
    /// Cells of a typed column are read as missing, because their text, such as `n/a`, has another
    /// type.
    case missingCells(count: Int, of: Int, label: String, type: CheckedType, text: String)
    /// A few cells have another type than all others, so the column is read as text.
    case almostTyped(count: Int, of: Int, label: String, type: CheckedType, text: String)
    /// A value in a list of entities that is not an object.
    case noObject(found: String)
    /// Entities with a key also have an `id` that is not a UUID and is renamed to `label`; a
    /// warning.
    case idBesideKey(label: String)
    /// An attribute that the schema declares unique has duplicate values, so it is loaded as not
    /// unique.
    case noLongerUnique(label: String, of: String, value: String)
    /// Triples refer to an attribute that the dump does not define.
    case unknownAttribute(String, triples: Int)
    /// A row has no value of the key column.
    case noKey(label: String)
    /// A row has both a key and an id that is not a UUID.
    case idAndKey(key: String)
    /// The key of a row has a type that cannot identify the row.
    case badKey(label: String, kind: String)
    /// A row has an attribute twice.
    case twice(label: String, of: String)
    /// Two rows have the same id.
    case duplicateEntity(entity: String, namespace: String)
    /// A required value is missing.
    case missing(label: String, of: String)
    /// A value has a different type than the schema declares.
    case wrongType(label: String, of: String, expected: CheckedType, found: String)
    /// Two rows share a value of a unique attribute.
    case notUnique(label: String, of: String, value: String)
    /// A row sets a link from its reverse end.
    case reverseLink(label: String, forward: String)
    /// The value of a link cannot be the key of an entity.
    case notALink(label: String, of: String, kind: String)
    /// A to-one link has several targets.
    case severalTargets(label: String, of: String)
    /// The target allows only one entity to link to it, and another entity already does.
    case targetTaken(label: String, of: String, value: String)
    /// The target of a link does not exist.
    case dangling(label: String, of: String, value: String, namespace: String)
    /// The files contain more than the maximum number of rows.
    case tooManyRows(limit: Int)
    /// A number that cannot be represented exactly, as it is written; a warning. `others` is the
    /// number of further such numbers.
    case inexact(String, others: Int)
  }

  /// What the loader did about the error.
  public enum Outcome: String, Hashable, Sendable {
    /// The row is not in the result.
    case rowLeftOut = "row skipped"
    /// The value is not in the result.
    case valueLeftOut = "value skipped"
    /// The link is not in the result.
    case linkLeftOut = "link skipped"
    /// The result contains the value unchanged.
    case valueKept = "value kept"
    /// The result contains the row unchanged.
    case rowKept = "row kept"
    /// The result contains the text unchanged.
    case asWritten = "read as written"
    /// The result contains only the last of several values.
    case lastTaken = "the last one is used"
    /// The result contains only the first of several values.
    case firstTaken = "the first one is used"
    /// The result has no values for the missing fields.
    case emptyFields = "missing fields are left empty"
    /// The result contains the value as an entity with one attribute.
    case asValue = "read as an entity with one attribute, 'value'"
    /// The result contains both rows.
    case bothKept = "both rows kept"
  }

  /// Whether the error concerns the syntax of the file, not its content.
  package var isOfForm: Bool {
    switch problem {
    case .json, .expected, .csv, .brokenRow, .encoding, .fields: true
    default: false
    }
  }

  /// Whether some data of the file was not loaded.
  package var losesData: Bool {
    switch outcome {
    case .rowLeftOut, .valueLeftOut, .linkLeftOut, .emptyFields, .firstTaken, .lastTaken: true
    case .valueKept, .rowKept, .asWritten, .asValue, .bothKept, nil: false
    }
  }

  /// The kind of the error.
  public let problem: Problem
  /// What the loader did about the error. Nil if the problem implies it, or if nothing was loaded.
  public internal(set) var outcome: Outcome?
  /// The name of the file; empty if the error concerns no file.
  public let file: String
  /// The line, from 1; nil for the whole file.
  public let line: Int?
  /// The column in characters, from 1; nil when only the line is known.
  public let column: Int?

  /// Creates an error at a position in a file.
  public init(_ problem: Problem, file: String, line: Int? = nil, column: Int? = nil) {
    self.problem = problem
    self.file = file
    self.line = line
    self.column = column
  }

  init(_ error: JSONError, file: String) {
    self.init(.json(error.problem), file: file, line: error.line, column: error.column)
  }

  /// Creates an error at an offset, and computes its line by counting from the beginning of the
  /// file.
  init(_ problem: Problem, file: String, at offset: Int, in source: UnsafeBufferPointer<UInt8>) {
    var line = 1
    for byte in source.prefix(offset) where byte == UInt8(ascii: "\n") { line += 1 }
    self.init(problem, file: file, line: line)
  }
}

extension DatasetError: CustomStringConvertible {
  /// The position and the reason, as in `cities.json, line 3, column 7: expected ':', found '1'`.
  public var message: String {
    if file.isEmpty { return withoutFile }
    return file + (line == nil ? ": " : ", ") + withoutFile
  }

  /// The message without the file's name.
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
    case .json(.invalidUTF8): "invalid UTF-8. Save the file as UTF-8"
    case .json(let problem): JSONError(problem, offset: 0, line: 1, column: 1).reason
    case .expected(let what): "expected \(what)"
    case .schema(let reason), .csv(let reason): reason
    case .brokenRow(let noticed): "the line does not contain a complete JSON object (\(noticed))"
    case .encoding(let name): "the encoding \(name) is not supported. Save the file as UTF-8"
    case .decoded(let name): "the text is not UTF-8; it was read as \(name)"
    case .dumpAmongFiles: "the file is a triple dump, which is a complete store. Open it separately"
    case .tooManyRows(let limit):
      "the file has more than \(limit) rows, which is implausible for an archive of this size"
    case .emptySchema: "the file has neither 'entities' nor 'links', so it was not used as a schema"
    case .comments(let count):
      "\(count) comment lines at the beginning were skipped"
    case .dotted, .unnamed, .rivalFile, .sameColumn, .idBesideKey, .noLongerUnique:
      renaming
    case .fields, .extraFields, .missingCells, .almostTyped, .ambiguousDecimals, .noObject,
      .unknownAttribute, .inexact:
      remark
    case .noKey, .idAndKey, .badKey, .twice, .duplicateEntity, .missing, .wrongType, .notUnique,
      .reverseLink, .notALink, .severalTargets, .targetTaken, .dangling:
      contradiction
    }
  }

  /// The message that a column or namespace was renamed.
  private var renaming: String {
    switch problem {
    case .dotted(let label, let plain):
      "'\(label)' was renamed to '\(plain)', because dots are path separators in queries"
    case .unnamed(let column, let name):
      "column \(column) has no name and was named '\(name)'"
    case .rivalFile(let other, let namespace, let name):
      "\(other) already contains '\(namespace)', so the namespace of this file is '\(name)'"
    case .sameColumn(let label, let name):
      "two columns are named '\(label)'; the second was renamed to '\(name)'"
    case .idBesideKey(let label):
      "the entities have a key, so their attribute 'id' was renamed to '\(label)'"
    case .noLongerUnique(let label, let entity, let value):
      "\(label) '\(value)' of '\(entity)' occurs more than once, so \(label) is not treated as unique"
    default: ""
    }
  }

  /// The message about values or rows that cannot be read as written.
  private var remark: String {
    switch problem {
    case .fields(let found, let expected):
      "the row has \(found) \(found == 1 ? "field" : "fields"), but the header has \(expected)"
    case .extraFields(let found, let expected, let others, let first, let last):
      "the row has \(found) fields, but the header has \(expected)"
        + (others > 0 ? ", as in \(others) more \(others == 1 ? "row" : "rows")" : "")
        + "; the additional values are in "
        + (first == last ? "'\(first)'" : "'\(first)' to '\(last)'")
    case .ambiguousDecimals(let label, let text):
      "the decimal separator of \(label) is ambiguous ('\(text)'), so the column was read as text. "
        + "Write the numbers of the file with decimal points and without digit grouping"
    case .missingCells(let count, let total, let label, let type, let text):
      "\(count) of \(total) values of \(label) are not \(type.plural) ('\(text)') "
        + "and were treated as missing"
    case .almostTyped(let count, let total, let label, let type, let text):
      "\(count) of \(total) values of \(label) \(count == 1 ? "is not a" : "are not") "
        + "\(count == 1 ? type.rawValue : type.plural) "
        + "('\(text)'), so the column was read as text"
    case .noObject(let found): "expected an object, found \(found)"
    case .unknownAttribute(let id, let triples):
      "the dump does not define the attribute '\(id)'; "
        + "\(triples) \(triples == 1 ? "triple" : "triples") skipped"
    case .inexact(let text, let others):
      "the number \(text) is "
        + (Double(text).map(\.isFinite) ?? false
          ? "stored as \(Double(text) ?? 0), the nearest representable number"
          : "too large and was skipped")
        + ". Write it as a string to keep it"
        + (others > 0 ? " (also concerns \(others) more)" : "")
    default: ""
    }
  }

  /// The message that an entity is invalid.
  private var contradiction: String {
    switch problem {
    case .noKey(let label): "an entity has no value for the key '\(label)'"
    case .idAndKey(let key):
      "an entity has both the key '\(key)' and an 'id' that is not a UUID. Remove one of them"
    case .badKey(let label, let kind):
      "the key '\(label)' must be a string or a number, not \(kind)"
    case .twice(let label, let entity): "the name '\(label)' occurs twice in \(entity)"
    case .duplicateEntity(let entity, let namespace):
      "the entity '\(entity)' occurs twice in \(namespace)"
    case .missing(let label, let entity): "'\(entity)' has no \(label), which is required"
    case .wrongType(let label, let entity, let expected, let found):
      "\(label) of '\(entity)' must be a \(expected.rawValue), not \(found)"
    case .notUnique(let label, let entity, let value):
      "\(label) '\(value)' of '\(entity)' must be unique, but occurs more than once"
    case .reverseLink(let label, let forward):
      "'\(label)' is the reverse of the link \(forward), which must be set instead"
    case .notALink(let label, let entity, let kind):
      "the link \(label) of '\(entity)' must be an id or a key, not \(kind)"
    case .severalTargets(let label, let entity):
      "the link \(label) of '\(entity)' is a list, but the schema allows only one value"
    case .targetTaken(let label, let entity, let value):
      "the link \(label) of '\(entity)' references '\(value)', but the schema allows only one such "
        + "link, and another entity already has it"
    case .dangling(let label, let entity, let value, let namespace):
      "the link \(label) of '\(entity)' references '\(value)', which does not exist in \(namespace)"
    default: ""
    }
  }
}

extension CheckedType {
  fileprivate var plural: String {
    switch self {
    case .string: "strings"
    case .number: "numbers"
    case .boolean: "booleans"
    case .date: "dates"
    }
  }
}
