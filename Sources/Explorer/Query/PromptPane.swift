import InstaQL
import TerminalUI
import Triples
import Widgets

/// A prompt: a line in which the user types, with its error or a hint below.
struct PromptPane: Sendable, Equatable {
  /// The purpose of the prompt. A path of link labels identifies a relation; an empty path stands
  /// for the main query.
  enum Purpose: Sendable, Equatable {
    case filter([String])
    /// A condition on the groups of the main query.
    case having
    case order([String])
    case limit([String])
    case query
    indirect case value(EditTarget, Attribute)
    /// A value for all selected rows.
    indirect case valueOfSelected(Attribute, rows: Int)
    /// A text to search for in the focused pane.
    case find
    /// A name for a saved query.
    case saveQuery

    var title: String {
      switch self {
      case .filter(let path): Self.title("Filter", path)
      case .having: "Filter of groups"
      case .order(let path): Self.title("Sort", path)
      case .limit(let path): Self.title("Limit", path)
      case .query: "Query"
      case .value(_, let attribute): "Edit \(attribute.label)"
      case .valueOfSelected(let attribute, let rows):
        "Set \(attribute.label) of \(NumberText.grouped(rows)) selected rows"
      case .find: "Find"
      case .saveQuery: "Save the query as"
      }
    }

    /// What prompts of one kind have in common.
    struct Traits {
      /// The label of the key that confirms the line.
      var confirmation = "apply"
      /// The command that opens the prompt. Its texts are recalled; nil if they are not.
      var command: Command?
      /// Whether the line is a query, or a clause of a query.
      var isOfQuery = false
      /// Whether the text is worth editing in an editor.
      var isForEditors = false
      /// Whether the initial text is a value that the user replaces by typing. A query or a clause is
      /// continued instead, so the cursor starts after a space at its end.
      var isReplaced = false
    }

    var traits: Traits {
      switch self {
      case .filter: Traits(command: .filterText, isOfQuery: true, isForEditors: true)
      case .having: Traits(isOfQuery: true, isForEditors: true)
      case .order: Traits(command: .orderText, isOfQuery: true, isForEditors: true)
      case .limit: Traits(command: .limit, isOfQuery: true, isReplaced: true)
      case .query: Traits(command: .queryText, isOfQuery: true, isForEditors: true)
      case .value: Traits(isForEditors: true, isReplaced: true)
      case .valueOfSelected: Traits(isReplaced: true)
      case .find: Traits(confirmation: "done", command: .find)
      case .saveQuery: Traits(confirmation: "save", isReplaced: true)
      }
    }

    /// The links from the query's namespace to the relation of the line; empty for the main query.
    var path: [String] {
      switch self {
      case .filter(let path), .order(let path), .limit(let path): path
      case .having, .query, .value, .valueOfSelected, .find, .saveQuery: []
      }
    }

    /// Returns the namespace to which the line applies; nil if there is no such relation.
    func scope(of plan: QueryPlan?, in schema: Schema?) -> String? {
      plan.flatMap { schema?.namespace(from: $0.namespace, along: path) }
    }

    /// Returns the field in which the user edits the initial text.
    fileprivate func field(_ text: String) -> TextField {
      if traits.isReplaced { return TextField(selecting: text) }
      return TextField(text.last?.isWhitespace == false ? text + " " : text)
    }

    private static func title(_ clause: String, _ path: [String]) -> String {
      path.isEmpty ? clause : "\(clause) of \(path.joined(separator: "."))"
    }
  }

  /// The stored value that is replaced by a typed value.
  enum Replaced: Sendable, Equatable {
    /// The stored value cannot be determined, because the entity has pending changes of this
    /// session.
    case unknown
    case known(Value?)
  }

  let purpose: Purpose
  /// The query that the typed text changes; nil for the current query.
  @Indirect private(set) var other: QueryPlan?
  var field: TextField
  /// The initial text.
  private let proposed: String
  /// The error of the current text; nil if the text is valid.
  var complaint: String?
  /// Whether the prompt was opened only to edit its text in the editor.
  var isForEditor = false
  /// The stored value when the prompt was opened, to detect changes by other clients.
  var replaced = Replaced.unknown
  /// The completions of the word at the cursor; nil if there are none.
  var completion: Completion?
  /// The earlier input while the user recalls it; otherwise nil.
  var recalled: EarlierLines?
  /// A description of what must be typed at the cursor; nil if there is none.
  var expectation: String?
  /// The query for values that completions offer for a remote store; nil if none is needed.
  @Indirect var sample: QueryPlan?
  /// The text, wrapped at the width of the pane when it was last measured.
  private(set) var broken = BrokenText("", width: 80)
  private var measuredText: String?
  private var measuredWidth = 0
  /// The highlighted pieces of the measured text, if it is a query or a condition.
  private var measuredSpans: [QuerySpan] = []
  /// The error whose rows were counted at the measured width; nil if there was none.
  private var measuredComplaint: String?
  private var measuredRows = 1
  /// The number of rows that match the typed query; nil if it is unknown.
  @Indirect var matches: TypedCount?
  /// The place of the match that a search has reached, such as `match 1 of 12`; nil if unknown.
  var remark: String?
  /// The catalog that contains the sample values.
  @Indirect var sampled: Catalog?

  /// Closes the list of completions and cancels the query for their values.
  mutating func withdrawCompletion() { (completion, sample, expectation) = (nil, nil, nil) }

  init(_ purpose: Purpose, text: String, changing other: QueryPlan? = nil) {
    self.init(purpose, purpose.field(text), changing: other)
  }

  init(_ purpose: Purpose, _ field: TextField, changing other: QueryPlan? = nil) {
    self.purpose = purpose
    self.other = other
    self.field = field
    proposed = field.text
  }

  /// The label of the edited entity; nil if the cursor is certainly on that entity.
  var subject: String?

  /// The prompt's title: its purpose, and the namespace or entity if that is not the current one.
  var title: String {
    (other?.namespace ?? subject).map { "\(purpose.title) of \($0)" } ?? purpose.title
  }

  /// Whether the user has not changed the text.
  var isUntouched: Bool { field.text == proposed }

  /// Draws the text and, below it, the error or a hint. An error that does not fit is omitted.
  ///
  /// - Parameters:
  ///   - schema: The schema that distinguishes attributes, links and unknown names.
  ///   - seen: Sample rows for the example that is shown while the text is empty.
  ///   - namesKeys: Whether hints name the keys, because there is no footer.
  func draw(
    into frame: inout Frame, area: Rect, plan: QueryPlan? = nil, schema: Schema? = nil,
    seen: ResultTable? = nil, namesKeys: Bool = false
  ) {
    let rows = lineRows(of: area.rows)
    drawLines(
      into: &frame, area: area.inset(left: 1, right: 1).split(rows: rows).top, plan, schema)
    if field.text.isEmpty {
      frame.write(
        example(plan, schema, seen), row: area.row, column: area.column + 2,
        width: max(0, area.columns - 3), paint: Paint(.placeholder))
    }
    guard area.rows > rows else { return }
    if let shownComplaint, showsComplaint(in: area) {
      frame.writeWrapped(shownComplaint, in: area.inset(top: rows), paint: Paint(.error))
      return
    }
    let width = max(0, area.columns - 2)
    frame.write(
      Self.fitting(guidance(namesKeys: namesKeys), width), row: area.row + rows,
      column: area.column + 1, width: width, paint: Paint(.dim))
  }

  /// Returns the number of rows for the text in a pane of `rows` rows. The rows below are for the
  /// error or a hint.
  func lineRows(of rows: Int) -> Int { max(1, min(broken.lines.count, rows - messageRows)) }

  /// The number of rows below the text: those of the error, or one for a hint.
  private var messageRows: Int { shownComplaint.map { complaintRows($0, measuredWidth) } ?? 1 }

  private func complaintRows(_ complaint: String, _ width: Int) -> Int {
    if width == measuredWidth, complaint == measuredComplaint { return measuredRows }
    return TextLines.wrapped(complaint, width: max(8, width), limit: Self.maxComplaintRows).count
  }

  private static let maxComplaintRows = 4

  /// The number of rows that the text and the message below it need.
  var preferredRows: Int { broken.lines.count + messageRows }

  /// Returns whether all of the error fits below the text.
  func showsComplaint(in area: Rect) -> Bool {
    guard let shownComplaint else { return false }
    let room = area.rows - lineRows(of: area.rows)
    return complaintRows(shownComplaint, area.columns - 2) <= room
  }

  /// Returns the first visible line of a text that is too long, so that the cursor's line is
  /// visible.
  func firstLine(rows: Int) -> Int { max(0, broken.line(of: field.cursor) - rows + 1) }

  private func drawLines(
    into frame: inout Frame, area: Rect, _ plan: QueryPlan?, _ schema: Schema?
  ) {
    frame.fill(area, Paint(.prompt))
    let top = firstLine(rows: area.rows)
    broken.draw(
      into: &frame, area: area, top: top, paint: Paint(.prompt),
      spans: spans(plan, schema), selection: field.selection)
    frame.cursor = Position(
      row: area.row + broken.line(of: field.cursor) - top,
      column: area.column + broken.column(of: field.cursor))
  }

  /// Wraps the text, clause by clause, and the error at the width of the pane, if they changed.
  mutating func measure(width: Int, _ plan: QueryPlan?, _ schema: Schema?) {
    if measuredWidth != width {
      measuredWidth = width
      forgetMeasurement()
    }
    if let shownComplaint, shownComplaint != measuredComplaint {
      measuredComplaint = nil
      measuredRows = complaintRows(shownComplaint, width)
      measuredComplaint = shownComplaint
    }
    guard measuredText != field.text else { return }
    measuredText = field.text
    measuredSpans = pieces(plan, schema)
    broken = BrokenText(query: field.text, width: width, spans: measuredSpans)
  }

  /// Wraps and highlights the text again, because the width or the schema changed.
  mutating func forgetMeasurement() { (measuredText, measuredComplaint) = (nil, nil) }

  /// Moves the cursor to the line above or below. Returns false if there is no such line.
  mutating func moveLine(by step: Int) -> Bool {
    let line = broken.line(of: field.cursor) + step
    guard broken.lines.indices.contains(line) else { return false }
    field.moveCursor(
      to: broken.position(line: line, column: broken.column(of: field.cursor)))
    return true
  }

  /// Returns the column of the character at an offset in bytes.
  func column(ofByte start: Int) -> Int {
    let before = String(decoding: Array(field.text.utf8.prefix(max(0, start))), as: UTF8.self)
    return broken.column(of: before.count)
  }

  /// The error to show. While completions are offered, it is only the advice to choose one, because
  /// they may fix other errors.
  var shownComplaint: String? {
    completion.map { $0.advice == complaint } == false ? nil : complaint
  }

  /// Returns the colors of the pieces of a query or a clause; empty for other texts.
  private func spans(
    _ plan: QueryPlan?, _ schema: Schema?
  ) -> [(bytes: Range<Int>, role: Role)] {
    let pieces = field.text == measuredText ? measuredSpans : pieces(plan, schema)
    // While its message is not shown, an error at the end is a word that is still being typed.
    let typing = shownComplaint == nil ? completion?.start ?? .max : nil
    let end = field.text.utf8.count
    return pieces.map { piece in
      let isTyping =
        piece.kind == .error
        && typing.map { piece.range.lowerBound >= $0 || piece.range.upperBound == end } == true
      return (piece.range, isTyping ? .text : piece.kind.role)
    }
  }
}

extension QuerySpan.Kind {
  /// The color role of this kind of piece.
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
    case .comment: .dim
    case .error: .invalid
    }
  }
}
