package import TerminalUI

/// Creates keymaps with customized keys.
extension Keymap {
  /// Returns whether both intents are bound in the same pane, so that they cannot share a key.
  package func meet(_ intent: Intent, _ other: Intent) -> Bool {
    let places = rows.filter { $0.intent == intent }.map(\.focus)
    let others = rows.filter { $0.intent == other }.map(\.focus)
    return places.contains { place in
      others.contains { $0 == nil || place == nil || $0 == place }
    }
  }

  /// Returns the intent that uses a key where a command of the settings applies.
  ///
  /// - Parameter pane: The pane of the command; nil for all.
  package func intent(using key: Key, in pane: PaneTraits?) -> Intent? {
    let panes = pane.map { [$0] } ?? CustomCommand.panes
    return rows.first { row in
      row.keys.contains(key) && row.focus.map { panes.contains($0) } ?? true
    }?.intent
  }

  /// Returns the keymap with other keys for some intents.
  ///
  /// A key assigned to an intent is removed from other intents in the same panes. An empty list
  /// leaves an intent without keys.
  package func changed(_ changes: [Intent: [Key]]) -> Keymap {
    var changedRows: [Row] = []
    for row in rows {
      guard let keys = changes[row.intent] else { continue }
      if changedRows.contains(where: { $0.intent == row.intent && $0.focus == row.focus }) {
        continue
      }
      changedRows.append(Row(focus: row.focus, keys: keys, intent: row.intent))
    }
    // An intent without a default binding is bound in every pane.
    let added = Intent.allCases.compactMap { intent in
      rows.contains { $0.intent == intent }
        ? nil : changes[intent].map { Row(focus: nil, keys: $0, intent: intent) }
    }
    changedRows += added
    let kept = rows.map { row in
      if changes[row.intent] != nil {
        return changedRows.first { $0.intent == row.intent && $0.focus == row.focus } ?? row
      }
      let taken = changedRows.filter {
        $0.focus == nil || row.focus == nil || $0.focus == row.focus
      }.flatMap(\.keys)
      return Row(
        focus: row.focus, keys: row.keys.filter { !taken.contains($0) }, intent: row.intent)
    }
    var seen: [Row] = []
    for row in kept + added where !row.keys.isEmpty && !seen.contains(row) { seen.append(row) }
    return Keymap(rows: seen)
  }
}

extension Intent {
  /// The name of the intent in a settings file, such as `page-up`.
  package var name: String {
    rawValue.reduce(into: "") { name, character in
      if character.isUppercase { name.append("-") }
      name += character.lowercased()
    }
  }

  package init?(named name: String) {
    guard let intent = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = intent
  }
}
