package import InstaQL
package import TerminalUI

/// A command that the settings define: a shell command with a name, a key, and the rows it reads.
package struct CustomCommand: Sendable, Equatable {
  /// The rows that a command reads from its standard input, and their format.
  package struct Input: Sendable, Equatable {
    package enum Rows: String, Sendable, CaseIterable {
      case none
      /// The row under the cursor.
      case row
      /// The selected rows, or the row under the cursor if none is selected.
      case selection
      /// All rows of the query.
      case result
    }

    package let rows: Rows
    package let format: ResultFormat

    package init(_ rows: Rows, as format: ResultFormat = .ndjson) {
      self.rows = rows
      self.format = format
    }
  }

  /// The namespaces and the pane in which a command applies.
  package struct Scope: Sendable, Equatable {
    /// The namespaces where the command applies; empty for all namespaces.
    package let namespaces: [String]
    /// The pane where the command applies; nil for all panes in ``CustomCommand/panes``.
    package let pane: PaneTraits?

    package init(namespaces: [String] = [], pane: PaneTraits? = nil) {
      self.namespaces = namespaces
      self.pane = pane
    }

    /// Returns whether both scopes include the same pane in the same namespace, so that their
    /// commands cannot share a key.
    package func overlaps(_ other: Scope) -> Bool {
      let haveNamespace =
        namespaces.isEmpty || other.namespaces.isEmpty
        || namespaces.contains { other.namespaces.contains($0) }
      return haveNamespace && (pane == nil || other.pane == nil || pane == other.pane)
    }

    func contains(_ focus: PaneTraits) -> Bool {
      pane.map { $0 == focus } ?? CustomCommand.panes.contains(focus)
    }

    func contains(_ namespace: String?) -> Bool {
      namespaces.isEmpty || namespace.map { namespaces.contains($0) } == true
    }
  }

  package let name: String
  /// The shell command line, as the settings contain it.
  package let line: String
  package var key: Key?
  package let scope: Scope
  package let input: Input
  package let output: ShellCommand.Output
  /// The folder of the project that defines the command; nil for a command of the user's own
  /// settings.
  package let project: String?

  package init(
    name: String, line: String, key: Key? = nil, scope: Scope = Scope(),
    input: Input = Input(.none),
    output: ShellCommand.Output = .notice, project: String? = nil
  ) {
    self.name = name
    self.line = line
    self.key = key
    self.scope = scope
    self.input = input
    self.output = output
    self.project = project
  }

  /// The panes in which custom commands can run.
  package static let panes: [PaneTraits] = [.namespaces, .schema, .query, .results, .entity]
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
    let bound = all.filter { $0.key == key && $0.scope.contains(focus) }
    return bound.first { $0.scope.contains(namespace) } ?? bound.first
  }

  /// Returns whether a command belongs to a project that the user has not trusted yet.
  func needsPermission(_ command: CustomCommand) -> Bool {
    command.project != nil && project?.isTrusted != true
  }

  /// Returns all custom commands, with the reason for each command that cannot run in this pane and
  /// namespace.
  func offers(in focus: PaneTraits, of namespace: String?) -> [CommandOffer] {
    all.map { command in
      let reason: String? =
        if needsPermission(command) {
          "not allowed yet"
        } else if !command.scope.contains(focus) {
          command.scope.pane.map { "only in \($0.title)" } ?? "not in \(focus.title)"
        } else if !command.scope.contains(namespace) {
          "only for \(command.scope.namespaces.joined(separator: ", "))"
        } else {
          nil
        }
      return CommandOffer(command: command, reason: reason)
    }
  }
}

struct CommandOffer: Sendable, Equatable {
  let command: CustomCommand
  /// The reason why the command cannot run; nil if it can.
  let reason: String?
}
