import InstaQL
import Notebooks
import TerminalUI
import Triples
import Widgets

// Handles prompts: a filter, a query, a limit and other typed lines.
extension Workspace {
  mutating func ask(_ purpose: PromptPane.Purpose) {
    guard let shown = tab.plan else {
      notice = missingQueryReason
      return
    }
    let other = purpose.traits.isOfQuery ? otherQuery : nil
    let text = purpose.text(in: other ?? shown, words: session.typedWords, known)
    prompt = PromptPane(purpose, text: text ?? "", changing: other)
  }

  /// The query that the prompt changes.
  var queryToChange: QueryPlan? { prompt?.other ?? tab.plan }

  /// The namespace at the cursor; nil if the results show it or have the focus.
  var otherNamespace: String? {
    guard tab.overlays.isEmpty, tab.focus == .namespaces || tab.focus == .schema else { return nil }
    return chosenNamespace == shownNamespace ? nil : chosenNamespace
  }

  /// The last query of the namespace at the cursor; nil if the results show that namespace.
  private var otherQuery: QueryPlan? {
    otherNamespace.map { tab.history.query(in: $0) ?? QueryPlan($0) }
  }

  /// Checks the text of the prompt and updates its error, its completions and its row count.
  @discardableResult
  mutating func checkPrompt() -> [Effect] {
    prompt?.complaint = nil
    prompt?.withdrawCompletion()
    if prompt?.purpose == .find { return findTyped() }
    guard let prompt, !prompt.field.text.isEmpty else { return [] }
    switch prompt.purpose {
    case .saveQuery, .find: return []
    case .value(_, let attribute), .valueOfSelected(let attribute, _):
      if case .failure(let refusal) = TypedValue.read(prompt.field.text, of: attribute) {
        self.prompt?.complaint = refusal.text
      }
      return []
    case .filter, .having, .order, .limit, .query: break
    }
    var effects: [Effect] = []
    switch plan(of: prompt, givesHints: false) {
    case .failure(let error):
      self.prompt?.matches = nil
      effects = requests.cancel(.typedCount)
      complete()
      if self.prompt?.completion == nil, !prompt.isUnfinished(at: error) { explainError() }
    case .success(let plan):
      effects = countTyped(plan)
      complete()
    }
    return effects
  }

  /// Closes the list of completions and shows the error in the text, if the user typed past it.
  mutating func closeCompletion() {
    prompt?.completion = nil
    guard let prompt, case .failure(let error) = plan(of: prompt, givesHints: false),
      !prompt.isUnfinished(at: error)
    else { return }
    explainError()
  }

  /// Shows the error in the text, with names that the user may have meant.
  ///
  /// This searches all names, so it is not done while a list of completions covers the error.
  private mutating func explainError() {
    guard let prompt, case .failure(let error) = plan(of: prompt) else { return }
    self.prompt?.complaint = error.complaint
  }

  /// Counts the rows that match the typed query, to show the number while the user types.
  ///
  /// A remote store is not queried, because each key press would send a query. Rows are not counted
  /// again after a key that does not change the query, such as a space or an arrow.
  private mutating func countTyped(_ plan: QueryPlan) -> [Effect] {
    guard let prompt, !store.isPartial, plan.groups.isEmpty, plan.aggregates.isEmpty, !plan.isCount
    else { return [] }
    switch prompt.purpose {
    case .filter([]), .query:
      if let counted = prompt.matches, counted.isCurrent, counted.plan == plan {
        return requests.cancel(.typedCount)
      }
      return requests.begin(.countRows(plan), for: .typedCount)
    default: return []
    }
  }

  /// Stores the number of rows that match the typed query.
  mutating func showTypedCount(_ count: Int?, of plan: QueryPlan) {
    guard let prompt, case .success(plan) = self.plan(of: prompt, givesHints: false) else { return }
    self.prompt?.matches = count.map { TypedCount(plan: plan, rows: $0) }
  }

  mutating func press(inPrompt key: Key) -> [Effect] {
    if settings.usesVi, prompt?.purpose.traits.isForEditors == true { prompt?.field.useVi() }
    if let moved = moveInNarrowedList(key) { return moved }
    switch key {
    case .escape where prompt?.field.escape() == true: closeCompletion()
    case .escape where prompt?.completion != nil:
      prompt?.withdrawCompletion()
      // The word is still unfinished.
      prompt?.complaint = nil
    case .escape, .control("c"): return cancelPrompt()
    case .enter where prompt?.completion?.chosen != nil: return acceptCompletion()
    case .tab where prompt?.completion != nil: return acceptCompletion()
    case .tab:
      complete()
      if prompt?.completion == nil { return reportUnknownKey(key) }
    case .enter: return submitPrompt()
    case .down, .control("n"), .up, .backTab, .control("p"):
      let isDown = key == .down || key == .control("n")
      guard prompt?.completion != nil else {
        if key == .up || key == .down, prompt?.moveLine(by: isDown ? 1 : -1) == true { return [] }
        return key == .backTab
          ? reportUnknownKey(key) : recall(earlier: !isDown) ?? reportUnknownKey(key)
      }
      prompt?.completion?.move(by: isDown ? 1 : -1)
    case .character(".") where prompt?.isAfterGivenDot == true: break
    case .control("z"): return [.suspend]
    case .control("o"):
      guard prompt?.purpose.traits.isForEditors == true else { return reportUnknownKey(key) }
      return editPrompt(isAlone: false)
    default:
      guard let typed = prompt?.field.handle(key) else {
        return key == languageKey ? openLanguageHelp() : reportUnknownKey(key)
      }
      prompt?.recalled = nil
      return typed == .done ? checkPrompt() : report(typed)
    }
    return []
  }

  /// Closes the prompt without applying its text. A typed query or clause can be recalled.
  private mutating func cancelPrompt() -> [Effect] {
    guard let prompt else { return [] }
    if prompt.purpose == .find { return endFinding(keeping: false) }
    self.prompt = nil
    guard prompt.recalled == nil, !prompt.isUntouched, !prompt.field.text.isBlank,
      let command = prompt.purpose.traits.command
    else { return [] }
    session.lines.remember(prompt)
    notice = .notApplied(command)
    return []
  }

  /// Applies the text of the prompt and closes it. An invalid text stays open with its error.
  mutating func submitPrompt() -> [Effect] {
    guard let prompt else { return [] }
    if prompt.purpose == .find, !isNarrowing { session.lines.remember(prompt) }
    switch prompt.purpose {
    case .value(let target, let attribute):
      guard !prompt.isUntouched || prompt.complaint != nil else {
        self.prompt = nil
        return notify(.unchanged(attribute.label))
      }
      return submit(attribute, of: target, prompt.field.text)
    case .valueOfSelected(let attribute, _):
      if prompt.isUntouched {
        self.prompt = nil
        return notify(.unchanged(attribute.label))
      }
      return submit(attribute, of: nil, prompt.field.text)
    case .find:
      return acceptMatch()
    case .saveQuery: return saveQuery(named: prompt.field.text)
    case .filter, .having, .order, .limit, .query: break
    }
    switch plan(of: prompt) {
    case .failure(let error):
      if let repaired = repairing(prompt) {
        self.prompt = repaired
        return submitPrompt()
      }
      return acceptOnlyCompletion() ?? adviseToComplete(error) ?? keepOpen(error.complaint)
    case .success(let plan):
      session.lines.remember(prompt)
      keepWords(of: prompt)
      self.prompt = nil
      closePanesCoveringResults(to: prompt.purpose)
      if tab.overlays.isEmpty { tab.focus = .results }
      return apply(plan)
    }
  }

  /// Closes the panes that cover the results, so that the user sees the effect of the new query.
  private mutating func closePanesCoveringResults(to purpose: PromptPane.Purpose) {
    switch purpose {
    case .filter([]), .having, .order([]), .limit([]), .query: break
    // The user may edit several relations in turn, so their pane stays open.
    case .filter, .order, .limit, .value, .valueOfSelected, .find, .saveQuery: return
    }
    let layout = layout
    tab.overlays.removeAll { overlay in
      // Value counts show the result of the query, too.
      if overlay.pane.traits == .facets { return false }
      return switch overlay.pane.place {
      case .screen, .results: true
      case .beside: layout.size(.beside) == nil
      case .popup, .at: false
      }
    }
  }

  /// Keeps the prompt open and shows an error.
  ///
  /// If the error is already shown, a notice says that it must be fixed first.
  mutating func keepOpen(_ complaint: String) -> [Effect] {
    if prompt?.shownComplaint == complaint { notice = .fixErrorFirst }
    prompt?.complaint = complaint
    prompt?.completion = nil
    return []
  }

  private mutating func saveQuery(named name: String) -> [Effect] {
    guard let plan = tab.plan else { return [] }
    if name.isBlank { return keepOpen(Notice.nameNeeded.text) }
    // The command line would read a name with a slash as the path of a file.
    if name.contains("/") { return keepOpen(Notice.nameWithSlash.text) }
    prompt = nil
    let text = typedText(of: plan)
    // Another query may have had the name.
    nameQueries(
      [SavedQuery(name: name, store: store.identity.address, text: text)]
        + session.savedQueries.filter { $0.name != name })
    return [.save(.savedQuery(name: name, text: text))]
  }

  /// Returns the query as text, with days such as `today` and searches as the user typed them.
  func typedText(of plan: QueryPlan) -> String {
    session.typedWords.text(of: QueryDocument(plan))
  }

  /// Remembers the days such as `today` and the searches in the text of a query.
  mutating func keepWords(ofQuery text: String) {
    guard let schema = catalog?.schema else { return }
    session.typedWords.add(text, schema: schema)
  }

  /// Remembers the days such as `today` and the searches in a submitted query or filter.
  private mutating func keepWords(of prompt: PromptPane) {
    guard let schema = catalog?.schema else { return }
    let scope = prompt.purpose == .query ? nil : prompt.purpose.scope(of: queryToChange, in: schema)
    session.typedWords.add(prompt.field.text, scope: scope, schema: schema)
  }

  func plan(
    of prompt: PromptPane, givesHints: Bool = true
  ) -> Result<QueryPlan, QueryError> {
    guard let catalog, let plan = queryToChange else {
      return .failure(.noStore(namespace: ""))
    }
    return prompt.plan(changing: plan, in: catalog, givesHints: givesHints).map { typed in
      known?.keepingIDs(of: plan, in: typed, along: prompt.purpose.path) ?? typed
    }
  }
}
