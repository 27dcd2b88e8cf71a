import TerminalUI
import Widgets

/// The properties of a pane that other parts of the screen use, such as its name and its help.
///
/// Each pane states its traits in its own file. The traits also identify the pane, since a key can
/// have a different meaning in each pane.
@dynamicMemberLookup
package final class PaneTraits: Sendable {
  /// The pane's name in titles, help and messages.
  package let title: String
  /// A description of the pane for its help, shown above the keys.
  package let about: String
  private let options: Options

  /// The traits that most panes have in common.
  package struct Options: Sendable {
    /// The command that focuses the pane from anywhere; nil for a pane that only other panes open.
    var command: Command?
    /// Whether at most one such pane can be open, because a second pane would show the same.
    var isAlone = false
    /// Whether letters are typed into the pane.
    var takesTyping = false
    /// Whether the pane is modal.
    ///
    /// Keys without effect in the pane do not reach the panes below, except keys for the whole
    /// program.
    var isDialog = false
    /// The commands with which the help of the pane begins, the most useful ones first.
    var mostUsed: [Command] = []
    /// The place where the pane opens, unless its contents decide.
    var place = PanePlace.beside
    /// The commands that the footer shows as hints, unless the state of the pane decides.
    var hints: [Command] = [.open, .cancel]
    /// The labels of commands that are labeled differently in this pane.
    var labels: [Command: String] = [:]
    var ignored = Ignored.only([])
  }

  /// The global commands that have no effect in the pane.
  enum Ignored: Sendable {
    case only([Command])
    case allBut([Command])
  }

  /// Creates the traits of a pane.
  ///
  /// - Parameter change: Sets the options that differ from those of most panes.
  init(title: String, about: String, _ change: (inout Options) -> Void = { _ in }) {
    (self.title, self.about) = (title, about)
    var options = Options()
    change(&options)
    self.options = options
  }

  package subscript<Value>(dynamicMember option: KeyPath<Options, Value>) -> Value {
    options[keyPath: option]
  }

  /// Returns a label of one or two words for a command in this pane.
  func label(of command: Command) -> String { options.labels[command] ?? command.label }

  /// Returns those keys that trigger commands in this pane. Keys that edit text are omitted if
  /// letters are typed into the pane.
  func speaking(_ keys: [Key]) -> [Key] {
    options.takesTyping ? keys.filter { !TextField.edits($0) } : keys
  }

  /// Returns whether a global command has no effect in this pane, so that help and the palette omit
  /// it.
  package func ignores(_ command: Command) -> Bool {
    switch options.ignored {
    case .only(let commands): commands.contains(command)
    case .allBut(let commands): !commands.contains(command)
    }
  }

  static let throughDialogs: [Command] = [
    .help, .palette, .nextTheme, .suspend, .redraw, .quit, .interrupt,
  ]
  /// Commands that every dialog handles.
  static let inDialogs = throughDialogs + [.up, .down, .open, .cancel, .back]
  /// Commands that change the row, cell or namespace at the cursor of a main pane.
  static let changing: [Command] = [.edit, .add, .delete]
  /// Commands that close the open panes. A pane for typing numbers ignores them.
  static let toMainPanes: [Command] = [.paneNamespaces, .paneSchema, .paneQuery, .paneResults]
  static let toEnds: [Command] = [.firstColumn, .lastColumn]
  static let sideways: [Command] = [.left, .right]
  static let unfolding: [Command] = [.expand, .fold]
  static let byPages: [Command] = [.pageUp, .pageDown, .halfPageUp, .halfPageDown]
  /// The commands for vertical movement by more than one line.
  static let farther: [Command] = byPages + [.first, .last] + toEnds
}

enum PanePlace: Sendable, Equatable {
  /// The pane covers all main panes.
  case screen
  /// The pane covers the results; the query stays visible.
  case results
  /// The pane opens to the right of the results, or covers them if there is not enough space.
  case beside
  /// The pane opens in the middle, above the others, and is as small as possible.
  ///
  /// - Parameters:
  ///   - heading: The title, which gets lines of its own if it is too long for the title line.
  ///   - maxRows: The maximum number of rows of a pane that grows; otherwise 0. The upper edge is
  ///     placed for this number of rows, so that it does not move when the pane grows.
  case popup(columns: Int, rows: Int, heading: String = "", maxRows: Int = 0)
  /// The pane opens above the others, with its upper left corner as close to a position as
  /// possible.
  case at(Position, columns: Int, rows: Int, heading: String = "")
}

extension PaneTraits: Hashable {
  package static func == (a: PaneTraits, b: PaneTraits) -> Bool { a === b }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PaneTraits: CustomStringConvertible {
  package var description: String { title }
}

extension PaneTraits: CaseIterable {
  /// All panes. Each has its own keys and help.
  package static let allCases: [PaneTraits] = [
    namespaces, schema, query, results, help, entity, menu, relations, columns, changes, chooser,
    palette, saved, text, facets, export, subscriptions, diagram, newEntity, themes,
    stores, language, allColumns, aggregates,
  ]
}

/// A tab, and the pane that has the focus in it.
struct KeyPlace: Sendable, Equatable {
  let tab: Int
  let focus: PaneTraits
}
