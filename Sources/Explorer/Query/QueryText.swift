import InstaQL
import TerminalUI
import Widgets

/// The text of a query in one of its notations, with its syntax highlighting.
struct QueryText: Equatable {
  let text: String
  private let spans: [QuerySpan]

  /// Creates the text of a query in a notation.
  ///
  /// - Parameters:
  ///   - words: The conditions that are written as they were typed.
  ///   - catalog: The catalog with labels for entities that the query identifies by id.
  init(
    _ plan: QueryPlan, _ spelling: QuerySpelling = .text, words: TypedWords = TypedWords(),
    in catalog: Catalog? = nil
  ) {
    let document = QueryDocument(plan)
    switch spelling {
    case .text:
      let written = words.text(of: document)
      // A label only replaces an id if a query with the label, when typed, finds the same rows.
      let named = plan.condition.flatMap { condition in
        catalog.map {
          written.replacing(
            words.text(of: condition, in: plan.namespace),
            with: $0.reading(condition, of: plan.namespace, words: words), maxReplacements: 1)
        }
      }
      text = named ?? written
    case .instaQL: text = document.canonicalJSON
    case .swift:
      text = document.swiftSpelling.split(separator: "\n")
        .map { $0.drop { $0 == " " } }.joined(separator: " ").replacing(" .", with: ".")
    }
    spans = spelling == .swift ? [] : QuerySpan.spans(of: text, schema: catalog?.schema)
  }

  /// Returns the query wrapped at a width.
  func broken(width: Int) -> BrokenText { BrokenText(query: text, width: width, spans: spans) }

  func draw(into frame: inout Frame, area: Rect, top: Int) {
    let inner = area.inset(left: 1, right: 1)
    let broken = broken(width: inner.columns)
    broken.draw(
      into: &frame, area: inner, top: top, paint: Paint(.text),
      spans: spans.map { ($0.range, $0.kind == .error ? .text : $0.kind.role) })
    frame.drawScrollThumb(top: top, page: area.rows, of: broken.lines.count, in: area)
  }
}

extension OrderKey {
  /// The arrow for the sort direction.
  var sign: String { direction == .descending ? "↓" : "↑" }

  /// The key as in a query, such as `name desc`.
  var text: String { path.description + (direction == .descending ? " desc" : "") }
}
