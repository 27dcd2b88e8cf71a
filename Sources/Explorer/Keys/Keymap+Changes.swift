package import TerminalUI

/// Creates keymaps with customized keys.
extension Keymap {
  /// Returns whether two commands have bindings in the same pane, so that they cannot share a key.
  package func commandsOverlap(_ command: Command, _ other: Command) -> Bool {
    let places = rows.filter { $0.command == command }.map(\.focus)
    let others = rows.filter { $0.command == other }.map(\.focus)
    return places.contains { place in
      others.contains { $0 == nil || place == nil || $0 == place }
    }
  }

  /// Returns the built-in command that already uses a key in a pane of a custom command.
  ///
  /// - Parameter pane: The pane of the custom command; nil for all panes where custom commands
  ///   apply.
  package func command(using key: Key, in pane: PaneTraits?) -> Command? {
    let panes = pane.map { [$0] } ?? CustomCommand.panes
    return rows.first { row in
      row.keys.contains(key) && row.focus.map { panes.contains($0) } ?? true
    }?.command
  }

  /// Returns a copy of the keymap in which the commands in `changes` have other keys.
  ///
  /// A key assigned to a command is removed from other commands in the same panes. An empty list
  /// leaves a command without keys.
  package func changed(_ changes: [Command: [Key]]) -> Keymap {
    // A command without a default binding is bound in every pane.
    let added = Command.allCases.compactMap { command in
      rows.contains { $0.command == command }
        ? nil : changes[command].map { Row(focus: nil, keys: $0, command: command) }
    }
    func changed(_ row: Row) -> Row? {
      changes[row.command].map { Row(focus: row.focus, keys: $0, command: row.command) }
    }
    let changedRows = rows.compactMap(changed) + added
    let kept = rows.map { row in
      if let row = changed(row) { return row }
      let taken = changedRows.filter {
        $0.focus == nil || row.focus == nil || $0.focus == row.focus
      }.flatMap(\.keys)
      return Row(
        focus: row.focus, keys: row.keys.filter { !taken.contains($0) }, command: row.command)
    }
    var seen: [Row] = []
    for row in kept + added where !row.keys.isEmpty && !seen.contains(row) { seen.append(row) }
    return Keymap(rows: seen)
  }
}

extension Command {
  /// The name of the command in a settings file, such as `page-up`.
  package var name: String {
    rawValue.reduce(into: "") { name, character in
      if character.isUppercase { name.append("-") }
      name += character.lowercased()
    }
  }

  /// Finds the command with a name from a settings file, which may be a name of an earlier version.
  package init?(named name: String) {
    let command = Self.renamed[name] ?? Self.allCases.first { $0.name == name }
    guard let command else { return nil }
    self = command
  }

  /// The commands whose names in earlier versions differed.
  private static let renamed: [String: Command] = [
    "move-up": .moveColumnLeft, "move-down": .moveColumnRight,
  ]
}
