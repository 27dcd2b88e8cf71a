import TerminalUI
import Triples

/// A thing that is being made, a line for each attribute and link; what it must have is marked.
///
///     * title     Plant a hedge
///       key       plant-a-hedge            made of the name
///     * status    op▏                      text
///     * → owner   type to choose           people
struct NewEntityPane: Pane {
  private(set) var draft: EntityDraft
  private var cursor = ListCursor()
  /// What the store said to all of it.
  private var refusal: String?
  /// Whether leaving was asked for while there was something to lose.
  private var isLeaving = false

  init(_ draft: EntityDraft, refusal: Model.Refusal? = nil) {
    self.draft = draft
    if let refusal { refuse(refusal) }
  }

  var focus: Focus { .newEntity }
  var place: PanePlace { .popup(columns: 74, rows: min(draft.fields.count + 1, 18)) }
  func title(in context: PaneContext) -> String { "New in \(draft.namespace)" }
  func hints(in context: PaneContext) -> [Intent] { [.open, .nextPane, .previousPane, .cancel] }

  /// Enter goes to what is missing first, and makes the thing when nothing is.
  func label(of intent: Intent) -> String {
    switch intent {
    case .open:
      guard let trouble = draft.firstTrouble else { return "make it" }
      guard trouble == cursor.index else { return "to what is missing" }
      if case .link? = field?.content { return "choose" }
      return "make it when this is right"
    case .nextPane: return "next line"
    case .previousPane: return "line before"
    default: return intent.label
    }
  }

  func remark(in context: PaneContext) -> String {
    let required = draft.fields.filter(\.isRequired)
    guard !required.isEmpty else { return "" }
    let there = required.filter { !draft.isMissing($0) && $0.complaint == nil }
    return "\(there.count) of \(required.count) required"
  }

  var holdsTyping: Bool { !draft.isEmpty }

  private var field: EntityDraft.Field? {
    draft.fields.indices.contains(cursor.index) ? draft.fields[cursor.index] : nil
  }

  mutating func type(_ key: Key, in context: PaneContext) -> [Wish]? {
    guard let catalog = context.catalog else { return nil }
    if context.usesVi, let wishes = command(key, in: context) { return wishes }
    if let typed = draft.handle(key, at: cursor.index, in: catalog) {
      noteChange(in: context)
      return typed.wishes
    }
    guard case .link(let link, _)? = field?.content else { return nil }
    if key == .backspace || key == .delete {
      let isRemoved = draft.removeLast(at: cursor.index)
      noteChange(in: context)
      return isRemoved ? [] : [.say("It leads nowhere yet: a letter begins to choose")]
    }
    return key.typed.map { [.open(Overlay(ChooserPane(filling: link, typed: $0)))] }
  }

  /// The keys of vi that are for more than a line's text: escape ends typing, `j` and `k` lead to the
  /// lines beside it then.
  private mutating func command(_ key: Key, in context: PaneContext) -> [Wish]? {
    draft[line: cursor.index]?.useVi()
    if key == .escape { return draft[line: cursor.index]?.escape() == true ? [] : nil }
    guard draft[line: cursor.index]?.vi?.isReady == true else { return nil }
    switch key.typed {
    case "j": return move(by: 1, in: context)
    case "k": return move(by: -1, in: context)
    default: return nil
    }
  }

  mutating func paste(_ text: String, in context: PaneContext) -> Outcome? {
    guard let catalog = context.catalog,
      let outcome = draft.paste(text, at: cursor.index, in: catalog)
    else { return nil }
    noteChange(in: context)
    return outcome
  }

  /// What a link shall lead to was chosen.
  mutating func receive(_ linked: EntityDraft.Linked, in context: PaneContext) {
    draft.add(linked, at: cursor.index)
    noteChange(in: context)
  }

  /// What the store said to what was sent.
  mutating func refuse(_ reason: Model.Refusal) {
    guard let place = draft.complain(reason) else {
      refusal = reason.text
      return
    }
    cursor.move(to: place, of: draft.fields.count, page: draft.fields.count)
  }

  private mutating func noteChange(in context: PaneContext) {
    refusal = nil
    isLeaving = false
    // The name is what a key may be made of.
    if cursor.index == 0, let catalog = context.catalog { draft.check(in: catalog) }
  }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    switch intent {
    case .up, .previousPane: return move(by: -1, in: context)
    case .down, .nextPane: return move(by: 1, in: context)
    case .open: return goOn(in: context)
    case .cancel, .quit, .interrupt, .back:
      guard holdsTyping, !isLeaving else { return [.close] }
      isLeaving = true
    case .help, .redraw, .suspend, .nextTheme, .themes, .mouse: return nil
    default:
      return [.say("First make it with \(Intent.open.key), or leave it with \(Intent.cancel.key)")]
    }
    return []
  }

  /// The line after the last is the first, as in a form.
  private mutating func move(by step: Int, in context: PaneContext) -> [Wish] {
    let count = max(1, draft.fields.count)
    move(to: (cursor.index + step + count) % count, in: context)
    return count > 1 ? [] : [.say("There is no other line: \(Intent.open.key) makes it")]
  }

  private mutating func move(to place: Int, in context: PaneContext) {
    isLeaving = false
    cursor.move(to: place, of: draft.fields.count, page: context.page - 1)
  }

  /// Makes the thing, or goes to what keeps it from being made.
  private mutating func goOn(in context: PaneContext) -> [Wish] {
    isLeaving = false
    guard let trouble = draft.firstTrouble else { return [.make] }
    guard trouble == cursor.index else {
      move(to: trouble, in: context)
      return []
    }
    if case .link(let link, _)? = field?.content {
      return [.open(Overlay(ChooserPane(filling: link)))]
    }
    return [.say(advice(context.keys).0)]
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    let place = cursor.top + line
    guard line < context.page - 1, draft.fields.indices.contains(place) else { return [] }
    let isSame = place == cursor.index
    move(to: place, in: context)
    if let text = draft[line: place]?.text {
      let box = box(of: draft.fields[place], in: context.width)
      // Of another line one sees the beginning, of the one that is typed what is around the cursor.
      if isSame || TextWidth.columns(of: text) < box.count {
        draft[line: place]?.click(column: column - box.lowerBound, width: box.count)
      }
    }
    guard times == 2, case .link(let link, _)? = field?.content else { return [] }
    return [.open(Overlay(ChooserPane(filling: link)))]
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: draft.fields.count, page: context.page - 1)
  }

  mutating func refresh(in context: PaneContext) {
    if let catalog = context.catalog { draft.check(in: catalog) }
    cursor.move(by: 0, of: draft.fields.count, page: context.page - 1)
  }
}

// How it looks.
extension NewEntityPane {
  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let labelWidth = labelWidth(in: area.columns)
    for row in 0..<max(0, area.rows - 1) where cursor.top + row < draft.fields.count {
      let line = Rect(row: area.row + row, column: area.column, rows: 1, columns: area.columns)
      draw(cursor.top + row, labelWidth: labelWidth, into: &frame, line: line)
    }
    guard area.rows > 1 else { return }
    let (text, role) = advice(context.keys)
    frame.write(
      context.keys.filling(text), row: area.endRow - 1, column: area.column + 1,
      width: max(0, area.columns - 2),
      paint: Paint(role))
  }

  /// What to do next, or what is wrong.
  private func advice(_ keys: KeyNames) -> (String, Role) {
    if isLeaving { return ("\(Intent.cancel.key) again throws away what was typed", .warning) }
    if let complaint = field?.complaint ?? refusal { return (complaint, .error) }
    if let field, draft.isMissing(field) {
      return ("\(field.label) is required: \(Intent.open.key) goes on when it is there", .dim)
    }
    let next = draft.firstTrouble.map { "\(Intent.open.key) goes to \(draft.fields[$0].label)" }
    return (
      (next ?? "\(Intent.open.key) makes it") + ", \(keys.sign(of: .down)) to the next line", .dim
    )
  }

  private static func title(of field: EntityDraft.Field) -> String {
    switch field.content {
    case .value: field.label
    case .link(let link, _): (link.cardinality == .one ? "→ " : "⇉ ") + field.label
    }
  }

  private func draw(_ place: Int, labelWidth: Int, into frame: inout Frame, line: Rect) {
    let field = draft.fields[place]
    let isChosen = place == cursor.index
    let ground: Role = isChosen ? .selection : .text
    frame.fill(line, Paint(.text, on: ground))
    frame.write(
      field.isRequired ? "*" : " ", row: line.row, column: line.column, width: 1,
      paint: Paint(draft.isMissing(field) ? .warning : .dim, on: ground))
    frame.write(
      Self.title(of: field), row: line.row, column: line.column + 2, width: labelWidth,
      paint: Paint(field.isLink ? .link : .attribute, on: ground))
    let note = note(of: field)
    let box = box(of: field, in: line.columns)
    let noteWidth = noteWidth(of: note, in: line.columns)
    frame.write(
      note, row: line.row, column: line.endColumn - noteWidth - 1, width: noteWidth,
      paint: Paint(.dim, on: ground))
    draw(
      field, isChosen: isChosen, into: &frame,
      line: Rect(
        row: line.row, column: line.column + box.lowerBound, rows: 1, columns: box.count))
  }

  private func labelWidth(in columns: Int) -> Int {
    let labels = draft.fields.map { TextWidth.columns(of: Self.title(of: $0)) }.max() ?? 0
    return min(labels, max(8, columns / 3))
  }

  private func noteWidth(of note: String, in columns: Int) -> Int {
    min(TextWidth.columns(of: note), max(0, columns - labelWidth(in: columns) - 5) / 2)
  }

  /// Where in a line of so many columns one types.
  private func box(of field: EntityDraft.Field, in columns: Int) -> Range<Int> {
    let start = labelWidth(in: columns) + 4
    let end = columns - 2 - noteWidth(of: note(of: field), in: columns)
    return start..<max(start, end)
  }

  /// What is typed or chosen, or what could be.
  private func draw(
    _ field: EntityDraft.Field, isChosen: Bool, into frame: inout Frame, line: Rect
  ) {
    let ground: Role = isChosen ? .selection : .text
    var text = ""
    var role = field.complaint == nil ? Role.string : .error
    switch field.content {
    case .value(_, let typed):
      if isChosen {
        typed.draw(
          into: &frame, row: line.row, column: line.column, width: line.columns,
          paint: Paint(.prompt))
      } else {
        text = typed.text
      }
      if typed.text.isEmpty { (text, role) = (draft.proposal(for: field) ?? "", .placeholder) }
    case .link(_, let linked):
      if isChosen { frame.cursor = Position(row: line.row, column: line.column) }
      (text, role) =
        linked.isEmpty
        ? (isChosen ? "type to choose" : "", .placeholder)
        : (linked.map(\.name).joined(separator: ", "), .link)
    }
    guard !text.isEmpty else { return }
    let isField = if case .value = field.content { isChosen } else { false }
    frame.write(
      text, row: line.row, column: line.column + (isField ? 1 : 0),
      width: max(0, line.columns - (isField ? 1 : 0)),
      paint: Paint(role, on: isField ? .text : ground))
  }

  private func note(of field: EntityDraft.Field) -> String {
    switch field.content {
    case .value(let attribute, _):
      field.isEmpty && draft.proposal(for: field) != nil
        ? "made of the name" : SchemaPane.mark(of: attribute)
    case .link(let link, let linked):
      linked.count > 1 ? "\(linked.count) of \(link.target)" : link.target
    }
  }
}

extension EntityDraft.Field {
  fileprivate var isLink: Bool { if case .link = content { true } else { false } }
}
