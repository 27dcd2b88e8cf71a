import InstaQL
import Triples

// Exports answers and whole stores to files.
extension Workspace {
  /// Opens the export dialog. If the cursor of the namespaces or the schema is on another namespace
  /// than the results, first opens that namespace.
  ///
  /// - Parameter isPiping: Whether the dialog begins with a shell command instead of a file name.
  mutating func openExport(piping isPiping: Bool = false) -> [Effect] {
    if otherNamespace != nil {
      let effects = openChosenNamespace()
      tab.overlays = []
      return effects + performWhenLoaded(isPiping ? .pipe : .export)
    }
    guard let table = tab.results.table else { return notify(missingResultReason) }
    open(
      ExportPane(
        of: table.answer.namespace, isPiping: isPiping,
        hasMarks: table.answer.window == nil ? !markedEntities.isEmpty : markedCount > 0,
        knowsAll: table.catalog.snapshot.served?.canGiveAll ?? true, folder: settings.folder,
        progress: requests.isPending(.export) ? .writing(nil) : .choosing))
    return []
  }

  mutating func export(
    _ form: ExportForm, _ scope: ExportScope, _ columns: ExportColumns, path: String,
    isReplacing: Bool
  ) -> [Effect] {
    guard let table = tab.results.table else { return [] }
    var order = exportOrder(form, scope, of: table, path: path, isReplacing: isReplacing)
    if form.hasColumns, !table.isSummary {
      order.columns =
        form == .text && columns != .all
        ? table.columns.map(\.unfitted) : table.columns(toExport: columns)
      if order.columns != nil { order.linked = table.catalog.linked }
    }
    order.command = ExportOrder.command(in: path).map {
      ShellCommand($0, variables: commandVariables)
    }
    return requests.begin(.export(order), for: .export)
  }

  func exportOrder(
    _ form: ExportForm, _ scope: ExportScope, of table: ResultTable, path: String = "",
    isReplacing: Bool = false
  ) -> ExportOrder {
    let rows: ExportRows =
      switch scope {
      case .marked where table.answer.window != nil:
        .marked(session.marks[table.answer.namespace].sorted())
      case .marked: .marked(markedEntities.map { table.catalog.store.id(of: $0) })
      case .shown: .shown
      case .all: .all
      }
    let catalog = form.isStore ? catalog ?? table.catalog : table.catalog
    return ExportOrder(
      form: form, rows: rows, path: path, isReplacing: isReplacing, answer: table.answer,
      snapshot: catalog.snapshot, title: store.identity.name)
  }

  /// Reports the result of an export: in the dialog if the user has to act, otherwise in the status
  /// line.
  mutating func report(_ outcome: ExportOutcome) -> [Effect] {
    let isOpen = tab.overlays.contains { $0.pane is ExportPane }
    switch outcome {
    case .written(let path, let rows, let bytes, let remarks):
      tabs.forEach { $0.closeExport() }
      return notify(.exported(rows: rows, to: path, bytes: bytes, remarks: remarks))
    case .piped(let command, let file, let rows):
      tabs.forEach { $0.closeExport() }
      notice = .piped(rows: rows, into: command.name)
      return start(command, reading: file)
    case .exists(let path):
      if !isOpen { notice = .notOverwritten(path) }
    case .folderMissing(_, let folder):
      if !isOpen { notice = .exportFailed("The folder \(folder) does not exist.") }
    case .failed(let reason):
      if !isOpen { notice = .exportFailed(reason) }
    case .cancelled:
      notice = .exportCanceled
    }
    updateExports { $0.showOutcome(outcome) }
    return []
  }
}

extension Tab {
  fileprivate mutating func closeExport() {
    overlays.removeAll { ($0.pane as? ExportPane)?.isWriting == true }
  }
}
