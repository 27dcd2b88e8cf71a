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
  private(set) var cursor = ListCursor()
  /// What the store said to all of it.
  private(set) var refusal: String?
  /// Whether leaving was asked for while there was something to lose.
  private(set) var isLeaving = false

  init(_ draft: EntityDraft, refusal: Rejection? = nil) {
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

  var field: EntityDraft.Field? {
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
      return isRemoved ? [] : [.say(.linkEmpty)]
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
  mutating func refuse(_ reason: Rejection) {
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
      return [.say(.unsavedInput)]
    }
    return []
  }

  /// The line after the last is the first, as in a form.
  private mutating func move(by step: Int, in context: PaneContext) -> [Wish] {
    let count = max(1, draft.fields.count)
    move(to: (cursor.index + step + count) % count, in: context)
    return count > 1 ? [] : [.say(.onlyField)]
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
    return [.say(advice.0)]
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
