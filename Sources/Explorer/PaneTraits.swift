import TerminalUI
import Widgets

/// The properties of a pane for the rest of the screen: its name, its help, and its key handling.
///
/// Each pane states its traits in its own file; they also identify it, so that a key can have
/// another meaning in each pane.
package struct PaneTraits: Sendable {
  /// The pane's name in titles, help and messages.
  package let title: String
  /// A description of the pane for its help, shown above the keys.
  package let about: String
  /// The intent that focuses it from anywhere; nil if it only opens in context.
  let intent: Intent?
  /// Whether a second instance above the first would show the same.
  let isAlone: Bool
  /// Whether letters are typed into the pane.
  let takesTyping: Bool
  /// Whether the pane is modal.
  ///
  /// Unknown keys do not reach the panes below, except keys for the program.
  let isDialog: Bool
  private let ignored: Ignored

  /// The intents for any pane that have no effect in one.
  enum Ignored: Sendable {
    case only([Intent])
    case allBut([Intent])
  }

  init(
    title: String, about: String, intent: Intent? = nil, isAlone: Bool = false,
    takesTyping: Bool = false, isDialog: Bool = false, ignoring ignored: Ignored = .only([])
  ) {
    self.title = title
    self.about = about
    self.intent = intent
    self.isAlone = isAlone
    self.takesTyping = takesTyping
    self.isDialog = isDialog
    self.ignored = ignored
  }

  /// The keys that keep their usual meaning here: while typing, no letters and no line-editing
  /// keys.
  func speaking(_ keys: [Key]) -> [Key] {
    takesTyping ? keys.filter { !TextField.edits($0) } : keys
  }

  /// Whether an intent for any pane has no effect here and can be left out of its help.
  package func ignores(_ intent: Intent) -> Bool {
    switch ignored {
    case .only(let intents): intents.contains(intent)
    case .allBut(let intents): !intents.contains(intent)
    }
  }

  static let throughDialogs: [Intent] = [
    .help, .palette, .nextTheme, .suspend, .redraw, .quit, .interrupt,
  ]
  /// Intents that every dialog handles.
  static let inDialogs = throughDialogs + [.up, .down, .open, .cancel, .back]
  /// Intents that change the row, cell or namespace under the cursor of a main pane.
  static let changing: [Intent] = [.edit, .add, .delete]
  static let toEnds: [Intent] = [.firstColumn, .lastColumn]
  static let sideways = [.left, .right] + toEnds
  static let unfolding: [Intent] = [.expand, .fold]
  static let byPages: [Intent] = [.pageUp, .pageDown, .halfPageUp, .halfPageDown]
  /// The intents for vertical movement by more than one line.
  static let farther: [Intent] = byPages + [.first, .last]
}

extension PaneTraits: Hashable {
  package static func == (a: PaneTraits, b: PaneTraits) -> Bool { a.title == b.title }
  package func hash(into hasher: inout Hasher) { hasher.combine(title) }
}

extension PaneTraits: CustomStringConvertible {
  package var description: String { title }
}

extension PaneTraits: CaseIterable {
  /// All panes; each has keys and help of its own.
  package static let allCases: [PaneTraits] = [
    namespaces, schema, query, results, help, entity, menu, relations, columns, changes, chooser,
    palette, saved, text, facets, export, subscriptions, diagram, newEntity, themes,
  ]
}
