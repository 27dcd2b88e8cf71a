import TerminalUI
import Triples
import Widgets

/// A short list of choices. The user chooses by cursor, key or click.
struct MenuPane: ItemPane {
  struct Entry: Sendable, Equatable {
    /// The key that selects the entry immediately; nil if there is none.
    let key: Character?
    /// Another key that selects the entry, which is not shown.
    var otherKey: Character?
    let label: String
    /// A short description of the entry's effect, drawn dim.
    var detail = ""
    let actions: [PaneAction]

    /// Returns the number that selects one of the first nine entries; nil for the others.
    static func key(ofPlace place: Int) -> Character? {
      place < 9 ? Character("\(place + 1)") : nil
    }

    /// The actions to perform when the user chooses the entry, including closing the menu.
    fileprivate var whenChosen: [PaneAction] {
      if case .perform? = actions.first { return actions }
      return [.close] + actions
    }
  }

  /// A line that opens when the user types a word instead of the key of an entry.
  enum TypedLine: Sendable, Equatable {
    /// A line with a comparison. The word follows the text of the field: an operator that begins
    /// with one of the letters, or else a value, which `=` precedes. It begins with a letter, a
    /// digit, a quote, a minus or a dot. The actions are performed before the line opens.
    case comparison(
      PromptPane.Purpose, TextField, operators: Set<Character>, after: [PaneAction])
    /// A line for a value, of all selected rows if there is no target. The word begins with any
    /// character except the key for help.
    case value(EditTarget?, Attribute)

    /// Returns the actions that open the line with its first letter; nil if no word begins with it.
    ///
    /// - Parameter command: The command of the letter in a menu; nil if there is none.
    fileprivate func actions(for letter: Character, _ command: Command?) -> [PaneAction]? {
      // The footer shows the key for help.
      if command == .help { return nil }
      switch self {
      case .comparison(let purpose, var field, let operators, let first):
        guard letter.isLetter || letter.isNumber || "\"'-.".contains(letter) else { return nil }
        field.insert(operators.contains(letter) ? String(letter) : "= \(letter)")
        return [.close] + first + [.compose(purpose, field)]
      case .value(let target, let attribute):
        return [.close, .type(target, attribute, String(letter))]
      }
    }
  }

  let heading: String
  let items: [Entry]
  var typedLine: TypedLine?
  /// The position of the upper left corner; nil for a menu in the middle of the screen.
  let corner: Position?
  var cursor = ListCursor()

  init(_ heading: String, _ entries: [Entry], at corner: Position? = nil) {
    self.heading = heading
    items = entries
    self.corner = corner
  }

  var traits: PaneTraits { .menu }
  var place: PanePlace {
    let widest = labelWidth + (items.map { TextWidth.columns(of: $0.detail) }.max() ?? 0) + 8
    let remarkWidth = remark.isEmpty ? 0 : TextWidth.columns(of: remark) + 3
    let columns = max(widest, TextWidth.columns(of: heading) + remarkWidth + 4)
    return corner.map { .at($0, columns: columns, rows: items.count, heading: heading) }
      ?? .popup(columns: columns, rows: items.count, heading: heading)
  }

  /// The hint that a value can be typed for a comparison; empty in other menus.
  private var remark: String {
    if case .comparison? = typedLine { "or type a value" } else { "" }
  }

  func remark(in context: PaneContext) -> String { remark }

  private var labelWidth: Int { items.map { TextWidth.columns(of: $0.label) }.max() ?? 0 }

  func title(in context: PaneContext) -> String { head(in: context.width).isEmpty ? heading : "" }

  /// Returns the wrapped lines of a heading that does not fit in the title line; empty if it fits.
  static func head(_ heading: String, in width: Int) -> [String] {
    TextWidth.columns(of: heading) + 4 <= width
      ? [] : TextLines.wrapped(heading, width: max(1, width - 2), limit: 3)
  }

  private func head(in width: Int) -> [String] { Self.head(heading, in: width) }

  func rowsAbove(in context: PaneContext) -> Int { head(in: context.width).count }

  mutating func type(_ key: Key, in context: PaneContext) -> [PaneAction]? {
    actions(for: key, context.settings.keymap)
  }

  /// Returns the actions of a key that chooses an entry or begins a typed line; nil if the keymap
  /// decides what the key does.
  func actions(for key: Key, _ keymap: Keymap) -> [PaneAction]? {
    guard let typed = key.typed else { return nil }
    if let entry = items.first(where: { $0.key == typed || $0.otherKey == typed }) {
      return entry.whenChosen
    }
    return typedLine?.actions(for: typed, keymap.command(for: key, in: traits))
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    command == .open ? chosen?.whenChosen : nil
  }

  mutating func click(column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    chosen?.whenChosen ?? []
  }

  /// The minimum width of the details in columns. With less space, they are omitted.
  private static let minDetailWidth = 4

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let head = head(in: area.columns)
    for (row, text) in head.enumerated() {
      frame.write(text, .emphasis, in: area.line(row))
    }
    let labelWidth = labelWidth
    drawItems(into: &frame, area: area.inset(top: head.count), context) { entry, line, frame in
      frame.write(entry.key.map { $0 == " " ? "␣" : String($0) } ?? "", .key, in: line, width: 2)
      frame.write(entry.label, .text, in: line, at: 4)
      if line.area.columns >= labelWidth + Self.minDetailWidth + 6 {
        frame.write(entry.detail, .dim, in: line, at: labelWidth + 6)
      }
    }
  }
}

extension PaneTraits {
  package static let menu = PaneTraits(
    title: "Menu",
    about: "Choose an entry with the cursor, or press its key."
  ) {
    $0.isDialog = true
    $0.ignored = .allBut(inDialogs + farther)
    $0.labels = [.open: "choose"]
  }
}
