import TerminalUI
import Triples
import Widgets

/// The text, color and alignment of a value in a table.
struct CellText: Sendable, Equatable {
  var text: String
  var role: Role
  var isRightAligned = false
  /// The text for a screen reader; nil if it equals `text`.
  private(set) var spoken: String?

  /// The cell of a stored null: `∅`. A missing value is `·` instead.
  static let null = CellText(text: "∅", role: .null)
  static let missing = CellText(text: "·", role: .missing)

  /// Creates the cell of `value`, cut to the length that a cell can show.
  ///
  /// - Parameters:
  ///   - attribute: The attribute of the value; nil for a computed value.
  ///   - maxLength: The maximum length of a text in characters.
  init(
    _ value: Value?, of attribute: Attribute? = nil, _ grouping: NumberText.Grouping = .long,
    _ decimals: NumberText.Decimals = .all, maxLength: Int = Self.maxShownLength
  ) {
    switch value {
    case nil: self = .missing
    case .null: self = .null
    case .bool(let flag): self.init(text: flag ? "true" : "false", role: .boolean)
    case .integer(let number): self.init(number: number, of: attribute, grouping, decimals)
    case .double(let number):
      self.init(number: NumberText.text(number, grouping, decimals), decimals)
    case .text(let text):
      let shown = Self.cut(text, to: maxLength)
      if text.isBlank {
        // Quotes make the whitespace visible.
        self.init(text: "\"\(shown)\"", role: .dim)
      } else {
        self.init(text: shown, role: attribute?.checkedType == .date ? .date : .string)
      }
    case .array, .object:
      if let size = attribute?.blobSize(of: value) {
        self.init(text: NumberText.bytes(size), role: .dim)
        return
      }
      self.init(text: Self.cut(JSONWriter.text(value ?? .null), to: maxLength), role: .dim)
    }
  }

  private init(
    number: Int64, of attribute: Attribute?, _ grouping: NumberText.Grouping,
    _ decimals: NumberText.Decimals
  ) {
    if attribute?.checkedType == .date {
      self.init(text: InstantText.utc(milliseconds: number), role: .date)
    } else {
      self.init(number: NumberText.grouped(number, grouping), decimals)
    }
  }

  private init(number text: String, _ decimals: NumberText.Decimals) {
    let shown =
      switch decimals {
      case .equal(let count), .cut(let count), .atLeast(let count):
        NumberText.padded(text, decimals: count)
      case .all, .few: text
      }
    self.init(text: shown, role: .number, isRightAligned: true)
  }

  init(text: String, role: Role, isRightAligned: Bool = false, spoken: String? = nil) {
    self.text = text
    self.role = role
    self.isRightAligned = isRightAligned
    self.spoken = spoken
  }

  /// Returns the cell padded for its column. Numbers are aligned at the decimal point, and a
  /// missing value among numbers is right-aligned.
  func standing(in fit: ColumnFit, width: Int) -> CellText {
    guard fit.isRightAligned else { return self }
    var cell = self
    if isRightAligned {
      cell.text = fit.aligned(text, in: width)
    } else if role == .null || role == .missing {
      cell.isRightAligned = true
    }
    return cell
  }

  /// Returns the cell, scrolled so that the match of a search is visible.
  func showing(_ pattern: TextPattern, within columns: Int) -> CellText {
    if isRightAligned { return self }
    var cell = self
    cell.text = pattern.part(of: text, within: columns)
    return cell
  }

  /// The default maximum length of a text in characters. It exceeds the width of any terminal.
  private static let maxShownLength = 500

  private static func cut(_ text: String, to length: Int) -> String {
    text.utf8.count <= length ? text : String(text.prefix(length))
  }
}

extension Frame {
  /// Writes a cell at a place of one line.
  mutating func write(_ cell: CellText, in place: Rect, on ground: Role) {
    if ground == .cursorCell { fill(place, Paint(.text, on: ground)) }
    write(
      cell.text, row: place.row, column: place.column, width: place.columns,
      paint: Paint(cell.role, on: ground),
      alignment: cell.isRightAligned ? .trailing : .leading)
  }
}

extension Attribute {
  /// The size of a BLOB in a database column, in bytes; nil for any other value.
  func blobSize(of value: Value?) -> Int? { column == nil ? nil : value?.byteCount }
}
