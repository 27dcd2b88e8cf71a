import TerminalUI
import Widgets

/// A form for a new entity, with a line for each attribute and link. Required fields are marked.
///
///     * title     Plant a hedge
///       key       plant-a-hedge            derived from title
///     * status    op▏                      text
///     * → owner   type to choose           people
struct NewEntityPane: Pane {
  private(set) var draft: EntityDraft
  private(set) var cursor = ListCursor()
  /// The reason why the store rejected the whole entity. Nil if a single field is at fault or
  /// nothing was rejected.
  private(set) var refusal: String?
  /// Whether the user tried to leave with unsaved input.
  private(set) var isLeaving = false

  init(_ draft: EntityDraft, refusal: Rejection? = nil) {
    self.draft = draft
    if let refusal { refuse(refusal) }
  }

  var traits: PaneTraits { .newEntity }
  var place: PanePlace {
    .popup(
      columns: Self.columns,
      rows: min(draft.fields.count, Self.maxFieldRows) + adviceRows(in: Self.columns))
  }
  private static let columns = 74
  private static let maxFieldRows = 17
  func title(in context: PaneContext) -> String { "New row in \(draft.namespace)" }

  /// Returns the label of a command in the form.
  ///
  /// Enter moves to the first field that prevents saving, or creates the entity if no field does.
  func label(of command: Command) -> String {
    guard command == .open, let trouble = draft.firstTrouble else {
      return traits.label(of: command)
    }
    guard trouble == cursor.index else {
      return "next incomplete field (\(draft.fields[trouble].label))"
    }
    if field?.link != nil { return "choose" }
    return "fix and create"
  }

  func remark(in context: PaneContext) -> String {
    let required = draft.fields.filter(\.isRequired)
    guard !required.isEmpty else { return "" }
    let there = required.filter { !draft.isMissing($0) && $0.complaint == nil }
    return "\(there.count) of \(required.count) required fields filled"
  }

  var holdsTyping: Bool { !draft.isEmpty }

  var field: EntityDraft.Field? { cursor.item(in: draft.fields) }

  mutating func type(_ key: Key, in context: PaneContext) -> [PaneAction]? {
    guard context.catalog != nil else { return nil }
    if context.settings.usesVi, let actions = command(key, in: context) { return actions }
    if let typed = draft.edit(cursor.index, in: context.catalog, { $0.handle(key) }) {
      fieldDidChange(in: context)
      return typed.actions
    }
    guard let link = field?.link else { return nil }
    if key == .backspace || key == .delete {
      let isRemoved = draft.removeLast(at: cursor.index)
      fieldDidChange(in: context)
      return isRemoved ? [] : [.show(.linkEmpty)]
    }
    return key.typed.map { [.open(Overlay(ChooserPane(filling: link, typed: $0)))] }
  }

  /// Handles vi keys that apply to the form. Escape ends typing, then `j` and `k` change lines.
  private mutating func command(_ key: Key, in context: PaneContext) -> [PaneAction]? {
    _ = draft.edit(cursor.index, in: nil) { $0.useVi() }
    if key == .escape {
      return draft.edit(cursor.index, in: nil) { $0.escape() } == true ? [] : nil
    }
    guard field?.text.vi?.isReady == true else { return nil }
    switch key.typed {
    case "j": return move(by: 1, in: context)
    case "k": return move(by: -1, in: context)
    default: return nil
    }
  }

  mutating func paste(_ text: String, in context: PaneContext) -> InputResult? {
    guard context.catalog != nil,
      let outcome = draft.edit(cursor.index, in: context.catalog, { $0.paste(text) })
    else { return nil }
    fieldDidChange(in: context)
    return outcome
  }

  /// Adds the entity that the user chose as a target of the link at the cursor.
  mutating func addTarget(_ linked: EntityDraft.Linked, in context: PaneContext) {
    draft.add(linked, at: cursor.index)
    fieldDidChange(in: context)
  }

  /// Shows the store's reason for rejecting the entity, if possible at the field that it concerns.
  mutating func refuse(_ reason: Rejection) {
    guard let place = draft.mark(reason) else {
      refusal = reason.text
      return
    }
    cursor.move(to: place, of: draft.fields.count, page: draft.fields.count)
  }

  private func fieldRows(in context: PaneContext) -> Int {
    context.page - adviceRows(in: context.width)
  }

  private mutating func showCursor(in context: PaneContext) {
    cursor.move(by: 0, of: draft.fields.count, page: fieldRows(in: context))
  }

  private mutating func fieldDidChange(in context: PaneContext) {
    refusal = nil
    isLeaving = false
    // Other fields may be derived from the name.
    if cursor.index == 0, let catalog = context.catalog { draft.check(in: catalog) }
    showCursor(in: context)
  }

  mutating func handle(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .up, .previousPane: return move(by: -1, in: context)
    case .down, .nextPane: return move(by: 1, in: context)
    case .open: return saveOrGoToMissingField(in: context)
    case .cancel, .quit, .interrupt, .back:
      guard holdsTyping, !isLeaving else { return [.close] }
      isLeaving = true
    case .help, .redraw, .suspend, .nextTheme, .themes, .mouse: return nil
    default:
      return [.show(.unsavedInput)]
    }
    return []
  }

  /// Moves the cursor by `step` lines, wrapping around at the ends.
  private mutating func move(by step: Int, in context: PaneContext) -> [PaneAction] {
    let count = max(1, draft.fields.count)
    move(to: (cursor.index + step + count) % count, in: context)
    return count > 1 ? [] : [.show(.onlyField)]
  }

  private mutating func move(to place: Int, in context: PaneContext) {
    isLeaving = false
    cursor.move(to: place, of: draft.fields.count, page: fieldRows(in: context))
    // A long error leaves fewer rows for the fields.
    showCursor(in: context)
  }

  /// Creates the entity, or moves to the first field that prevents it.
  private mutating func saveOrGoToMissingField(in context: PaneContext) -> [PaneAction] {
    isLeaving = false
    guard let trouble = draft.firstTrouble else { return [.request(.entityID, for: .entityID)] }
    guard trouble == cursor.index else {
      move(to: trouble, in: context)
      return []
    }
    return field?.link.map { [.open(Overlay(ChooserPane(filling: $0)))] } ?? [.show(advice.0)]
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    let place = cursor.top + line
    guard line < fieldRows(in: context), draft.fields.indices.contains(place) else { return [] }
    let isSame = place == cursor.index
    move(to: place, in: context)
    let box = box(of: draft.fields[place], in: context.width)
    // Only the edited line may be scrolled to its cursor; all others show the start of their text.
    if isSame || TextWidth.columns(of: draft.fields[place].text.text) < box.count {
      _ = draft.edit(place, in: nil) { $0.click(column: column - box.lowerBound, width: box.count) }
    }
    guard times == 2, let link = field?.link else { return [] }
    return [.open(Overlay(ChooserPane(filling: link)))]
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: draft.fields.count, page: fieldRows(in: context))
  }

  mutating func refresh(in context: PaneContext) {
    if let catalog = context.catalog { draft.check(in: catalog) }
    showCursor(in: context)
  }
}

extension PaneTraits {
  package static let newEntity = PaneTraits(
    title: "New row",
    about: "A new row. Required fields are marked *. On a link, type to search for its target."
  ) {
    $0.takesTyping = true
    $0.hints = [.open, .nextPane, .previousPane, .cancel]
    $0.labels = [.open: "create", .nextPane: "next field", .previousPane: "previous field"]
  }
}
