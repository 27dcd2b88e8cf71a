import TerminalUI
import Triples

/// One value as a table shows it: its text, how it is coloured, and on which side it stands.
struct CellText: Sendable, Equatable {
  var text: String
  var role: Role
  var isRightAligned = false

  /// A stored null and a missing value look different, and neither looks like a text.
  static let null = CellText(text: "∅", role: .null)
  static let missing = CellText(text: "·", role: .missing)

  /// A text that one would not see has quotes around it, which belong to it as little as `∅` does.
  static func blank(_ text: String) -> CellText { CellText(text: "\"\(text)\"", role: .dim) }

  /// What stands for `value` of `attribute`; texts are cut to what a cell could ever show.
  ///
  /// - Parameter attribute: Nil for what was worked out.
  init(_ value: Value?, of attribute: Attribute? = nil, _ grouping: NumberText.Grouping = .long) {
    switch value {
    case nil: self = .missing
    case .null: self = .null
    case .bool(let flag): self.init(text: flag ? "true" : "false", role: .boolean)
    case .integer(let number): self.init(number: number, of: attribute, grouping)
    case .double(let number):
      self.init(text: NumberText.grouped(number, grouping), role: .number, isRightAligned: true)
    case .text(let text):
      self.init(
        text: String(text.prefix(Self.longest)),
        role: attribute?.checkedType == .date ? .date : .string)
      if text.allSatisfy(\.isWhitespace) { self = Self.blank(self.text) }
    case .array, .object:
      self.init(text: String(JSONWriter.text(value ?? .null).prefix(Self.longest)), role: .dim)
    }
  }

  private init(number: Int64, of attribute: Attribute?, _ grouping: NumberText.Grouping) {
    if attribute?.checkedType == .date {
      self.init(text: InstantText.utc(milliseconds: number), role: .date)
    } else {
      self.init(
        text: NumberText.grouped(number, grouping), role: .number, isRightAligned: true)
    }
  }

  init(text: String, role: Role, isRightAligned: Bool = false) {
    self.text = text
    self.role = role
    self.isRightAligned = isRightAligned
  }

  /// The same where it stands in a column: what says that there is nothing stands on the side of the
  /// others.
  func standing(in column: TableColumn) -> CellText {
    guard column.isRightAligned, !isRightAligned, role == .null || role == .missing else {
      return self
    }
    var cell = self
    cell.isRightAligned = true
    return cell
  }

  /// The same where a text is looked for that is in it: so that it is seen.
  func showing(_ pattern: TextPattern, within columns: Int) -> CellText {
    if isRightAligned { return self }
    var cell = self
    cell.text = pattern.part(of: text, within: columns)
    return cell
  }

  /// In characters; wider than any terminal.
  private static let longest = 500
}
