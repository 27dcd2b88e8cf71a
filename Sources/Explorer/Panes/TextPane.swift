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

  /// Wraps long lines with a hanging indent.
  mutating func refresh(in context: PaneContext) {
    items = unwrapped.flatMap { line -> [TextLine] in
      let indent = String(repeating: " ", count: line.text.prefix { $0 == " " }.count)
      let width = max(8, context.width - 2 - indent.count - Self.hanging.count)
      guard TextWidth.columns(of: line.text) > context.width - 2 else { return [line] }
      let parts = TextLines.wrapped(
        String(line.text.dropFirst(indent.count)), width: width, limit: Self.maxParts)
      return parts.enumerated().map { place, part in
        TextLine(indent + (place == 0 ? "" : Self.hanging) + part, line.role)
      }
    }
    keepInView(in: context)
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
