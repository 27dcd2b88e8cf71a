import InstaQL
import TerminalUI
import Triples

// Commands of the settings.
extension Workspace {
  /// Runs the command that is bound to a key in the focused pane. Returns nil for any other key.
  mutating func runCommand(of key: Key) -> [Effect]? {
    settings.commands.command(for: key, in: focusedPane, of: commandNamespace).map { run($0) }
  }

  /// Runs a command. If it belongs to a project that is not trusted, asks the user first.
  mutating func run(_ command: CustomCommand) -> [Effect] {
    // A menu may show a command of a file that has changed since then.
    guard settings.commands.all.contains(command) else {
      return notify(.commandChanged(command.name))
    }
    if settings.commands.needsPermission(command) {
      askForPermission(before: command)
      return []
    }
    guard command.scope.contains(commandNamespace) else {
      return notify(.commandOnlyFor(command.name, command.scope.namespaces))
    }
    guard command.scope.contains(focusedPane) else {
      return notify(.notAvailable(in: focusedPane.title))
    }
    let shell = ShellCommand(
      command.line, name: command.name, output: command.output, variables: commandVariables,
      folder: command.project)
    if command.input.rows == .none { return start(shell, reading: nil) }
    guard !requests.isPending(.export) else { return notify(.stillExporting) }
    guard var order = order(of: command) else { return [] }
    order.command = shell
    return requests.begin(.export(order), for: .export)
  }

  /// Starts a command and shows a notice while it runs.
  mutating func start(_ command: ShellCommand, reading file: String?) -> [Effect] {
    guard command.output != .terminal else { return [.run(command, input: file)] }
    notice = .commandRunning(command.name)
    return requests.begin(
      .runCommand(command, input: file), for: .command(requests.nextNumber), from: keyPlace)
  }

  /// Ends the command that was started last. Returns nil if none is running.
  mutating func cancelCommand() -> [Effect]? {
    guard let (purpose, command) = requests.commands.last else { return nil }
    notice = .commandCanceled(command.name)
    return requests.cancel(purpose)
  }

  /// Shows how a command ended. Its output opens in the pager only if the focus is still in the
  /// same place.
  mutating func report(
    _ result: CommandResult, of command: ShellCommand, from place: KeyPlace?
  ) -> [Effect] {
    switch result {
    case .notRun(let reason): return notify(.commandNotRun(command.name, reason))
    case .ended(let output):
      let text = output.text + (output.isCut ? "\n\(Notice.outputCut.text)\n" : "")
      if command.output != .none, !output.text.isEmpty {
        requests.lastOutput = CommandText(name: command.name, text: text)
      }
      let isThere = screen.isInFront && prompt == nil && keyPlace == place
      let isPaged = command.output == .pager && !output.text.isEmpty
      notice = .commandEnded(command, output, isHidden: isPaged && !isThere)
      return isPaged && isThere ? [.page(text)] : []
    }
  }

  // MARK: Permission

  /// Asks the user whether the project's commands may run, since its settings can contain any
  /// command.
  private mutating func askForPermission(before command: CustomCommand) {
    guard let project = settings.commands.project else { return }
    open(
      MenuPane(
        "A project's commands run in your shell with all your permissions. Allow those in \(project.path)?",
        [
          MenuPane.Entry(key: "n", label: "no", actions: []),
          MenuPane.Entry(
            key: "r", label: "read the file first", detail: "in the pager",
            actions: [.effect(.page(project.text)), .run(command)]),
          MenuPane.Entry(
            key: "a", label: "allow, and run “\(command.name)”",
            detail: "asks again if the file changes",
            actions: [.trustProject(project), .run(command)]),
        ]))
  }

  /// Allows the commands of a project's file, unless the file has changed since the user was asked.
  mutating func trust(_ project: ProjectFile) -> [Effect] {
    guard settings.commands.project?.has(sameTextAs: project) == true else { return [] }
    settings.commands.project?.isTrusted = true
    return [.save(.trustedFile(path: project.path, text: project.text))]
  }

  // MARK: Values and rows

  /// The custom commands for the pane below the palette. Commands that cannot run have a reason.
  var commandOffers: [CommandOffer] {
    let below = tab.overlays.dropLast().last?.pane
    return settings.commands.offers(
      in: below?.traits ?? tab.focus.traits, of: commandNamespace(in: below))
  }

  private var commandNamespace: String? { commandNamespace(in: tab.overlays.last?.pane) }

  private func commandNamespace(in overlay: (any Pane)?) -> String? {
    if let record = overlay as? EntityPane { return record.namespace }
    switch tab.focus {
    case .namespaces, .schema: return chosenNamespace
    case .query: return shownNamespace
    case .results: return tab.results.chosenEntity?.namespace ?? shownNamespace
    }
  }

  /// The row at the cursor; nil if there is none, or if a pane with another namespace has the
  /// focus.
  private var commandRow: RowAtCursor? {
    if let record = tab.overlays.last?.pane as? EntityPane {
      guard let catalog = catalog(for: record), let entity = catalog.store.handle(of: record.entity)
      else { return nil }
      return RowAtCursor(
        entity: entity, namespace: record.namespace, source: record.chosen?.source,
        plan: QueryPlan(record.namespace), catalog: catalog)
    }
    guard let row = tab.results.chosenRow else { return nil }
    return row.namespace == commandNamespace || tab.focus == .query ? row : nil
  }

  /// The environment variables that describe the store, the query and the row at the cursor.
  var commandVariables: [String: String] {
    var variables = CommandVariables()
    variables.add(store.identity.address, as: "SONDE_STORE")
    variables.add(commandNamespace, as: "SONDE_NAMESPACE")
    if let plan = tab.plan {
      variables.add(QueryDocument(plan).text, as: "SONDE_QUERY")
    }
    if let row = commandRow { variables.add(row) }
    return variables.values
  }

  /// Returns the export of a command's input rows. If there are none, shows the reason and returns
  /// nil.
  private mutating func order(of command: CustomCommand) -> ExportOrder? {
    let isOfSelection = command.input.rows == .selection && markedCount > 0
    if command.input.rows == .result, showsBeginning {
      notice = .loading
      return nil
    }
    if command.input.rows == .result || isOfSelection {
      guard let table = tab.results.table else {
        notice = missingResultReason
        return nil
      }
      return exportOrder(.result(command.input.format), isOfSelection ? .marked : .shown, of: table)
    }
    guard let row = commandRow, let answer = row.catalog.answer(of: row.entity, row.plan) else {
      notice = .commandNeedsRow(command.name)
      return nil
    }
    return ExportOrder(
      form: .result(command.input.format), rows: .shown, answer: answer,
      snapshot: row.catalog.snapshot, title: store.identity.name)
  }
}
