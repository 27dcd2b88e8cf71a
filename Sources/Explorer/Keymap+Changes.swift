package import TerminalUI

/// What a person wants other keys for.
extension Keymap {
  /// Whether there is a pane in which both intents have keys, so that one key cannot say both.
  package func meet(_ intent: Intent, _ other: Intent) -> Bool {
    let places = rows.filter { $0.intent == intent }.map(\.focus)
    let others = rows.filter { $0.intent == other }.map(\.focus)
    return places.contains { place in
      others.contains { $0 == nil || place == nil || $0 == place }
    }
  }

  /// The table with other keys for some intents.
  ///
  /// A key that is given to an intent is taken from those that had it in the same panes; an intent
  /// that is given none has none.
  package func changed(_ changes: [Intent: [Key]]) -> Keymap {
    var changedRows: [Row] = []
    for row in rows {
      guard let keys = changes[row.intent] else { continue }
      if changedRows.contains(where: { $0.intent == row.intent && $0.focus == row.focus }) {
        continue
      }
      changedRows.append(Row(focus: row.focus, keys: keys, intent: row.intent))
    }
    // What no key says as the table stands is said everywhere.
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
  /// As a file of settings spells it: `page-up`.
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
