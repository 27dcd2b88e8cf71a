import InstaQL
import Triples

/// The environment variables for a shell command, limited in size.
struct CommandVariables: Sendable, Equatable {
  private(set) var values: [String: String] = [:]
  private var bytes = 0

  /// The maximum length of a value in bytes; longer values are omitted.
  static let maxValueBytes = 64 << 10
  /// The maximum length of all values together in bytes.
  static let maxBytes = 512 << 10

  /// Adds a value, unless it is too long or the name is in use.
  mutating func add(_ value: String?, as name: String) {
    guard let value, values[name] == nil, value.utf8.count <= Self.maxValueBytes,
      bytes + value.utf8.count <= Self.maxBytes, !value.utf8.contains(0)
    else { return }
    bytes += value.utf8.count
    values[name] = value
  }

  /// Adds variables for the id, the label and each field of a row.
  mutating func add(_ row: RowAtCursor) {
    let catalog = row.catalog
    add(catalog.displayID(of: row.entity, in: row.namespace), as: "SONDE_ID")
    add(row.label, as: "SONDE_LABEL")
    if let source = row.source {
      add(source.label, as: "SONDE_COLUMN")
      add(catalog.text(of: row.entity, source), as: "SONDE_VALUE")
    }
    for source in catalog.lines(of: row.namespace) {
      if source.link?.cardinality == .many { continue }
      add(catalog.text(of: row.entity, source), as: Self.name(ofField: source.label))
    }
  }

  /// Returns the name of the variable for a field. Characters other than ASCII letters and digits
  /// become `_`.
  static func name(ofField field: String) -> String {
    "SONDE_FIELD_"
      + String(field.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
