import InstaQL
import TerminalUI
import Triples

/// One line of typing with its complaint underneath.
struct PromptPane: Sendable, Equatable {
  /// What is typed; a path leads to the relation that it concerns, an empty one is the query itself.
  enum Purpose: Sendable, Equatable {
    case filter([String])
    case order([String])
    case limit([String])
    case query
    case value(EditTarget, Attribute)
    /// A text to look for in the pane in focus.
    case find
    /// A name to keep the query under.
    case saveQuery

    var title: String {
      switch self {
      case .filter(let path): Self.title("Filter", path)
      case .order(let path): Self.title("Order", path)
      case .limit(let path): Self.title("Limit", path)
      case .query: "Query"
      case .value(_, let attribute): "Edit \(attribute.label)"
      case .find: "Find"
      case .saveQuery: "Save the query as"
      }
    }

    /// Whether it is a query, or a clause of one.
    var isOfQuery: Bool {
      switch self {
      case .filter, .order, .limit, .query: true
      case .value, .find, .saveQuery: false
      }
    }

    /// Whether it is a text that one may want an editor for.
    var isForEditors: Bool {
      switch self {
      case .query, .filter, .order, .value: true
      case .limit, .find, .saveQuery: false
      }
    }

    private static func title(_ clause: String, _ path: [String]) -> String {
      path.isEmpty ? clause : "\(clause) of \(path.joined(separator: "."))"
    }
  }

  /// What a typed value takes the place of.
  enum Replaced: Sendable, Equatable {
    /// It is whatever was sent from here last.
    case unknown
    case known(Value?)
  }

  let purpose: Purpose
  /// The query that it changes, where that is another one than the one that is shown.
  let other: QueryPlan?
  var field: TextField
  /// What stood in it when it was opened.
  private let proposed: String
  /// What is wrong with the line as it stands, or nil.
  var complaint: String?
  /// Whether it was opened only to be filled in by the editor.
  var isForEditor = false
  /// What stood in the store where a typed value goes, as far as that was seen.
  var replaced = Replaced.unknown
  /// What could be typed next.
  var completion: Completion?
  /// The entities whose values are offered, to be asked of a store elsewhere; nil for none.
  var sample: QueryPlan?
  /// What was told of them.
  var sampled: Catalog?

  /// Offers nothing any more, and asks for nothing to offer.
  mutating func withdrawCompletion() { (completion, sample) = (nil, nil) }

  init(_ purpose: Purpose, text: String, changing other: QueryPlan? = nil) {
    self.init(purpose, TextField(text), changing: other)
  }

  init(_ purpose: Purpose, _ field: TextField, changing other: QueryPlan? = nil) {
    self.purpose = purpose
    self.other = other
    self.field = field
    proposed = field.text
  }

  /// Whose value it is, where the cursor may be elsewhere.
  var subject: String?

  /// What it is for, and of which namespace or entity where that is not the one that is shown.
  var title: String {
    (other?.namespace ?? subject).map { "\(purpose.title) of \($0)" } ?? purpose.title
  }

  /// Whether leaving it loses nothing.
  var isUntouched: Bool { field.text == proposed }

  /// The line, the complaint and nothing else: two rows of `area`.
  ///
  /// - Parameters:
  ///   - schema: Tells attributes from links, and what is neither.
  ///   - seen: Some entities of the plan's namespace.
  func draw(
    into frame: inout Frame, area: Rect, plan: QueryPlan? = nil, schema: Schema? = nil,
    seen: ResultTable? = nil
  ) {
    field.draw(
      into: &frame, row: area.row, column: area.column + 1, width: max(0, area.columns - 2),
      paint: Paint(.prompt), spans: spans(plan, schema))
    if field.text.isEmpty {
      frame.write(
        example(plan, schema, seen), row: area.row, column: area.column + 2,
        width: max(0, area.columns - 3), paint: Paint(.placeholder))
    }
    guard area.rows > 1 else { return }
    let width = max(0, area.columns - 2)
    let complaint = shownComplaint
    frame.write(
      complaint ?? Self.fitting(guidance, width), row: area.row + 1, column: area.column + 1,
      width: width, paint: Paint(complaint == nil ? .dim : .error))
  }

  /// Columns between a byte of the line and the cursor.
  func columnsBeforeCursor(from start: Int) -> Int {
    let bytes = Array(field.text.utf8.prefix(field.byteOffset))
    return TextWidth.columns(of: String(decoding: bytes.dropFirst(max(0, start)), as: UTF8.self))
  }

  /// What is wrong with the line; not while words are offered that may make it right.
  var shownComplaint: String? { completion == nil ? complaint : nil }

  /// What the pieces of a query are; other texts have none.
  private func spans(
    _ plan: QueryPlan?, _ schema: Schema?
  ) -> [(bytes: Range<Int>, role: Role)] {
    let spans: [QuerySpan]
    switch purpose {
    case .query: spans = QuerySpan.spans(of: field.text, schema: schema)
    case .filter(let path):
      let scope = plan.flatMap { schema?.namespace(from: $0.namespace, along: path) }
      spans = QuerySpan.spans(
        of: field.text, scope: scope, isCondition: true, schema: scope == nil ? nil : schema)
    case .order, .limit, .value, .find, .saveQuery: return []
    }
    // What is still being typed is no mistake yet.
    let typing = field.text.utf8.count
    return spans.map { span in
      let isTyping = span.kind == .error && span.range.upperBound == typing
      return (span.range, isTyping ? .text : span.kind.role)
    }
  }
}

extension QuerySpan.Kind {
  /// How a piece of this kind is coloured.
  var role: Role {
    switch self {
    case .namespace: .namespace
    case .attribute: .attribute
    case .link: .link
    case .keyword, .function: .keyword
    case .comparison: .operator
    case .string: .string
    case .number: .number
    case .boolean: .boolean
    case .null: .null
    case .punctuation: .punctuation
    case .name: .text
    case .error: .invalid
    }
  }
}
