import InstaQL
import Widgets

// Recalls earlier lines in a prompt.
extension Workspace {
  /// Replaces the typed text with earlier or later input; nil if this prompt recalls no input.
  mutating func recall(earlier: Bool) -> [Effect]? {
    guard let prompt, prompt.completion == nil, prompt.purpose.history != nil else { return nil }
    var lines =
      prompt.recalled ?? EarlierLines(earlierLines(of: prompt.purpose), typed: prompt.field.text)
    guard let text = earlier ? lines.earlier() : lines.later() else {
      return notify(.noEarlierLine)
    }
    self.prompt?.field = TextField(text)
    self.prompt?.recalled = lines
    self.prompt?.complaint = nil
    return prompt.purpose == .find ? checkPrompt() : []
  }

  /// Returns the lines for recall: submitted lines first, then the lines of queries on the undo
  /// stack.
  private func earlierLines(of purpose: PromptPane.Purpose) -> [String] {
    let plans = tab.queryHistory?.earlierPlans.reversed() ?? []
    let former = plans.compactMap { plan -> String? in
      switch purpose {
      case .filter(let path): plan[along: path]?.condition?.text
      case .order(let path): plan[along: path]?.orderText
      case .query: QueryDocument(plan).text
      case .limit, .find, .value, .valueOfSelected, .saveQuery: nil
      }
    }
    return session.lines[purpose] + former
  }
}

extension PromptPane.Purpose {
  /// A kind of prompt. Prompts of the same kind recall the same texts.
  enum History: Sendable, Hashable { case filter, order, limit, query, find }

  /// The kind of prompt; nil if its texts are not recalled.
  var history: History? {
    switch self {
    case .filter: .filter
    case .order: .order
    case .limit: .limit
    case .query: .query
    case .find: .find
    case .value, .valueOfSelected, .saveQuery: nil
    }
  }
}
