import InstaQL
import LiveQueries
import TerminalUI
import Triples
import Widgets

/// The export dialog, in which the user selects rows, format and file name, and sees the progress.
struct ExportPane: Pane {
  /// The lines of the dialog, in order.
  enum Line: Int, CaseIterable, Sendable {
    case rows, columns, form, file
  }

  /// The state of the export.
  enum Progress: Sendable, Equatable {
    case choosing
    /// The file exists. `enter` overwrites it.
    case asking(String)
    /// The folder of the file does not exist. `enter` creates it.
    case askingFolder(String, folder: String)
    case writing(LoadingProgress?)
    case failed(String)
  }

  private let namespace: String
  /// Whether the dialog was opened to type a shell command.
  private let isPiping: Bool
  /// The path of the folder for the proposed file; empty if it is unknown.
  private let folder: String
  /// The formats that the user can choose. A remote store has no formats for whole stores.
  private let forms: [ExportForm]
  private(set) var line = Line.form
  private(set) var scope: ExportScope
  private(set) var columns = ExportColumns.shown
  private var formIndex = 0
  private(set) var field: TextField
  /// The proposed file name. It follows the format until the user edits the name.
  private var proposal: String
  /// Whether no file has the proposed name.
  private var isProposalFree = false
  private(set) var progress = Progress.choosing

  /// Opens the dialog.
  ///
  /// - Parameters:
  ///   - isPiping: Whether a shell command is typed instead of a file name.
  ///   - knowsAll: Whether the whole store is loaded.
  ///   - folder: The folder for the proposed file; empty if it is unknown.
  init(
    of namespace: String, isPiping: Bool = false, hasMarks: Bool, knowsAll: Bool,
    folder: String = "", progress: Progress = .choosing
  ) {
    self.folder = folder
    self.isPiping = isPiping
    forms = ExportForm.allCases.filter { knowsAll || !$0.isStore }
    self.namespace = namespace
    self.progress = progress
    scope = hasMarks ? .marked : .shown
    proposal = Self.path(of: namespace, as: .result(.csv), in: folder)
    field = TextField(selecting: proposal)
    guard isPiping else { return }
    field = TextField("| ")
    line = .file
    formIndex = forms.firstIndex(of: .result(.ndjson)) ?? 0
  }

  /// Returns a path for a namespace whose name is valid in every file system.
  private static func path(of namespace: String, as form: ExportForm, in folder: String) -> String {
    let stem = form.isStore ? "store" : namespace
    let safe = stem.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : "-" }
    let place = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    return place + String(safe.prefix(60)) + form.ending
  }

  var form: ExportForm { forms[formIndex] }
  var isWriting: Bool { if case .writing = progress { true } else { false } }

  /// Whether the proposed name may be that of an existing file. Saving waits for a free name.
  var awaitsMatches: Bool { !isProposalFree && !isWriting && field.text == proposal }
  var needs: PaneNeeds { PaneNeeds(freePath: awaitsMatches ? proposal : nil) }

  var traits: PaneTraits { .export }
  func title(in context: PaneContext) -> String { isCommand ? "Pipe" : traits.title }
  func label(of command: Command) -> String {
    switch command {
    case .cancel where isWriting: "cancel export"
    case .open: openLabel
    default: traits.label(of: command)
    }
  }
  /// Whether the rows are piped into a shell command instead of being written to a file.
  var isCommand: Bool { ExportOrder.command(in: field.text) != nil }
  var openLabel: String {
    switch progress {
    case .asking: return "overwrite"
    case .askingFolder: return "create the folder"
    case .choosing, .writing, .failed: break
    }
    return isCommand ? "run" : "save"
  }
  func hints(in context: PaneContext) -> [Command] { isWriting ? [.cancel] : [.open, .cancel] }

  mutating func type(_ key: Key, in context: PaneContext) -> [PaneAction]? {
    guard !isWriting else { return nil }
    if line != .file {
      guard beginsName(key, in: context) else { return nil }
      line = .file
    }
    guard let typed = field.handle(key) else { return nil }
    if isPiping, !field.text.hasPrefix("|") { field = TextField("| " + field.text) }
    progress = .choosing
    followEnding()
    return typed.actions
  }

  /// Returns whether a key is the first letter of a file name, rather than a command of the dialog.
  private func beginsName(_ key: Key, in context: PaneContext) -> Bool {
    guard key.typed != nil else { return false }
    let command = context.settings.keymap.command(for: key, in: traits)
    return command != .mark && command != .help && command != .palette
  }

  mutating func paste(_ text: String, in context: PaneContext) -> InputResult? {
    guard !isWriting else { return nil }
    line = .file
    let outcome = field.paste(text)
    progress = .choosing
    followEnding()
    return outcome
  }

  /// Adopts the format of a typed file extension, so that `a.json` does not contain CSV.
  private mutating func followEnding() {
    let name = field.text.lowercased()
    func fits(_ form: ExportForm) -> Bool { !form.ending.isEmpty && name.hasSuffix(form.ending) }
    // The name of a folder may have any ending.
    guard !form.ending.isEmpty, !fits(form), let index = forms.firstIndex(where: fits) else {
      return
    }
    formIndex = index
  }

  mutating func handle(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    if isWriting {
      switch command {
      case .cancel, .quit, .interrupt, .back: return [.stopExport]
      case .redraw, .suspend: return nil
      default: return [.show(.stillExporting)]
      }
    }
    switch command {
    case .nextPane where line == .file && !isCommand:
      return [.request(.paths(field.text), for: .paths)]
    case .up, .previousPane: line = line.moved(by: -1)
    case .down, .nextPane: line = line.next
    case .left: return cycleChoice(by: -1, in: context).actions
    case .right, .mark: return cycleChoice(by: 1, in: context).actions
    case .open: return write()
    default: return nil
    }
    return []
  }

  /// Selects the next or previous choice of rows or format.
  @discardableResult
  private mutating func cycleChoice(by step: Int, in context: PaneContext) -> InputResult {
    progress = .choosing
    switch line {
    case .file: return .noEffect(.typeFileName)
    case .rows:
      let scopes = scopes(in: context)
      guard scopes.count > 1 else { return .noEffect(.onlyTheseRows) }
      let place = scopes.firstIndex(of: scope) ?? 0
      scope = scopes[(place + step + scopes.count) % scopes.count]
    case .columns:
      let choices = columnChoices(in: context)
      guard choices.count > 1 else { return .noEffect(.onlyTheseColumns) }
      let place = choices.firstIndex(of: columns) ?? 0
      columns = choices[(place + step + choices.count) % choices.count]
    case .form:
      formIndex = (formIndex + step + forms.count) % forms.count
      guard field.text == proposal else { break }
      propose(Self.path(of: namespace, as: form, in: folder), isFree: false)
    }
    return .done
  }

  private mutating func propose(_ path: String, isFree: Bool) {
    if path != proposal { field = TextField(selecting: path) }
    (proposal, isProposalFree) = (path, isFree)
  }

  /// Returns the choices of rows, without those that would write the same rows as another choice.
  func scopes(in context: PaneContext) -> [ExportScope] {
    if form.isStore { return [scope] }
    return ExportScope.allCases.filter { scope in
      switch scope {
      case .marked: context.marked > 0
      case .shown: true
      case .all:
        (context.catalog?.snapshot.served?.canGiveAll ?? true)
          && (context.table?.answer.total ?? 0) > (context.table?.answer.pageCount ?? 0)
      }
    }
  }

  /// Returns the choices of columns, without those that would write the same columns as another
  /// choice.
  func columnChoices(in context: PaneContext) -> [ExportColumns] {
    guard form.hasColumns, let table = context.table else { return [.shown] }
    return table.exportChoices.filter { form != .text || $0 != .shownWithLists }
  }

  private mutating func write() -> [PaneAction] {
    let path = field.text
    guard path.contains(where: { !$0.isWhitespace }) else {
      line = .file
      progress = .failed(Notice.fileNameNeeded.text)
      return [.show(.fileNameNeeded)]
    }
    if let command = ExportOrder.command(in: path) {
      line = .file
      if command.isEmpty { return [.show(.commandNeeded)] }
      if form.isStore { return [.show(.storeNotPipeable)] }
    }
    let isReplacing =
      switch progress {
      case .asking(let asked), .askingFolder(let asked, _): asked == path
      case .choosing, .writing, .failed: false
      }
    progress = .writing(nil)
    return [.export(form, scope, columns, path: path, isReplacing: isReplacing)]
  }

  mutating func receive(_ response: Response, in context: PaneContext) -> Notice? {
    if case .freePath(let path) = response, awaitsMatches { propose(path, isFree: true) }
    guard case .paths(let paths) = response, line == .file, !isWriting else { return nil }
    let before = field.text
    let news = field.completePath(with: paths)
    guard field.text != before else { return news }
    progress = .choosing
    followEnding()
    return news
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    guard !isWriting, let line = Line(rawValue: line) else { return [] }
    let isSame = self.line == line
    self.line = line
    guard isSame else { return [] }
    if line == .file {
      field.click(column: column - Self.fieldColumn, width: Self.fieldWidth(of: context.width))
    } else {
      cycleChoice(by: 1, in: context)
    }
    return []
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    if !isWriting { cycleChoice(by: lines > 0 ? 1 : -1, in: context) }
  }

  mutating func refresh(in context: PaneContext) {
    let scopes = scopes(in: context)
    if !scopes.contains(scope) { scope = .shown }
  }

  mutating func showProgress(_ done: LoadingProgress) {
    if isWriting { progress = .writing(done) }
  }

  /// Shows the outcome of the export. The pane closes if the export succeeded.
  mutating func showOutcome(_ outcome: ExportOutcome) {
    switch outcome {
    case .exists(let path): progress = .asking(path)
    case .folderMissing(let path, let folder): progress = .askingFolder(path, folder: folder)
    case .failed(let reason): progress = .failed(reason)
    case .written, .piped, .cancelled: progress = .choosing
    }
  }
}

extension PaneTraits {
  package static let export = PaneTraits(
    title: "Export",
    about:
      "Writes rows or the whole store to a file. The proposed name is one that no file has. In the path, "
      + "tab completes names of files and folders. "
      + "If the path begins with |, the rest is a shell command, which receives the rows on standard "
      + "input. “as shown” writes the columns in the order of the screen, with ids and foreign keys, and a "
      + "link to one row as the label of that row. “with lists” adds the links to several rows, as all "
      + "of their labels, joined by semicolons."
  ) {
    $0.isAlone = true
    $0.isDialog = true
    $0.ignored = .allBut(inDialogs + [.left, .right, .nextPane, .previousPane, .mark])
    $0.place = .popup(columns: 66, rows: 6)
    $0.labels = [
      .cancel: "cancel", .up: "previous line", .previousPane: "previous line", .down: "next line",
      .nextPane: "next line", .left: "previous choice", .right: "next choice", .mark: "next choice",
    ]
  }
}
