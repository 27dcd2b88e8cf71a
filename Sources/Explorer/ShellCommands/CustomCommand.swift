package import InstaQL
package import TerminalUI

/// A command that the settings define: a shell command with a name, a key, and the rows it reads.
package struct CustomCommand: Sendable, Equatable {
  /// The rows that the command reads from standard input.
  package enum Input: String, Sendable, CaseIterable {
    case none
    /// The row under the cursor.
    case row
    /// The selected rows, or the row under the cursor if none is selected.
    case selection
    /// All rows of the query.
    case result
  }

  package let name: String
  /// The shell command line, as the settings contain it.
  package let line: String
  package var key: Key?
  /// The namespaces in which the command applies; empty for all.
  package let namespaces: [String]
  /// The pane in which the command applies; nil for all of `panes`.
  package let pane: PaneTraits?
  package let input: Input
  package let format: ResultFormat
  package let output: ShellCommand.Output
  /// The folder of the project that defines the command; nil for a command of the user's own
  /// settings.
  package let project: String?

  package init(
    name: String, line: String, key: Key? = nil, namespaces: [String] = [],
    pane: PaneTraits? = nil, input: Input = .none, format: ResultFormat = .ndjson,
    output: ShellCommand.Output = .notice, project: String? = nil
  ) {
    self.name = name
    self.line = line
    self.key = key
    self.namespaces = namespaces
    self.pane = pane
    self.input = input
    self.format = format
    self.output = output
    self.project = project
  }

  /// The panes in which custom commands can run.
  package static let panes: [PaneTraits] = [.namespaces, .schema, .query, .results, .entity]

  /// Returns whether both commands can apply in the same pane and namespace, so that they cannot
  /// share a key.
  package func meets(_ other: CustomCommand) -> Bool {
    let haveNamespace =
      namespaces.isEmpty || other.namespaces.isEmpty
      || namespaces.contains { other.namespaces.contains($0) }
    return haveNamespace && (pane == nil || other.pane == nil || pane == other.pane)
  }

  func applies(in focus: PaneTraits) -> Bool {
    pane.map { $0 == focus } ?? Self.panes.contains(focus)
  }
}

/// A project's settings file, whose commands run only if the user has allowed them.
package struct ProjectFile: Sendable, Equatable {
  package let path: String
  package let text: String
  package internal(set) var isTrusted: Bool

  package init(path: String, text: String, isTrusted: Bool = false) {
    self.path = path
    self.text = text
    self.isTrusted = isTrusted
  }

  /// Returns whether both are the same file with the same contents.
  func has(sameTextAs other: ProjectFile) -> Bool { path == other.path && text == other.text }
}

/// The custom commands of the user and of the project.
package struct CustomCommands: Sendable, Equatable {
  package let all: [CustomCommand]
  package internal(set) var project: ProjectFile?

  package init(_ all: [CustomCommand] = [], project: ProjectFile? = nil) {
    self.all = all
    self.project = project
  }

  /// Returns the custom command bound to a key in a pane. A command that applies to the namespace
  /// takes precedence.
  func command(for key: Key, in focus: PaneTraits, of namespace: String?) -> CustomCommand? {
    let bound = all.filter { $0.key == key && $0.applies(in: focus) }
    return bound.first { $0.covers(namespace) } ?? bound.first
  }

  /// Returns whether a command belongs to a project that the user has not trusted yet.
  func needsPermission(_ command: CustomCommand) -> Bool {
    command.project != nil && project?.isTrusted != true
  }

  /// Returns all custom commands. Those that cannot run in this pane and namespace have a reason.
  func offers(in focus: PaneTraits, of namespace: String?) -> [CommandOffer] {
    all.map { command in
      let reason: String? =
        if needsPermission(command) {
          "not allowed yet"
        } else if !command.applies(in: focus) {
          command.pane.map { "only in \($0.title)" } ?? "not in \(focus.title)"
        } else if !command.covers(namespace) {
          "only for \(command.namespaces.joined(separator: ", "))"
        } else {
          nil
        }
      return CommandOffer(command: command, reason: reason)
    }
  }
}

extension CustomCommand {
  func covers(_ namespace: String?) -> Bool {
    namespaces.isEmpty || namespace.map { namespaces.contains($0) } == true
  }
}

/// A custom command, and whether it can run now.
struct CommandOffer: Sendable, Equatable {
  let command: CustomCommand
  /// The reason why the command cannot run; nil if it can.
  let reason: String?
}
