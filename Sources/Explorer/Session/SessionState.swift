import InstaQL
import Notebooks
import Widgets

/// The user's choices for a store. The next session restores most of them.
struct SessionState: Sendable, Equatable {
  /// The initial view.
  var startup: StartupView
  /// Whether the shown query or tab is not persisted yet.
  var isViewNew = false
  /// The selected rows of all namespaces.
  var marks = EntitySelection()
  var spelling = QuerySpelling.text
  /// The submitted lines, for recall.
  var lines = SubmittedLines()
  /// The days such as `today`, the searches and the comments in the queries of this session.
  var typedWords = TypedWords()
  /// The wait until the days or times in the current query change.
  var renewal = Delay(.zero)
  /// The saved queries of the store, as far as they are known.
  var savedQueries: [SavedQuery] = []
  /// The names of saved queries that the schema admits.
  var queryNames: [QueryPlan: String] = [:]
  /// The column settings of each namespace; nil for a namespace that was not shown yet.
  private(set) var columns: [String: ColumnSettings] = [:]

  init(startup: StartupView) { self.startup = startup }

  /// Sets the columns of a namespace, as the user arranged them.
  mutating func arrange(_ settings: ColumnSettings, of namespace: String) {
    columns[namespace] = settings
  }

  /// Returns whether the saved columns of a namespace must still be requested. Until they arrive,
  /// the standard settings apply.
  mutating func beginRecall(of namespace: String) -> Bool {
    guard columns[namespace] == nil else { return false }
    columns[namespace] = ColumnSettings()
    return true
  }

  /// Applies the saved columns of a namespace. Returns false if the user changed the columns since
  /// the request.
  mutating func recall(_ settings: ColumnSettings, of namespace: String) -> Bool {
    guard columns[namespace, default: ColumnSettings()] == ColumnSettings() else { return false }
    columns[namespace] = settings
    return true
  }

  /// Restores the selection of the last view, and the notation of its query: text, InstaQL or Swift.
  mutating func restore(_ view: LastView) {
    marks = EntitySelection(kept: view.marks ?? [:])
    spelling = view.spelling.flatMap { QuerySpelling(rawValue: $0) } ?? spelling
  }

  /// Returns the view to persist.
  func view(of tabs: [TabView], shown: Int) -> LastView {
    LastView(
      query: tabs[shown].query, cursor: tabs[shown].cursor, tabs: tabs, shown: shown,
      marks: marks.kept(limit: Self.maxSelected),
      spelling: spelling == .text ? nil : spelling.rawValue)
  }

  private static let maxSelected = 2_000
}

/// The submitted lines of prompts by the command that opens them, newest first.
struct SubmittedLines: Sendable, Equatable {
  private var lines: [Command: [String]] = [:]

  private static let maxCount = 100

  /// Returns the submitted lines of a prompt; empty if this kind of prompt recalls no lines.
  subscript(purpose: PromptPane.Purpose) -> [String] {
    purpose.traits.command.flatMap { lines[$0] } ?? []
  }

  mutating func remember(_ prompt: PromptPane) {
    guard let command = prompt.purpose.traits.command, !prompt.field.text.isBlank else { return }
    let others = self[prompt.purpose].filter { $0 != prompt.line }
    lines[command] = Array(([prompt.line] + others).prefix(Self.maxCount))
  }
}
