import Explorer
import InstaQL
import TerminalUI

/// Reads a `[[command]]` table of a settings file:
///
///     [[command]]
///     name = "Show on a map"
///     key = "alt-m"
///     namespaces = ["cities"]      # default: all
///     pane = "results"             # default: all of the panes
///     input = "row"                # none, row, selection or result
///     format = "json"              # lines, json or csv
///     run = 'xdg-open "geo:$SONDE_FIELD_latitude,$SONDE_FIELD_longitude"'
///     output = "none"              # notice, pager, terminal or none
struct CommandSettings {
  let table: TOMLTable
  /// The folder of the project that defines the command; nil if the user defines it.
  let project: String?

  static let names = ["name", "key", "namespaces", "pane", "input", "format", "run", "output"]
  private static let formats: [(name: String, choice: ResultFormat)] = [
    ("lines", .ndjson), ("json", .json), ("csv", .csv),
  ]
  private static let panes: [(name: String, choice: PaneTraits)] = [
    ("namespaces", .namespaces), ("schema", .schema), ("query", .query), ("results", .results),
    ("record", .entity),
  ]

  /// An error in the `[[command]]` table.
  struct Fault: Error, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { reason }
  }

  /// Returns the command, or nil if the table has errors, which are added to `faults`.
  func command(faults: inout [Fault]) -> CustomCommand? {
    var found = nameFaults
    func read<Value>(_ value: () throws(Fault) -> Value?) -> Value? {
      do throws(Fault) {
        return try value()
      } catch {
        found.append(error)
        return nil
      }
    }
    let name = read { () throws(Fault) in
      try required("name", "the text shown in lists of commands")
    }
    let line = read { () throws(Fault) in try required("run", "the command line for the shell") }
    let inputs = CustomCommand.Input.Rows.allCases.map { (name: $0.rawValue, choice: $0) }
    let input = read { () throws(Fault) in try choice("input", inputs) }
    let outputs = ShellCommand.Output.allCases.map { (name: $0.rawValue, choice: $0) }
    let format = read { () throws(Fault) in try choice("format", Self.formats) }
    if format != nil, table["input"] == nil || input == CustomCommand.Input.Rows.none {
      found.append(
        fault(
          "format",
          "'format' has no effect without 'input'. Set 'input' to 'row', 'selection' or 'result'."))
    }
    let scope = CustomCommand.Scope(
      namespaces: read { () throws(Fault) in try namespaces() } ?? [],
      pane: read { () throws(Fault) in try choice("pane", Self.panes) })
    let output = read { () throws(Fault) in try choice("output", outputs) }
    let key = read { () throws(Fault) in try self.key() }
    faults += found
    guard found.isEmpty, let name, let line else { return nil }
    return CustomCommand(
      name: name, line: line, key: key, scope: scope,
      input: CustomCommand.Input(input ?? CustomCommand.Input.Rows.none, as: format ?? .ndjson),
      output: output ?? .notice, project: project)
  }

  private var unknownNames: [String] { table.keys.filter { !Self.names.contains($0) } }

  private var nameFaults: [Fault] {
    unknownNames.map { key in
      let hint = NearestWord.find(key, among: Self.names).map { "Did you mean '\($0)'?" }
      let known = "The settings are \(Self.names.joined(separator: ", "))."
      return fault(key, "unknown setting '\(key)' of a command. " + (hint ?? known))
    }
  }

  /// Returns the text of a setting that a command needs; nil if its name is misspelled, which is an
  /// error of its own.
  private func required(_ key: String, _ meaning: String) throws(Fault) -> String? {
    guard let text = try text(key) else {
      if unknownNames.contains(where: { NearestWord.find($0, among: Self.names) == key }) {
        return nil
      }
      throw Fault(line: table.line, reason: "a command needs '\(key)', \(meaning).")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw fault(key, "'\(key)' must not be empty. It is \(meaning).")
    }
    return text
  }

  private func text(_ key: String) throws(Fault) -> String? {
    guard let value = table[key] else { return nil }
    guard let text = value.text else { throw fault(key, "'\(key)' must be a string in quotes.") }
    guard !text.utf8.contains(0) else { throw fault(key, "'\(key)' contains a null character.") }
    return text
  }

  private func choice<Choice>(
    _ key: String, _ choices: [(name: String, choice: Choice)]
  ) throws(Fault) -> Choice? {
    guard let word = try text(key) else { return nil }
    if let found = choices.first(where: { $0.name == word }) { return found.choice }
    let names = choices.map { "'\($0.name)'" }
    let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    throw fault(key, "'\(key)' must be \(list), not '\(word)'.")
  }

  private func key() throws(Fault) -> Key? {
    guard let name = try text("key") else { return nil }
    guard let key = Key(named: name) else { throw fault("key", SettingsWarning.noKey(name)) }
    return key
  }

  private func namespaces() throws(Fault) -> [String] {
    guard let value = table["namespaces"] else { return [] }
    let names = value.text.map { [$0] } ?? value.array.map { $0.compactMap(\.text) }
    guard let names, !names.isEmpty, names.count == value.array?.count ?? 1 else {
      throw fault("namespaces", "'namespaces' must be a name in quotes, or a list of such names.")
    }
    return names
  }

  private func fault(_ key: String, _ reason: String) -> Fault {
    Fault(line: table.line(of: [key]), reason: reason)
  }
}

extension Settings {
  /// Returns a message that another command already uses the custom command's key; nil if the key
  /// is free.
  ///
  /// - Parameter lines: The line numbers of `commands` in the settings file.
  func conflict(of command: CustomCommand, lines: [Int]) -> String? {
    guard let key = command.key else { return nil }
    if let builtIn = keymap.command(using: key, in: command.scope.pane) {
      return "'\(key.name)' is the key of '\(builtIn.name)'. Choose another key for "
        + "'\(command.name)', or change the key of '\(builtIn.name)' in [keys]."
    }
    let other = zip(commands, lines).first { $0.0.key == key && $0.0.scope.overlaps(command.scope) }
    return other.map { other, line in
      "'\(key.name)' is already used for '\(other.name)' on line \(line). "
        + "Choose another key for '\(command.name)'."
    }
  }
}
