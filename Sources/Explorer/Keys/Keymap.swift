package import TerminalUI

/// The key bindings, from which help, footer and documentation are generated.
package struct Keymap: Sendable, Equatable {
  /// A binding of keys to a command in a pane; a nil pane stands for all panes.
  package struct Row: Sendable, Equatable {
    package let focus: PaneTraits?
    package let keys: [Key]
    package let command: Command
  }

  /// A row, and the panes that bind some of its keys themselves.
  private struct Binding: Sendable, Equatable {
    let row: Row
    /// Empty for a row of a single pane.
    let exceptions: [PaneTraits]
  }

  package let rows: [Row]
  private let global: [Key: Command]
  private let local: [PaneTraits: [Key: Command]]
  /// The bindings of each command, in the order of `rows`.
  private let bindings: [Command: [Binding]]

  package init(rows: [Row]) {
    self.rows = rows
    var global: [Key: Command] = [:]
    var local: [PaneTraits: [Key: Command]] = [:]
    var panes: [Key: [PaneTraits]] = [:]
    for row in rows {
      for key in row.keys {
        if let focus = row.focus {
          local[focus, default: [:]][key] = row.command
          panes[key, default: []].append(focus)
        } else {
          global[key] = row.command
        }
      }
    }
    self.global = global
    self.local = local
    let all = rows.map { row in
      Binding(row: row, exceptions: row.focus == nil ? row.keys.flatMap { panes[$0] ?? [] } : [])
    }
    bindings = Dictionary(grouping: all, by: \.row.command)
  }

  /// Returns the command of `key` in `focus`. A pane's own binding takes precedence over a binding
  /// for all panes.
  package func command(for key: Key, in focus: PaneTraits) -> Command? {
    local[focus]?[key] ?? global[key]
  }

  /// Returns the keys bound to `command` in `focus`, in the order of `rows`.
  package func keys(for command: Command, in focus: PaneTraits) -> [Key] {
    var keys: [Key] = []
    for binding in bindings[command] ?? []
    where binding.row.focus == nil || binding.row.focus == focus {
      let row = binding.row
      let own = binding.exceptions.contains(focus) ? self.keys(of: row, in: focus) : row.keys
      keys = keys.isEmpty ? own : keys + own
    }
    return keys
  }

  /// Returns the keys of a row that perform its command in `focus`. A pane's own binding takes
  /// precedence over a binding for all panes.
  private func keys(of row: Row, in focus: PaneTraits) -> [Key] {
    guard row.focus == nil, let own = local[focus] else { return row.keys }
    return row.keys.filter { own[$0] == nil }
  }

  /// Returns whether `command` can work in `focus`: it is not only for other panes.
  func offers(_ command: Command, in focus: PaneTraits) -> Bool {
    guard let bindings = bindings[command] else { return true }
    return !focus.ignores(command)
      && bindings.contains { $0.row.focus == nil || $0.row.focus == focus }
  }

  /// Returns the rows that apply in `focus`, in the order of `rows`, with the keys that perform
  /// their commands there.
  package func rows(in focus: PaneTraits) -> [Row] {
    rows.filter { $0.focus == nil || $0.focus == focus }.map {
      Row(focus: $0.focus, keys: keys(of: $0, in: focus), command: $0.command)
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
