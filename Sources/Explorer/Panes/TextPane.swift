import TerminalUI
import Widgets

/// A pane of read-only lines of text, such as an explanation or a reference.
struct TextPane: ItemPane {
  /// The lines before wrapping.
  private let unwrapped: [TextLine]
  /// The lines, wrapped at the width of the pane.
  private(set) var items: [TextLine]
  var cursor = ListCursor()
  /// The namespace whose entities can be explained from this pane; nil if there is none.
  let namespace: String?

  let traits: PaneTraits

  init(_ traits: PaneTraits, _ lines: [TextLine], askingAbout namespace: String? = nil) {
    self.traits = traits
    unwrapped = lines
    items = lines
    self.namespace = namespace
  }

  func begins(with line: TextLine?) -> Bool { unwrapped.first == line }

  func hints(in context: PaneContext) -> [Command] {
    (namespace == nil ? [] : [.open]) + [.copy, .outside, .cancel]
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .copy: return [.effect(.copy(text))]
    case .outside: return [.effect(.page(text))]
    case .open:
      return namespace.map { [.open(Overlay(ChooserPane(whyIn: $0)))] }
        ?? [.show(.nothingToOpen)]
    default: return nil
    }
  }

  mutating func refresh(in context: PaneContext) {
    items = unwrapped.flatMap { Self.wrapped($0, columns: context.width - 2) }
    keepInView(in: context)
  }

  /// Wraps a long line. Without a margin, or if the margin leaves too little room, the further lines
  /// have a hanging indent.
  private static func wrapped(_ line: TextLine, columns: Int) -> [TextLine] {
    guard TextWidth.columns(of: line.text) > columns else { return [line] }
    let margin = line.margin.flatMap { $0 <= columns / 2 ? $0 : nil }
    let head = line.text.prefix(margin ?? line.text.prefix { $0 == " " }.count)
    let indent =
      String(repeating: " ", count: TextWidth.columns(of: String(head)))
      + (margin == nil ? hanging : "")
    let parts = TextLines.wrapped(
      String(line.text.dropFirst(head.count)), width: max(8, columns - indent.count),
      limit: maxParts)
    return parts.enumerated().map { place, part in
      TextLine((place == 0 ? String(head) : indent) + part, line.role)
    }
  }

  private static let hanging = "    "
  private static let maxParts = 1_000

  // A click only moves the cursor. There is nothing to open.
  mutating func click(column: Int, times: Int, in context: PaneContext) -> [PaneAction] { [] }

  private var text: String { unwrapped.map(\.text).joined(separator: "\n") }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    drawItems(into: &frame, area: area, context) { $2.write($0.text, $0.role, in: $1) }
  }
}

extension PaneTraits {
  /// Returns the traits of a text that fills the screen.
  static func reference(_ title: String, about: String) -> PaneTraits {
    PaneTraits(title: title, about: about) {
      $0.isAlone = true
      $0.ignored = .only(sideways + unfolding + changing)
      $0.place = .screen
    }
  }

  package static let text = PaneTraits(
    title: "Explain",
    about: "How the query was evaluated, and why a row does or does not match."
  ) {
    $0.ignored = .only(sideways + unfolding + changing)
    $0.place = .results
    $0.labels = [.open: "explain another row"]
  }
}
