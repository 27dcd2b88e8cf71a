import InstaQL
import LiveQueries
import TerminalUI
import Triples

/// What is to be written to a file: which rows, in which form, where; and how far it has come.
struct ExportPane: Pane {
  /// The lines of the pane, in their order.
  enum Line: Int, CaseIterable, Sendable {
    case rows, form, file
  }

  /// Which rows, in terms that live data cannot make untrue.
  enum Scope: Sendable, Equatable, CaseIterable {
    case marked, shown, all
  }

  /// What has become of it.
  enum Progress: Sendable, Equatable {
    case choosing
    /// Something stands there: `enter` once more replaces it.
    case asking(String)
    case writing(LoadingProgress?)
    case failed(String)
  }

  private let namespace: String
  /// Of a store elsewhere only answers are known, not the whole.
  private let forms: [ExportForm]
  private(set) var line = Line.form
  private(set) var scope: Scope
  private var formIndex = 0
  private(set) var field: TextField
  /// The name as it follows from the form; it follows the form until somebody types another one.
  private var proposal: String
  private(set) var progress = Progress.choosing

  /// - Parameter knowsAll: Whether the whole store is known here, and not only what was asked for.
  init(
    of namespace: String, hasMarks: Bool, knowsAll: Bool, progress: Progress = .choosing
  ) {
    forms = ExportForm.allCases.filter { knowsAll || !$0.isStore }
    self.namespace = namespace
    self.progress = progress
    scope = hasMarks ? .marked : .shown
    proposal = Self.name(of: namespace, as: .result(.csv))
    field = TextField(proposal)
  }

  /// A name that every file system takes, whatever the namespace is called.
  private static func name(of namespace: String, as form: ExportForm) -> String {
    let stem = form.isStore ? "store" : namespace
    let safe = stem.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : "-" }
    return String(safe.prefix(60)) + form.ending
  }

  var form: ExportForm { forms[formIndex] }
  var isWriting: Bool { if case .writing = progress { true } else { false } }

  var focus: Focus { .export }
  var place: PanePlace { .popup(columns: 66, rows: 5) }
  func title(in context: PaneContext) -> String { "Export" }
  func label(of intent: Intent) -> String { intent == .open ? "write" : intent.label }
  func hints(in context: PaneContext) -> [Intent] {
    isWriting ? [.cancel] : [.open, .cancel]
  }

  mutating func type(_ key: Key, in context: PaneContext) -> [Wish]? {
    guard !isWriting else { return nil }
    if line != .file {
      guard beginsName(key, in: context) else { return nil }
      line = .file
      // Nobody types behind a name that was only proposed.
      if field.text == proposal { field = TextField() }
    }
    guard let typed = field.handle(key) else { return nil }
    progress = .choosing
    followEnding()
    return typed.wishes
  }

  /// Whether a key that is pressed on another line is the first of a name that somebody types.
  private func beginsName(_ key: Key, in context: PaneContext) -> Bool {
    guard key.typed != nil else { return false }
    let intent = context.keymap.intent(for: key, in: focus)
    return intent != .mark && intent != .help && intent != .palette
  }

  mutating func paste(_ text: String, in context: PaneContext) -> Outcome? {
    guard !isWriting else { return nil }
    line = .file
    let outcome = field.paste(text)
    progress = .choosing
    followEnding()
    return outcome
  }

  /// A name that ends as another form's do is that form's: nobody wants CSV in `a.json`.
  private mutating func followEnding() {
    let name = field.text.lowercased()
    func fits(_ form: ExportForm) -> Bool { !form.ending.isEmpty && name.hasSuffix(form.ending) }
    // Who writes a folder may call it what they like.
    guard !form.ending.isEmpty, !fits(form), let index = forms.firstIndex(where: fits) else {
      return
    }
    formIndex = index
  }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    if isWriting {
      switch intent {
      case .cancel, .quit, .interrupt, .back: return [.effect(.stopExport)]
      case .redraw, .suspend: return nil
      default: return [.say("It is still being written: \(Intent.cancel.key) gives up")]
      }
    }
    switch intent {
    case .up, .previousPane: move(by: -1)
    case .down, .nextPane: move(by: 1)
    case .left: return turn(by: -1, in: context).wishes
    case .right, .mark: return turn(by: 1, in: context).wishes
    case .open: return write()
    default: return nil
    }
    return []
  }

  private mutating func move(by step: Int) {
    let count = Line.allCases.count
    line = Line(rawValue: (line.rawValue + step + count) % count) ?? .form
  }

  /// The next or previous choice of the line that the cursor is on.
  @discardableResult
  private mutating func turn(by step: Int, in context: PaneContext) -> Outcome {
    progress = .choosing
    switch line {
    case .file: return .nothing(because: "Here the name of the file is typed")
    case .rows:
      let scopes = scopes(in: context)
      guard scopes.count > 1 else {
        return .nothing(
          because: "These are all rows there are: none is marked or left out, "
            + "\(Intent.open.key) writes them")
      }
      let place = scopes.firstIndex(of: scope) ?? 0
      scope = scopes[(place + step + scopes.count) % scopes.count]
    case .form:
      formIndex = (formIndex + step + forms.count) % forms.count
      guard field.text == proposal else { break }
      proposal = Self.name(of: namespace, as: form)
      field = TextField(proposal)
    }
    return .done
  }

  /// Those that differ here: there may be no marks, and no limit.
  private func scopes(in context: PaneContext) -> [Scope] {
    Scope.allCases.filter { scope in
      switch scope {
      case .marked: context.marked > 0
      case .shown: true
      case .all:
        (context.catalog?.snapshot.served?.canGiveAll ?? true)
          && (context.table?.answer.total ?? 0) > (context.table?.answer.pageCount ?? 0)
      }
    }
  }

  private static let needsName = "A name is needed for the file"

  private mutating func write() -> [Wish] {
    let path = field.text
    guard path.contains(where: { !$0.isWhitespace }) else {
      line = .file
      progress = .failed(Self.needsName)
      return [.say(Self.needsName)]
    }
    let isReplacing = progress == .asking(path)
    progress = .writing(nil)
    return [.export(form, scope, path: path, isReplacing: isReplacing)]
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    guard !isWriting, let line = Line(rawValue: line) else { return [] }
    let isSame = self.line == line
    self.line = line
    guard isSame else { return [] }
    if line == .file {
      field.click(column: column - Self.fieldColumn, width: Self.fieldWidth(of: context.width))
    } else {
      turn(by: 1, in: context)
    }
    return []
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    if !isWriting { turn(by: lines > 0 ? 1 : -1, in: context) }
  }

  mutating func refresh(in context: PaneContext) {
    let scopes = scopes(in: context)
    if !scopes.contains(scope) { scope = .shown }
  }

  /// How far the writing has come.
  mutating func receive(_ done: LoadingProgress) {
    if isWriting { progress = .writing(done) }
  }

  /// What came of it, unless it is well and the pane may close.
  mutating func receive(_ outcome: ExportOutcome) {
    switch outcome {
    case .exists(let path): progress = .asking(path)
    case .failed(let reason): progress = .failed(reason)
    case .written, .cancelled: progress = .choosing
    }
  }
}

// How it looks.
extension ExportPane {
  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    draw(.rows, "rows", choice: rowsText(in: context), into: &frame, area: area)
    draw(.form, "form", choice: form.words.name, into: &frame, area: area)
    drawHelp(into: &frame, area: area)
    draw(.file, "file", choice: nil, into: &frame, area: area)
    if area.rows > Line.file.rawValue { drawField(into: &frame, area: area) }
    guard area.rows > 4 else { return }
    let (text, role) = state(context.keys)
    frame.writeWrapped(context.keys.filling(text), in: area.dropping(rows: 4), paint: Paint(role))
  }

  /// What the form is, beside it or, where it would be cut there, beneath the lines.
  private func drawHelp(into frame: inout Frame, area: Rect) {
    let used = TextWidth.columns(of: form.words.name) + 14
    let isBeside = TextWidth.columns(of: form.words.help) < area.columns - used
    guard isBeside || area.rows > 3 else { return }
    let isChosen = line == .form && isBeside
    // What comes after the first comma can be spared.
    let isWhole = TextWidth.columns(of: form.words.help) < area.columns - 7
    frame.write(
      isWhole ? form.words.help : String(form.words.help.prefix { $0 != "," }),
      row: area.row + (isBeside ? Line.form.rawValue : 3),
      column: area.column + (isBeside ? used : 7),
      width: max(0, area.columns - (isBeside ? used : 7) - 1),
      paint: Paint(.dim, on: isChosen ? .selection : .text))
  }

  private func drawField(into frame: inout Frame, area: Rect) {
    let row = area.row + Line.file.rawValue
    let width = Self.fieldWidth(of: area.columns)
    let column = area.column + Self.fieldColumn
    if line == .file, !isWriting {
      field.draw(into: &frame, row: row, column: column, width: width, paint: Paint(.input))
    } else {
      frame.write(field.text, row: row, column: column, width: width)
    }
  }

  /// Where the name of the file is typed.
  private static let fieldColumn = 9
  private static func fieldWidth(of columns: Int) -> Int { max(0, columns - fieldColumn - 1) }

  private func draw(
    _ line: Line, _ name: String, choice: String?, into frame: inout Frame, area: Rect
  ) {
    guard line.rawValue < area.rows else { return }
    let row = area.row + line.rawValue
    let ground: Role = line == self.line && !isWriting ? .selection : .text
    frame.fill(
      Rect(row: row, column: area.column, rows: 1, columns: area.columns), Paint(.text, on: ground))
    frame.write(
      name, row: row, column: area.column + 1, width: 6, paint: Paint(.attribute, on: ground))
    guard let choice else { return }
    frame.write(
      "‹ \(choice) ›", row: row, column: area.column + 7, width: max(0, area.columns - 8),
      paint: Paint(.text, on: ground))
  }

  private func rowsText(in context: PaneContext) -> String {
    guard !form.isStore else { return "the whole store" }
    let answer = context.table?.answer
    return switch scope {
    case .marked: "the \(NumberText.grouped(context.marked)) marked"
    case .shown:
      answer?.count == nil
        ? "the \(NumberText.grouped(answer?.pageCount ?? 0)) shown" : "the count"
    case .all: "all \(NumberText.grouped(answer?.total ?? 0)) that match"
    }
  }

  private func state(_ keys: KeyNames) -> (text: String, role: Role) {
    switch progress {
    case .choosing:
      (
        "\(keys.sign(of: .up))\(keys.sign(of: .down)) line  "
          + "\(keys.sign(of: .left))\(keys.sign(of: .right)) choice  "
          + "\(keys.name(of: .open)) writes  \(keys.name(of: .cancel)) leaves", .dim
      )
    case .asking(let path): ("There is \(path) already: \(Intent.open.key) replaces it", .warning)
    case .failed(let reason): (reason, .error)
    case .writing(nil): ("Writing …", .progress)
    case .writing(let done?):
      (
        "Writing: \(done.words)"
          + (done.fraction.map { ", \(Int($0 * 100)) %" } ?? "")
          + " – \(Intent.cancel.key) gives up", .progress
      )
    }
  }
}

extension LoadingProgress {
  fileprivate var words: String {
    let of = total.map { " of \(NumberText.grouped($0))" } ?? ""
    return "\(NumberText.grouped(done))\(of) \(unit.rawValue)"
  }
}
