import InstaQL
import Triples

/// The lines of the current query in its pane, which scroll if they do not fit.
struct QueryLines: Sendable, Equatable {
  /// The number of lines at the current width.
  private(set) var count = 1
  /// The width for which the lines were counted; 0 if they have not been counted.
  private(set) var columns = 0
  /// The index of the first visible line.
  private(set) var top = 0
  /// The catalog with whose labels the lines were counted.
  private var catalog: Catalog?
  private let last = LastValue<TextInput, QueryText>()

  private struct TextInput: Equatable {
    let plan: QueryPlan
    let spelling: QuerySpelling
    let words: TypedWords
    let catalog: Catalog?
  }

  func text(
    of plan: QueryPlan, _ spelling: QuerySpelling, words: TypedWords, in catalog: Catalog?
  ) -> QueryText {
    last(of: TextInput(plan: plan, spelling: spelling, words: words, catalog: catalog)) {
      QueryText(plan, spelling, words: words, in: catalog)
    }
  }

  /// Returns whether the lines were counted at a width, for the current content of the store.
  func areMeasured(columns: Int, in store: TripleStore?) -> Bool {
    let isSame = store.map { catalog?.store.isIdentical(to: $0) == true } ?? (catalog == nil)
    return columns == self.columns && isSame
  }

  private static let maxRows = 4

  /// The number of lines for which the pane makes space.
  var preferredRows: Int { columns == 0 ? 1 : min(count, Self.maxRows) }

  /// Makes the first line visible.
  mutating func reset() { top = 0 }

  /// Forgets the number of lines, which no longer applies.
  mutating func forget() { columns = 0 }

  /// Counts the lines of a query in a pane of this width, which includes its border.
  mutating func measure(
    _ plan: QueryPlan, _ spelling: QuerySpelling, words: TypedWords, in catalog: Catalog?,
    columns: Int
  ) {
    (self.catalog, self.columns) = (catalog, columns)
    count =
      text(of: plan, spelling, words: words, in: catalog).broken(width: columns - 4).lines.count
    top = min(top, max(0, count - 1))
  }

  /// Scrolls the lines; nil for moves that do not scroll.
  mutating func scroll(_ move: ListMove, page: Int) -> InputResult? {
    let last = max(0, count - page)
    let step: Int
    switch move {
    case .by(.first): step = -top
    case .by(.last): step = last
    case .by(let command):
      step = command.steps(page: page)
      if step == 0 { return nil }
    case .to, .clicked: step = 0
    case .scroll(let lines): step = lines
    }
    top = min(max(0, top + step), last)
    return .done
  }
}
