import ArgumentParser
import Triples

/// A command of the program with its arguments, decoded from the argument parser's JSON
/// description.
struct CommandDescription {
  /// The name, after the name of the command to which a subcommand belongs: `live install`.
  let name: String
  let abstract: String
  let discussion: String?
  /// The arguments that the help lists, except `--help` and `--version`.
  let arguments: [Argument]
  let subcommands: [CommandDescription]

  var options: [Argument] { arguments.filter { $0.kind != .positional } }
  var positionals: [Argument] { arguments.filter { $0.kind == .positional } }
  /// The words of the name, such as `live` and `install`.
  var words: [String] { name.split(separator: " ").map(String.init) }
  /// Whether the name of the command can be omitted.
  let isDefault: Bool

  struct Argument {
    enum Kind { case positional, option, flag }

    /// The values that an argument accepts.
    enum Values: Equatable {
      case anything, files
      case words([String])
    }

    let kind: Kind
    /// The names as the user types them, such as `--format`.
    let names: [String]
    let valueName: String
    let abstract: String
    let isOptional: Bool
    let isRepeating: Bool
    let values: Values
  }

  fileprivate init(
    _ json: JSONObject, default defaultName: String? = nil, within parent: String? = nil
  ) {
    let name = [parent, json["commandName"]?.string].compactMap { $0 }.joined(separator: " ")
    self.name = name
    isDefault = name == defaultName
    abstract = json["abstract"]?.string ?? ""
    discussion = json["discussion"]?.string
    arguments = (json["arguments"]?.objects ?? [])
      .filter { $0.flag("shouldDisplay") }.map(Argument.init)
      .filter { !["help", "version"].contains($0.valueName) }
    subcommands = Self.subcommands(of: json) { CommandDescription($0, within: name) }
  }

  fileprivate static func subcommands(
    of json: JSONObject?, _ describe: (JSONObject) -> CommandDescription
  ) -> [CommandDescription] {
    (json?["subcommands"]?.objects ?? []).filter { $0["commandName"]?.string != "help" }
      .map(describe)
  }
}

extension [CommandDescription] {
  /// Returns the command whose name begins the words, such as `live install`; nil if there is none.
  func named(by words: ArraySlice<String>) -> CommandDescription? {
    guard let word = words.first, let command = first(where: { $0.words.last == word }) else {
      return nil
    }
    return command.subcommands.named(by: words.dropFirst()) ?? command
  }
}

/// A description of the program, from which its help and its manual page are generated.
struct ProgramDescription {
  let abstract: String
  let discussion: String
  /// The arguments of the default command, as in `sonde [STORE …] [QUERY]`.
  let usage: String
  let version: String
  /// All commands, in the order of the help.
  let commands: [CommandDescription]

  /// Describes a program by its root command.
  ///
  /// - Complexity: O(arguments of all commands), some milliseconds.
  init(_ root: any ParsableCommand.Type) {
    let configuration = root.configuration
    abstract = configuration.abstract
    discussion = configuration.discussion
    usage = configuration.usage?.split(separator: "\n").first.map(String.init) ?? ""
    version = configuration.version
    let help = try? JSONReader.value(of: root._dumpHelp())
    let defaultName = configuration.defaultSubcommand?._commandName
    commands = CommandDescription.subcommands(of: help?.object?["command"]?.object) {
      CommandDescription($0, default: defaultName)
    }
  }

  /// Returns the names of a program's commands, without parsing their arguments.
  static func commandNames(of root: any ParsableCommand.Type) -> [String] {
    root.configuration.subcommands.map { $0._commandName }
  }
}

extension CommandDescription.Argument {
  fileprivate init(_ json: JSONObject) {
    switch json["kind"]?.string {
    case "positional": kind = .positional
    case "flag": kind = .flag
    default: kind = .option
    }
    names = (json["names"]?.objects ?? []).map { name in
      (name["kind"]?.string == "short" ? "-" : "--") + (name["name"]?.string ?? "")
    }
    valueName = json["valueName"]?.string ?? ""
    abstract = json["abstract"]?.string ?? ""
    isOptional = json.flag("isOptional")
    isRepeating = json.flag("isRepeating")
    let completion = json["completionKind"]?.object
    if let words = completion?["list"]?.object?["values"]?.strings {
      values = .words(words)
    } else if completion?["file"] != nil {
      values = .files
    } else {
      values = json["allValues"]?.strings.map { .words($0) } ?? .anything
    }
  }
}

extension JSONObject {
  fileprivate func flag(_ key: String) -> Bool { self[key] == .bool(true) }
}

extension Value {
  fileprivate var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
  fileprivate var string: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var objects: [JSONObject] {
    if case .array(let elements) = self { elements.compactMap(\.object) } else { [] }
  }
  fileprivate var strings: [String]? {
    if case .array(let elements) = self { elements.compactMap(\.string) } else { nil }
  }
}
