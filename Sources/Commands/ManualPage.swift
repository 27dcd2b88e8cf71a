import ArgumentParser
import Triples

/// The manual page of the program, made of what its commands say of themselves.
struct ManualPage {
  private let root: JSONObject?

  /// - Parameter help: All commands with their arguments, as the argument parser tells them in JSON.
  init(_ help: String) {
    do throws(JSONError) {
      root = try JSONReader.value(of: help).object?["command"]?.object
    } catch {
      root = nil
    }
  }

  /// The page in the language of `man`.
  var text: String {
    guard let root else { return "" }
    var page = Roff()
    page.request("TH", "SONDE", "1", "", "Sonde \(Sonde.configuration.version)")
    page.request("SH", "NAME")
    page.paragraph("sonde - " + (root["abstract"]?.string ?? ""))
    page.request("SH", "SYNOPSIS")
    let commands = root["subcommands"]?.objects.filter { $0.name != "help" } ?? []
    for command in commands { page.synopsis(of: command) }
    page.request("SH", "DESCRIPTION")
    page.paragraph(root["discussion"]?.string ?? "")
    page.request("SH", "COMMANDS")
    for command in commands { page.section(of: command) }
    page.request("SH", "EXIT STATUS")
    for (status, meaning) in ExitStatus.meanings {
      page.item(Roff.bold("\(status)"), meaning)
    }
    page.request("SH", "ENVIRONMENT")
    for (name, meaning) in Self.variables { page.item(Roff.bold(name), meaning) }
    page.request("SH", "FILES")
    for (path, meaning) in Self.files { page.item(Roff.italic(path), meaning) }
    return page.text
  }

  private static let variables = [
    ("SONDE_TOKEN", "What a server shall know the user by."),
    (
      "SONDE_ASCII, SONDE_REDUCED_MOTION, SONDE_SCREEN_READER",
      "With 1 as the options of that name."
    ),
    ("NO_COLOR", "No colours."),
    ("PAGER, EDITOR, VISUAL", "What shows and changes a text outside."),
    ("XDG_CONFIG_HOME, XDG_STATE_HOME", "Where settings and what is remembered lie."),
  ]

  private static let files = [
    (
      "STORE.sonde-wal, STORE.sonde-shm",
      "The last changes of a .sonde store, and an index of them, while a program has it open or after "
        + "one was killed. Keep them with the store; opening it writes them back and removes them."
    ),
    (
      "STORE.sonde-wal.damaged",
      "A copy of a log whose end could not be read, as it was before the store was opened for writing."
    ),
    ("~/.config/sonde/config.toml", "Settings: theme, store, keys, how some stores look."),
    ("~/.config/sonde/themes/", "Themes of one's own."),
    ("~/.local/state/sonde/", "History, columns, tabs, changes that are kept back."),
    (
      "~/.local/state/sonde/queries/",
      "Saved queries, each a text NAME.sonde-query to edit and share."
    ),
  ]
}

/// Text in the language of `man`, line by line.
private struct Roff {
  private(set) var text = ""

  static func bold(_ text: String) -> String { "\\fB" + escaped(text) + "\\fR" }
  static func italic(_ text: String) -> String { "\\fI" + escaped(text) + "\\fR" }

  /// What stands for itself; a minus is one, and nothing at the start of a line is a request.
  static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }

  mutating func request(_ name: String, _ words: String...) {
    let quoted = words.map { "\"" + $0.replacing("\"", with: "") + "\"" }
    text += "." + ([name] + quoted).joined(separator: " ") + "\n"
  }

  /// Lines that are indented stand as they are: they are to be typed.
  mutating func paragraph(_ words: String) {
    for line in words.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        request("PP")
      } else if line.hasPrefix("  ") {
        text += ".RS\n" + Self.bold(String(line.drop { $0 == " " })) + "\n.RE\n"
      } else {
        text += Self.escaped(String(line)) + "\n"
      }
    }
  }

  /// - Parameter head: Text in this language.
  mutating func item(_ head: String, _ words: String) {
    text += ".TP\n" + head + "\n" + Self.escaped(words) + "\n"
  }

  mutating func synopsis(of command: JSONObject) {
    var words = [Self.bold(command.isDefault ? "sonde" : "sonde " + command.name)]
    for argument in command.arguments where !argument.isOption {
      let name = Self.italic(argument.valueName.uppercased())
      let more = argument.flag("isRepeating") ? "…" : ""
      words.append(argument.flag("isOptional") ? "[" + name + more + "]" : name + more)
    }
    if command.arguments.contains(where: \.isOption) { words.append("[options]") }
    text += words.joined(separator: " ") + "\n.br\n"
  }

  mutating func section(of command: JSONObject) {
    request("SS", "sonde " + command.name)
    paragraph(command["abstract"]?.string ?? "")
    if let discussion = command["discussion"]?.string {
      request("PP")
      paragraph(discussion)
    }
    for argument in command.arguments {
      var head = Self.italic(argument.valueName.uppercased())
      if argument.isOption {
        let names = argument["names"]?.objects.map(\.optionName) ?? []
        let value = argument.kind == "option" ? " " + head : ""
        head = names.map(Self.bold).joined(separator: ", ") + value
      }
      item(head, argument["abstract"]?.string ?? "")
    }
  }
}

// What the argument parser tells of a command and of an argument.
extension JSONObject {
  fileprivate var name: String { self["commandName"]?.string ?? "" }
  fileprivate var kind: String { self["kind"]?.string ?? "" }
  fileprivate var valueName: String { self["valueName"]?.string ?? "" }
  fileprivate var isOption: Bool { kind != "positional" }
  fileprivate var isDefault: Bool { name == "browse" }

  fileprivate func flag(_ key: String) -> Bool { self[key] == .bool(true) }

  /// Those that are shown, but for the ones that every command has.
  fileprivate var arguments: [JSONObject] {
    (self["arguments"]?.objects ?? []).filter {
      $0.flag("shouldDisplay") && !["help", "version"].contains($0.valueName)
    }
  }

  fileprivate var optionName: String {
    let name = self["name"]?.string ?? ""
    return self["kind"]?.string == "short" ? "-" + name : "--" + name
  }
}

extension Value {
  fileprivate var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
  fileprivate var string: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var objects: [JSONObject] {
    if case .array(let elements) = self { elements.compactMap(\.object) } else { [] }
  }
}
