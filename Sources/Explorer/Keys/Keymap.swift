package import TerminalUI

/// The key bindings, from which help, footer and documentation are generated.
package struct Keymap: Sendable, Equatable {
  /// A binding of keys to a command in a pane; a nil pane stands for all panes.
  package struct Row: Sendable, Equatable {
    package let focus: PaneTraits?
    package let keys: [Key]
    package let command: Command
  }

  package let rows: [Row]
  /// The bindings in panes without bindings of their own.
  private let general: Bindings
  private let local: [PaneTraits: Bindings]

  /// The bindings that apply in a pane.
  private struct Bindings: Equatable {
    var commands: [Key: Command] = [:]
    /// The keys of each command, in the order of the rows.
    var keys: [Command: [Key]] = [:]

    init(_ rows: [Row]) {
      for row in rows {
        for key in row.keys { commands[key] = row.command }
        keys[row.command, default: []] += row.keys
      }
    }
  }

  package init(rows: [Row]) {
    self.rows = rows
    general = Bindings(rows.filter { $0.focus == nil })
    let panes = Set(rows.compactMap(\.focus))
    local = Dictionary(
      uniqueKeysWithValues: panes.map { ($0, Bindings(Self.rows(in: $0, of: rows))) })
  }

  /// Returns the command of `key` in `focus`. A pane's own binding takes precedence over a binding
  /// for all panes.
  package func command(for key: Key, in focus: PaneTraits) -> Command? {
    (local[focus] ?? general).commands[key]
  }

  /// Returns the keys bound to `command` in `focus`, in the order of `rows`.
  package func keys(for command: Command, in focus: PaneTraits) -> [Key] {
    (local[focus] ?? general).keys[command] ?? []
  }

  /// Returns whether `command` can work in `focus`: it is not only for other panes.
  func offers(_ command: Command, in focus: PaneTraits) -> Bool {
    let places = rows.lazy.filter { $0.command == command }.map(\.focus)
    return places.isEmpty
      || !focus.ignores(command) && places.contains { $0 == nil || $0 == focus }
  }

  /// Returns the rows that apply in `focus`, in the order of `rows`, with the keys that perform
  /// their commands there.
  package func rows(in focus: PaneTraits) -> [Row] { Self.rows(in: focus, of: rows) }

  private static func rows(in focus: PaneTraits, of rows: [Row]) -> [Row] {
    let own = Set(rows.lazy.filter { $0.focus == focus }.flatMap(\.keys))
    return rows.filter { $0.focus == nil || $0.focus == focus }.map { row in
      row.focus == nil
        ? Row(focus: nil, keys: row.keys.filter { !own.contains($0) }, command: row.command) : row
    }.filter { !$0.keys.isEmpty }
  }
}

/// The keys that the keymap binds in a pane, for hints and help.
struct KeyNames: Sendable, Equatable {
  let keymap: Keymap
  let focus: PaneTraits
  /// Whether the user is typing a line. If so, no key triggers a command.
  var isTyping = false

  /// Returns the keys bound to a command in the pane; none while the user types.
  func strokes(for command: Command) -> [Key] {
    isTyping ? [] : focus.speaking(keymap.keys(for: command, in: focus))
  }
}
