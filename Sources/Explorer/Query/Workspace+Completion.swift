import InstaQL
import Triples
import Widgets

// Offers completions of the typed line, and accepts them.
extension Workspace {
  /// Updates the completions of the word at the cursor.
  mutating func complete() {
    prompt?.sample = nil
    guard let catalog, let prompt else { return }
    let (text, offset) = (prompt.field.text, prompt.field.byteOffset)
    let scope = prompt.purpose.scope(of: queryToChange, in: catalog.schema)
    switch prompt.purpose {
    case .filter: if let scope { complete(text, at: offset, scope: scope, catalog) }
    case .query: complete(text, at: offset, scope: nil, catalog)
    case .order:
      guard scope != nil else { return }
      let before = prompt.purpose.textBeforeOrder(in: queryToChange, catalog.schema)
      complete(text, at: offset, after: before)
    case .having:
      guard let plan = queryToChange else { return }
      complete(text, at: offset, after: PromptPane.textBeforeHaving(of: plan))
    case .limit, .value, .valueOfSelected, .find, .saveQuery: return
    }
  }

  /// Completes a clause as if it were typed in a query, after other clauses.
  private mutating func complete(_ text: String, at offset: Int, after before: String) {
    guard let catalog else { return }
    complete(before + text, at: before.utf8.count + offset, scope: nil, catalog)
    let found = prompt?.completion?.moved(by: -before.utf8.count)
    prompt?.completion = found
  }

  private mutating func complete(
    _ text: String, at offset: Int, scope: String?, _ catalog: Catalog
  ) {
    let found = QueryCompletion(text, at: offset, scope: scope, schema: catalog.schema)
    var (values, isLoaded) = (catalog, !store.isPartial)
    let column = found.keysOf.flatMap { SeenKeys.column(of: $0, catalog.schema) }
    let sample = (found.valuesOf ?? column).flatMap { SeenValues.sample(of: $0, catalog.schema) }
    if store.isPartial, let sample {
      prompt?.sample = sample
      if let snapshot = store.sideQueries.snapshot(for: sample) {
        // The catalog is reused for each typed letter, so that values are counted only once.
        if prompt?.sampled?.snapshot != snapshot { prompt?.sampled = Catalog(snapshot: snapshot) }
        (values, isLoaded) = (prompt?.sampled ?? catalog, true)
      }
    }
    prompt?.completion = Completion(
      found, in: text, at: offset, catalog: values, isLoaded: isLoaded)
    prompt?.expectation = found.description
  }

  mutating func acceptCompletion() -> [Effect] {
    guard let completion = prompt?.completion else { return [] }
    let before = prompt?.field
    prompt?.field.replace(fromByte: completion.start, with: completion.text)
    let effects = checkPrompt()
    return prompt?.field == before
      ? report(.noEffect(.alreadyComplete)) : effects
  }

  /// Accepts the completion of the typed word if there is only one; returns nil otherwise.
  mutating func acceptOnlyCompletion() -> [Effect]? {
    guard let completion = prompt?.completion, completion.candidates.count == 1,
      !completion.isPattern, !completion.replacements.isEmpty
    else { return nil }
    return acceptCompletion()
  }

  /// Shows that a completion can be chosen for the value with the error, and keeps the list open.
  /// Returns nil if the error is elsewhere, or if no value is begun.
  mutating func adviseToComplete(_ error: QueryError) -> [Effect]? {
    guard let prompt, let completion = prompt.completion, let advice = completion.advice,
      case .syntax(let fault) = error, fault.offset >= completion.start,
      fault.offset <= prompt.field.byteOffset
    else { return nil }
    self.prompt?.complaint = advice
    return []
  }

  /// Returns the prompt with the only completion that makes its text valid; nil if none or several
  /// do. A pattern is not completed, because a part of a value is meant.
  func repairing(_ prompt: PromptPane) -> PromptPane? {
    guard let completion = prompt.completion, !completion.isPattern else { return nil }
    var found: PromptPane?
    for replacement in completion.replacements {
      var repaired = prompt
      repaired.field.replace(fromByte: completion.start, with: replacement)
      guard case .success = plan(of: repaired, givesHints: false) else { continue }
      if found != nil { return nil }
      found = repaired
    }
    return found
  }
}
