package import TerminalUI

/// The key bindings, from which help, footer and documentation are generated.
package struct Keymap: Sendable, Equatable {
  /// A binding of keys to an intent in a pane; a nil pane stands for all panes.
  package struct Row: Sendable, Equatable {
    package let focus: PaneTraits?
    package let keys: [Key]
    package let intent: Intent
  }

  package let rows: [Row]
  private let global: [Key: Intent]
  private let local: [PaneTraits: [Key: Intent]]
  /// The bindings of each intent, in the order of the table.
  private let spoken: [Intent: [Row]]

  package init(rows: [Row]) {
    self.rows = rows
    var global: [Key: Intent] = [:]
    var local: [PaneTraits: [Key: Intent]] = [:]
    for row in rows {
      for key in row.keys {
        if let focus = row.focus {
          local[focus, default: [:]][key] = row.intent
        } else {
          global[key] = row.intent
        }
      }
    }
    self.global = global
    self.local = local
    spoken = Dictionary(grouping: rows, by: \.intent)
  }

  /// Returns the intent of `key` in `focus`. A pane's own binding takes precedence over a general
  /// one.
  package func intent(for key: Key, in focus: PaneTraits) -> Intent? {
    local[focus]?[key] ?? global[key]
  }

  /// Returns the keys bound to `intent` in `focus`, in the order of the table.
  package func keys(for intent: Intent, in focus: PaneTraits) -> [Key] {
    var keys: [Key] = []
    for row in spoken[intent] ?? [] where row.focus == nil || row.focus == focus {
      keys = keys.isEmpty ? row.keys : keys + row.keys
    }
    return keys
  }

  /// Returns the bindings that apply in `focus`, in the order of the table.
  package func rows(in focus: PaneTraits) -> [Row] {
    rows.filter { $0.focus == nil || $0.focus == focus }
  }
}
