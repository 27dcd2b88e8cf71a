import InstaQL
import TerminalUI
import Triples

// Typing a filter, a query or a limit.
extension Model {
  mutating func ask(_ purpose: PromptPane.Purpose) {
    guard let plan = composer?.plan else {
      notice = Notice(text: "The store is still loading")
      return
    }
    let text: String
    switch purpose {
    case .filter: text = plan.condition?.text ?? ""
    case .query: text = QueryDocument(plan).text
    case .limit: text = plan.page.limit.map(String.init) ?? ""
    }
    prompt = PromptPane(purpose, text: text)
  }

  /// Says what is wrong with the line as it stands, without applying it.
  mutating func checkPrompt() {
    prompt?.complaint = nil
    prompt?.completion = nil
    guard let prompt, !prompt.field.text.isEmpty else { return }
    if case .failure(let error) = plan(of: prompt) { self.prompt?.complaint = error.complaint }
    complete()
  }

  /// Finds what could be typed at the cursor.
  private mutating func complete() {
    guard let catalog, let prompt else { return }
    let scope: String?
    switch prompt.purpose {
    case .filter: scope = shownNamespace
    case .query: scope = nil
    case .limit: return
    }
    self.prompt?.completion = Completion(
      prompt.field.text, at: prompt.field.byteOffset, scope: scope, catalog: catalog)
  }

  mutating func press(inPrompt key: Key) -> [Effect] {
    switch key {
    case .escape where prompt?.completion?.chosen != nil: prompt?.completion = nil
    case .escape, .control("c"): prompt = nil
    case .enter where prompt?.completion?.chosen != nil, .tab:
      if prompt?.completion == nil { complete() } else { takeCompletion() }
    case .enter: return submitPrompt()
    case .down, .control("n"): prompt?.completion?.move(by: 1)
    case .up, .backTab, .control("p"): prompt?.completion?.move(by: -1)
    case .control("z"): return [.suspend]
    default:
      if prompt?.field.handle(key) == true { checkPrompt() }
    }
    return []
  }

  private mutating func takeCompletion() {
    guard let completion = prompt?.completion else { return }
    prompt?.field.replace(fromByte: completion.start, with: completion.text)
    checkPrompt()
  }

  /// Applies the line; one that is wrong stays open with its complaint.
  mutating func submitPrompt() -> [Effect] {
    guard let prompt else { return [] }
    switch plan(of: prompt) {
    case .failure(let error):
      self.prompt?.complaint = error.complaint
      return []
    case .success(let plan):
      self.prompt = nil
      focus = .results
      if plan.namespace != shownNamespace { return goIn(plan) }
      return changeQuery { $0 = plan }
    }
  }

  private func plan(of prompt: PromptPane) -> Result<QueryPlan, QueryError> {
    guard let catalog, let plan = composer?.plan else { return .failure(.noStore(namespace: "")) }
    return prompt.plan(changing: plan, in: catalog)
  }
}

extension PromptPane {
  /// The query that the line makes of `plan`, or what is wrong with the line.
  func plan(changing plan: QueryPlan, in catalog: Catalog) -> Result<QueryPlan, QueryError> {
    let text = field.text
    return Result { () throws(QueryError) in
      var plan = plan
      switch purpose {
      case .filter:
        plan.condition =
          text.isBlank
          ? nil
          : try ConditionNode(parsing: text, of: plan.namespace, schema: catalog.schema)
      case .limit:
        plan = plan.limit(text.isBlank ? nil : try Self.limit(text))
      case .query:
        let document = try QueryDocument(text: text, schema: catalog.schema)
        guard let first = document.plans.first, document.plans.count == 1 else {
          throw QueryError.invalid(path: "", reason: "The screen shows one query at a time")
        }
        plan = first
      }
      return plan
    }
  }

  private static func limit(_ text: String) throws(QueryError) -> Int {
    guard let number = Int(text.filter { $0 != "_" && $0 != " " }), number > 0 else {
      throw .invalid(path: "", reason: "A limit is a whole number above 0")
    }
    return number
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension QueryError {
  /// What helps most comes first, since the line may be cut at its end.
  var complaint: String { [hint, message].compactMap { $0 }.joined(separator: " ") }
}
