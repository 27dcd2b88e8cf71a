import TerminalUI

/// One line of typing with its complaint underneath.
struct PromptPane: Sendable, Equatable {
  enum Purpose: Sendable, Equatable {
    case filter, query, limit

    var title: String {
      switch self {
      case .filter: "Filter"
      case .query: "Query"
      case .limit: "Limit"
      }
    }

    /// What to type, shown while the line is empty.
    var example: String {
      switch self {
      case .filter: "population > 1000000 and country.name = \"France\""
      case .query: "cities filter population > 1000000 order population desc limit 20"
      case .limit: "a number of rows; nothing for all"
      }
    }
  }

  let purpose: Purpose
  var field: TextField
  /// What is wrong with the line as it stands, or nil.
  var complaint: String?
  /// What could be typed next.
  var completion: Completion?

  init(_ purpose: Purpose, text: String) {
    self.purpose = purpose
    field = TextField(text)
  }

  /// The line, the complaint and nothing else: two rows of `area`.
  func draw(into frame: inout Frame, area: Rect) {
    field.draw(
      into: &frame, row: area.row, column: area.column + 1, width: max(0, area.columns - 2),
      paint: Paint(.prompt))
    if field.text.isEmpty {
      frame.write(
        purpose.example, row: area.row, column: area.column + 2,
        width: max(0, area.columns - 3), paint: Paint(.dim))
    }
    let below =
      completion.map { _ in complaint ?? "tab takes the word, ↓ chooses another, enter applies" }
      ?? complaint ?? "enter applies, esc leaves it as it was"
    guard area.rows > 1 else { return }
    frame.write(
      below, row: area.row + 1, column: area.column + 1, width: max(0, area.columns - 2),
      paint: Paint(complaint == nil ? .dim : .error))
  }
}
