import InstaQL
import TerminalUI
import Triples

// Typing a filter, a query or a limit.
extension Model {
  mutating func ask(_ purpose: PromptPane.Purpose) {
    guard let shown = tab.composer?.plan else {
      notice = whyNoQuery
      return
    }
    let other = purpose.isOfQuery ? otherQuery : nil
    let plan = other ?? shown
    let text: String
    switch purpose {
    case .filter(let path): text = plan[along: path]?.condition?.text ?? ""
    case .order(let path): text = plan[along: path]?.orderText ?? ""
    case .limit(let path): text = plan[along: path]?.page.limit.map(String.init) ?? ""
    case .query: text = QueryDocument(plan).text
    case .value, .find, .saveQuery: text = ""
    }
    prompt = PromptPane(purpose, text: text, changing: other)
  }

  /// The query that what is typed is about.
  var queryToChange: QueryPlan? { prompt?.other ?? tab.composer?.plan }

  /// The query of the namespace that somebody looks at, as it was left, where that is not the one that
  /// is shown.
  private var otherQuery: QueryPlan? {
    guard tab.overlays.isEmpty, tab.focus == .namespaces || tab.focus == .schema,
      let name = chosenNamespace, name != shownNamespace
    else { return nil }
    return tab.trail.query(in: name) ?? QueryPlan(name)
  }

  /// Says what is wrong with the line as it stands, without applying it.
  @discardableResult
  mutating func checkPrompt() -> [Effect] {
    prompt?.complaint = nil
    prompt?.withdrawCompletion()
    if prompt?.purpose == .find { return findTyped() }
    guard let prompt, !prompt.field.text.isEmpty else { return [] }
    switch prompt.purpose {
    case .saveQuery, .find: return []
    case .value(_, let attribute):
      if case .failure(let refusal) = TypedValue.read(prompt.field.text, of: attribute) {
        self.prompt?.complaint = refusal.text
      }
      return []
    case .filter, .order, .limit, .query: break
    }
    if case .failure(let error) = plan(of: prompt) { self.prompt?.complaint = error.complaint }
    complete()
    return []
  }

  /// Finds what could be typed at the cursor.
  mutating func complete() {
    prompt?.sample = nil
    guard let catalog, let prompt else { return }
    let text = prompt.field.text
    let offset = prompt.field.byteOffset
    switch prompt.purpose {
    case .filter(let path):
      guard let plan = queryToChange,
        let namespace = catalog.schema.namespace(from: plan.namespace, along: path)
      else { return }
      complete(text, at: offset, scope: namespace, catalog)
    case .query: complete(text, at: offset, scope: nil, catalog)
    case .order(let path):
      guard let plan = queryToChange,
        let namespace = catalog.schema.namespace(from: plan.namespace, along: path)
      else { return }
      let before = QueryPlan(namespace).text + " order "
      complete(before + text, at: before.utf8.count + offset, scope: nil, catalog)
      let found = self.prompt?.completion?.moved(by: -before.utf8.count)
      self.prompt?.completion = found
    case .limit, .value, .find, .saveQuery: return
    }
  }

  /// - Parameter scope: The namespace, when the text is a condition alone; nil for whole queries.
  private mutating func complete(
    _ text: String, at offset: Int, scope: String?, _ catalog: Catalog
  ) {
    let found = QueryCompletion(text, at: offset, scope: scope, schema: catalog.schema)
    var values = catalog
    let sample = found.valuesOf.flatMap { SeenValues.sample(of: $0, catalog.schema) }
    if isElsewhere, let sample {
      prompt?.sample = sample
      if let told = beside.snapshot(for: sample) {
        // The same for each letter, so that they are counted once.
        if prompt?.sampled?.snapshot != told { prompt?.sampled = Catalog(snapshot: told) }
        values = prompt?.sampled ?? catalog
      }
    }
    prompt?.completion = Completion(found, in: text, at: offset, catalog: values)
  }

  mutating func press(inPrompt key: Key) -> [Effect] {
    if preferences.usesVi, prompt?.purpose.isForEditors == true { prompt?.field.useVi() }
    switch key {
    case .escape where prompt?.field.escape() == true: prompt?.completion = nil
    case .escape where prompt?.completion?.chosen != nil: prompt?.withdrawCompletion()
    case .escape, .control("c"):
      if prompt?.purpose == .find { return endFinding(keeping: false) }
      prompt = nil
    case .enter where prompt?.completion?.chosen != nil: return takeCompletion()
    case .tab where prompt?.completion != nil: return takeCompletion()
    case .tab:
      complete()
      if prompt?.completion == nil { return sayUnknown(key) }
    case .enter: return submitPrompt()
    case .down, .control("n"), .up, .backTab, .control("p"):
      guard prompt?.completion != nil else { return sayUnknown(key) }
      prompt?.completion?.move(by: key == .down || key == .control("n") ? 1 : -1)
    case .control("z"): return [.suspend]
    case .control("o"):
      guard prompt?.purpose.isForEditors == true else { return sayUnknown(key) }
      return editPrompt(isAlone: false)
    default:
      guard let typed = prompt?.field.handle(key) else { return sayUnknown(key) }
      return typed == .done ? checkPrompt() : say(typed)
    }
    return []
  }

  mutating func takeCompletion() -> [Effect] {
    guard let completion = prompt?.completion else { return [] }
    let before = prompt?.field
    prompt?.field.replace(fromByte: completion.start, with: completion.text)
    let effects = checkPrompt()
    return prompt?.field == before
      ? say(.nothing(because: .alreadyComplete)) : effects
  }

  /// Applies the line; one that is wrong stays open with its complaint.
  mutating func submitPrompt() -> [Effect] {
    guard let prompt else { return [] }
    switch prompt.purpose {
    case .value(let target, let attribute):
      guard !prompt.isUntouched || prompt.complaint != nil else {
        self.prompt = nil
        notice = .unchanged(attribute.label)
        return []
      }
      return submit(target, attribute, prompt.field.text)
    case .find:
      return endFinding(keeping: true)
    case .saveQuery: return saveQuery(named: prompt.field.text)
    case .filter, .order, .limit, .query: break
    }
    switch plan(of: prompt) {
    case .failure(let error): return keepOpen(error.complaint)
    case .success(let plan):
      self.prompt = nil
      uncoverAnswer(to: prompt.purpose)
      if tab.overlays.isEmpty { tab.focus = .results }
      if plan.namespace != shownNamespace { return goIn(plan) }
      return changeQuery { $0 = plan }
    }
  }

  /// What was asked is seen: panes that show something else in its place are closed.
  private mutating func uncoverAnswer(to purpose: PromptPane.Purpose) {
    switch purpose {
    case .filter([]), .order([]), .limit([]), .query: break
    // Relations are chosen one after the other, each with clauses of its own.
    case .filter, .order, .limit, .value, .find, .saveQuery: return
    }
    let layout = layout
    tab.overlays.removeAll { overlay in
      // Values that are counted are an answer to the query as well.
      if overlay.pane.focus == .facets { return false }
      return switch overlay.pane.place {
      case .screen, .results: true
      case .beside: layout.size(.beside) == nil
      case .popup, .at: false
      }
    }
  }

  /// Leaves a line open that cannot be applied, with what is wrong with it; where that stands there
  /// already, what to do instead is said.
  private mutating func keepOpen(_ complaint: String) -> [Effect] {
    if prompt?.shownComplaint == complaint {
      notice = .fixErrorFirst
    }
    prompt?.complaint = complaint
    prompt?.completion = nil
    return []
  }

  /// Sends the value that was typed; one that the schema refuses stays open with the reason.
  mutating func submit(
    _ target: EditTarget, _ attribute: Attribute, _ text: String
  ) -> [Effect] {
    switch TypedValue.read(text, of: attribute) {
    case .failure(let refusal): return keepOpen(refusal.text)
    case .success(let value):
      if let news = newsOfReplaced(target, attribute) { return keepOpen(news) }
      return finish(
        send(
          [.addTriple(.id(target.entity), attribute.id, value)],
          ChangeSummary.updated(attribute.label),
          typed: prompt.map { .line($0) }))
    }
  }

  /// Says once that somebody else changed meanwhile what the line takes the place of.
  private mutating func newsOfReplaced(
    _ target: EditTarget, _ attribute: Attribute
  ) -> String? {
    guard case .known(let before)? = prompt?.replaced,
      isThere(target.entity, in: target.namespace),
      let catalog = catalog(knowing: target.entity),
      let handle = catalog.store.handle(of: target.entity)
    else { return nil }
    let now = catalog.store.value(handle, attribute.id)
    guard now != before else { return nil }
    prompt?.replaced = .known(now)
    let text = TextWidth.truncated(
      catalog.text(of: handle, .attribute(attribute)), to: Self.longestNews)
    return Notice.changedMeanwhile(to: now == nil || text.isEmpty ? nil : text).text
  }

  /// In columns.
  private static let longestNews = 30

  private mutating func saveQuery(named name: String) -> [Effect] {
    guard let plan = tab.composer?.plan else { return [] }
    guard !name.isBlank else {
      return keepOpen(Notice.nameNeeded.text)
    }
    // On the command line it would lead to a file in a folder.
    guard !name.contains("/") else {
      return keepOpen(Notice.nameWithSlash.text)
    }
    prompt = nil
    return [.save(.savedQuery(name: name, text: QueryDocument(plan).text))]
  }

  private mutating func finish(_ sent: Result<[Effect], Rejection>) -> [Effect] {
    switch sent {
    case .failure(let refusal):
      guard prompt != nil else {
        notice = refusal.notice
        return []
      }
      return keepOpen(refusal.text)
    case .success(let effects):
      prompt = nil
      return effects
    }
  }

  private func plan(of prompt: PromptPane) -> Result<QueryPlan, QueryError> {
    guard let catalog, let plan = queryToChange else {
      return .failure(.noStore(namespace: ""))
    }
    return prompt.plan(changing: plan, in: catalog)
  }
}
