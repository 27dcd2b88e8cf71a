import TerminalUI
import Widgets

/// The properties of a pane that other parts of the screen use, such as its name and its help.
///
/// Each pane states its traits in its own file. The traits also identify the pane, since a key can
/// have a different meaning in each pane.
package struct PaneTraits: Sendable {
  /// The pane's name in titles, help and messages.
  package let title: String
  /// A description of the pane for its help, shown above the keys.
  package let about: String
  /// The intent that focuses the pane from anywhere; nil if it only opens in a context.
  let intent: Intent?
  /// Whether only one instance may be open, because a second one would show the same.
  let isAlone: Bool
  /// Whether letters are typed into the pane.
  let takesTyping: Bool
  /// Whether the pane is modal.
  ///
  /// Keys without effect in the pane do not reach the panes below, except keys for the whole
  /// program.
  let isDialog: Bool
  private let ignored: Ignored

  /// The general intents that have no effect in a pane.
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

  /// Returns the keys that are commands in this pane. While the user types, these exclude letters
  /// and line-editing keys.
  func speaking(_ keys: [Key]) -> [Key] {
    takesTyping ? keys.filter { !TextField.edits($0) } : keys
  }

  /// Returns whether a general intent has no effect in this pane, so that its help omits it.
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
  /// Intents that change the row, cell or namespace at the cursor of a main pane.
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
  /// All panes. Each has its own keys and help.
  package static let allCases: [PaneTraits] = [
    namespaces, schema, query, results, help, entity, menu, relations, columns, changes, chooser,
    palette, saved, text, facets, export, subscriptions, diagram, newEntity, themes,
    stores,
  ]
}
