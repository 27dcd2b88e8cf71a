import InstaQL
import Widgets

// Recalls earlier lines in a prompt.
extension Workspace {
  /// Replaces the typed text with earlier or later input; nil if this prompt recalls no input.
  mutating func recall(earlier: Bool) -> [Effect]? {
    guard let prompt, prompt.completion == nil, prompt.purpose.traits.command != nil else {
      return nil
    }
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
    let (known, words) = (known, session.typedWords)
    return session.lines[purpose]
      + plans.compactMap { purpose.text(in: $0, words: words, known) }
  }
}
