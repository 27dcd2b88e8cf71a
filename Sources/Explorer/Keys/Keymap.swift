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
  private let global: [Key: Command]
  private let local: [PaneTraits: [Key: Command]]
  /// The keys of each command in most panes, in the order of `rows`.
  private let globalKeys: [Command: [Key]]
  /// The keys of the commands that have other keys in a pane than in most.
  private var localKeys: [PaneTraits: [Command: [Key]]] = [:]

  package init(rows: [Row]) {
    self.rows = rows
    var global: [Key: Command] = [:]
    var local: [PaneTraits: [Key: Command]] = [:]
    for row in rows {
      for key in row.keys {
        if let focus = row.focus {
          local[focus, default: [:]][key] = row.command
        } else {
          global[key] = row.command
        }
      }
    }
    self.global = global
    self.local = local
    globalKeys = Dictionary(grouping: rows.filter { $0.focus == nil }, by: \.command)
      .mapValues { $0.flatMap(\.keys) }
    for (focus, own) in local { localKeys[focus] = differingKeys(in: focus, with: own) }
  }

  /// Returns the keys of the commands that have other keys in `focus` than in most panes.
  ///
  /// - Parameter own: The keys that the pane binds itself.
  private func differingKeys(
    in focus: PaneTraits, with own: [Key: Command]
  ) -> [Command: [Key]] {
    let differing = Set(
      rows.lazy.filter { row in
        row.focus == focus || row.focus == nil && row.keys.contains { own[$0] != nil }
      }.map(\.command))
    return rows.reduce(into: [:]) { keys, row in
      guard differing.contains(row.command), row.focus == nil || row.focus == focus else { return }
      keys[row.command, default: []] += self.keys(of: row, in: focus)
    }
  }

  /// Returns the command of `key` in `focus`. A pane's own binding takes precedence over a binding
  /// for all panes.
  package func command(for key: Key, in focus: PaneTraits) -> Command? {
    local[focus]?[key] ?? global[key]
  }

  /// Returns the keys bound to `command` in `focus`, in the order of `rows`.
  package func keys(for command: Command, in focus: PaneTraits) -> [Key] {
    localKeys[focus]?[command] ?? globalKeys[command] ?? []
  }

  /// Returns the keys of a row that perform its command in `focus`. A pane's own binding takes
  /// precedence over a binding for all panes.
  private func keys(of row: Row, in focus: PaneTraits) -> [Key] {
    guard row.focus == nil, let own = local[focus] else { return row.keys }
    return row.keys.filter { own[$0] == nil }
  }

  /// Returns whether `command` can work in `focus`: it is not only for other panes.
  func offers(_ command: Command, in focus: PaneTraits) -> Bool {
    guard rows.contains(where: { $0.command == command }) else { return true }
    return !focus.ignores(command)
      && (globalKeys[command] != nil || localKeys[focus]?[command] != nil)
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
