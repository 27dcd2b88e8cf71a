import InstaQL
import TerminalUI
import Triples

/// The completions of a typed line, as a list below it.
struct Completion: Sendable, Equatable {
  private(set) var candidates: [QueryCompletion.Candidate]
  /// The start of the word to replace, in bytes.
  private(set) var start: Int
  /// The selected candidate; nil before the user moves into the list.
  private(set) var chosen: Int?
  private var top = 0

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - found: The completions at the offset in the text.
  ///   - catalog: Provides values of fields.
  /// - Returns: Nil if there are none.
  init?(_ found: QueryCompletion, in text: String, at offset: Int, catalog: Catalog) {
    start = found.start
    candidates = Array(found.candidates.prefix(Self.maxCandidates))
    if let field = found.valuesOf {
      let word = String(decoding: Array(text.utf8.prefix(offset))[found.start...], as: UTF8.self)
      let seen = catalog.seenValues(of: field).literals(matching: word, limit: Self.maxCandidates)
      candidates = Array((seen + candidates).prefix(Self.maxCandidates))
    }
    if candidates.isEmpty { return nil }
  }

  /// The candidate to insert: the selected one, or else the first.
  var text: String { candidates[chosen ?? 0].text }

  mutating func move(by step: Int) {
    let next = chosen.map { $0 + step } ?? (step > 0 ? 0 : candidates.count - 1)
    chosen = candidates.indices.contains(next) ? next : nil
    let index = chosen ?? 0
    top = min(max(top, index - Self.rows + 1), index)
  }

  /// The completion of a text that starts this many bytes later.
  func moved(by bytes: Int) -> Completion {
    var copy = self
    copy.start += bytes
    return copy
  }

  /// The visible lines of the list.
  static let rows = 8
  private static let maxCandidates = 200

  /// Selects the candidate on a line; false if there is none.
  mutating func choose(line: Int) -> Bool {
    guard line >= 0, candidates.indices.contains(top + line) else { return false }
    chosen = top + line
    return true
  }

  /// Scrolls without selecting.
  mutating func scroll(by lines: Int, rows: Int) {
    top = min(max(0, top + lines), max(0, candidates.count - max(1, rows)))
  }

  /// The position of the list and the widths of its texts.
  struct Box {
    /// With its border; empty if there is no space.
    let area: Rect
    fileprivate let textWidth: Int
    fileprivate let rest: String
  }

  /// The box at `row`, aligned with the word that it completes.
  ///
  /// - Parameter column: The start of that word.
  func box(row: Int, column: Int, area: Rect) -> Box {
    let shown = candidates.dropFirst(top).prefix(min(Self.rows, area.endRow - row - 2))
    let textWidth = shown.map { TextWidth.columns(of: $0.text) }.max() ?? 0
    let noteWidth = shown.map { TextWidth.columns(of: $0.note) }.max() ?? 0
    let rest = candidates.count > shown.count ? "\((chosen ?? top) + 1)/\(candidates.count)" : ""
    let width = min(
      max(textWidth + (noteWidth == 0 ? 4 : noteWidth + 6), rest.utf8.count + 6), area.columns)
    let box = Rect(
      row: row, column: max(area.column, min(column - 2, area.endColumn - width)),
      rows: shown.isEmpty ? 0 : shown.count + 2, columns: width)
    return Box(area: box, textWidth: textWidth, rest: rest)
  }

  func draw(into frame: inout Frame, in place: Box) {
    let (box, textWidth) = (place.area, place.textWidth)
    guard !box.isEmpty else { return }
    let shown = candidates.dropFirst(top).prefix(box.rows - 2)
    frame.fill(box, Paint(.completion, on: .completion))
    frame.box(
      box, detail: place.rest, border: Paint(.borderFocused, on: .completion),
      detailPaint: Paint(.completionDetail, on: .completion))
    let inside = box.inset(by: 1)
    for (line, candidate) in shown.enumerated() {
      let ground: Role = top + line == chosen ? .completionSelected : .completion
      let y = inside.row + line
      frame.fill(
        Rect(row: y, column: inside.column, rows: 1, columns: inside.columns),
        Paint(.completion, on: ground))
      frame.write(
        candidate.text, row: y, column: inside.column + 1, width: max(0, inside.columns - 2),
        paint: Paint(candidate.kind.role, on: ground))
      frame.write(
        candidate.note, row: y, column: inside.column + textWidth + 3,
        width: max(0, inside.columns - textWidth - 4), paint: Paint(.completionDetail, on: ground))
    }
  }
}

extension QueryCompletion.Kind {
  fileprivate var role: Role {
    switch self {
    case .namespace: .namespace
    case .attribute: .attribute
    case .link: .link
    case .word: .keyword
    case .comparison: .operator
    case .value: .string
    }
  }
}

/// The values of a field, most frequent first.
struct SeenValues: Sendable {
  private struct Seen: Sendable {
    /// As it is typed.
    let text: String
    let lowered: [UInt8]
    let count: Int
  }

  private var values: [Seen] = []

  /// Reads only some entities, so that typing is fast in large stores.
  init(of field: QueryCompletion.Field, in catalog: Catalog) {
    guard let (namespace, attribute) = Self.end(of: field, catalog.schema) else { return }
    let rows = catalog.store.rows(of: namespace)
    var seen: [Value: Int] = [:]
    for entity in rows.handles.prefix(Self.entitiesLookedAt) {
      guard let value = catalog.store.value(entity, attribute.id) else { continue }
      switch value {
      case .text(let text) where text.utf8.count > Self.maxTextBytes: continue
      case .array, .object, .null: continue
      case .bool, .integer, .double, .text: seen[value, default: 0] += 1
      }
    }
    values = seen.map { value, count in
      let text = JSONWriter.text(value)
      return Seen(text: text, lowered: Array(text.lowercased().utf8), count: count)
    }
    .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
  }

  /// The query for sample entities of a remote store; nil if the field's values are not offered.
  static func sample(of field: QueryCompletion.Field, _ schema: Schema) -> QueryPlan? {
    end(of: field, schema).map { namespace, attribute in
      QueryPlan(namespace).fields([attribute.label]).limit(SideQueries.maxRows)
    }
  }

  /// The attribute at the end of a field's path and its namespace; nil if it has no values.
  private static func end(
    of field: QueryCompletion.Field, _ schema: Schema
  ) -> (namespace: String, attribute: Attribute)? {
    var namespace = field.namespace
    var labels = field.path.labels
    while labels.count > 1 {
      guard let link = schema.link(namespace, labels.removeFirst()) else { return nil }
      namespace = link.target
    }
    guard let label = labels.first, label != "id",
      let attribute = schema.attribute(namespace, label), attribute.valueType == .blob
    else { return nil }
    return (namespace, attribute)
  }

  private static let entitiesLookedAt = 2_000
  private static let maxTextBytes = 100

  /// Up to `limit` values as literals: first those that start with the word, then those that
  /// contain it.
  func literals(matching word: String, limit: Int) -> [QueryCompletion.Candidate] {
    let typed = word.lowercased().utf8.filter {
      $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'")
    }
    var beginning: [Seen] = []
    var holding: [Seen] = []
    for value in values where beginning.count < limit {
      if typed.isEmpty || Self.content(of: value).starts(with: typed) {
        if typed.isEmpty || value.text != word { beginning.append(value) }
      } else if holding.count < limit, Self.holds(value.lowered, typed) {
        holding.append(value)
      }
    }
    return (beginning + holding).prefix(limit).map {
      QueryCompletion.Candidate(text: $0.text, kind: .value, note: NumberText.grouped($0.count))
    }
  }

  /// The text without its opening quote.
  private static func content(of value: Seen) -> ArraySlice<UInt8> {
    value.lowered.drop { $0 == UInt8(ascii: "\"") }
  }

  /// Whether a text contains `part`, which must not be empty.
  private static func holds(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard part.count <= text.count else { return false }
    return (0...text.count - part.count).contains { start in
      text[start] == part[0] && text[start..<start + part.count].elementsEqual(part)
    }
  }
}
