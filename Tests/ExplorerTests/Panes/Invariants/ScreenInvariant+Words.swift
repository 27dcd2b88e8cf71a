import Explorer
import TerminalUI

extension ScreenInvariant {
  /// Words about hidden lines, which a screen without hidden lines does not need.
  private static let wordsOfScrolling = [
    "top", "bottom", "end", "scroll", "down", "line", "lines", "below", "above",
  ]

  /// Rules about words that are cut or missing.
  ///
  /// A word is cut if the same screen has no such word at 200×60, where everything fits.
  static let words = [
    ScreenInvariant("The header, the footer and the titles contain only whole words") { view in
      guard !view.isHeard else { return nil }
      // An open pane and suggestions cut the titles below them.
      let isCovered = view.scene.isOverlay || view.scene.isTyped
      let area = isCovered ? view.frame.focusedArea : view.frame.bounds
      let bars =
        [view.frame.text(row: 0), view.frame.footerText]
        + (area.map { view.frame.titles(in: $0) } ?? [])
      let known = view.enlarged.words.union(view.notice?.text.spaced.map(\.bare) ?? [])
        .union(wordsOfScrolling)
      return bars.flatMap(\.uncutWords).first { !known.contains($0) }.map { "“\($0)”" }
    },
    ScreenInvariant("A large screen shows every word of a smaller one") { view in
      // Arrows show that a diagram continues beyond an edge. The error of a typed line takes the
      // place of its hint if there is enough space.
      guard !view.isHeard, view.isOpen, view.scene != .diagram,
        !view.scene.isTyped || !view.state.hasWideText,
        let interior = view.frame.focusedInterior
      else { return nil }
      let known = view.enlarged.words
      return view.frame.lines(in: interior).flatMap(\.uncutWords).first { !known.contains($0) }
        .map { "“\($0)” is missing at 200×60" }
    },
  ]
}

extension String {
  /// The words that consist of letters and are not followed by an ellipsis, without punctuation.
  ///
  /// Values with other characters, such as ids and JSON, may be broken anywhere.
  fileprivate var uncutWords: [String] {
    let words = spaced
    return words.indices.filter { place in
      !(place + 1 < words.count && words[place + 1].hasPrefix("…"))
    }.map { words[$0] }.filter { !$0.contains("…") }.map(\.bare)
      .filter { !$0.isEmpty && $0.allSatisfy(\.isLetter) }
  }

  /// A word without punctuation at its ends.
  fileprivate var bare: String {
    let letters = drop { !$0.isLetter && !$0.isNumber }.reversed()
    return String(letters.drop { !$0.isLetter && !$0.isNumber }.reversed())
  }
}

extension Frame {
  /// All words on the screen, without punctuation.
  fileprivate var words: Set<String> { Set(lines(in: bounds).flatMap(\.spaced).map(\.bare)) }

  /// The text of an area without borders, row by row.
  fileprivate func lines(in area: Rect) -> [String] {
    (area.row..<area.endRow).map { row in
      var text = ""
      for column in area.column..<area.endColumn {
        let cell = cell(row: row, column: column)
        if cell.isSecondHalf { continue }
        text.unicodeScalars.append(arms(row: row, column: column).isEmpty ? cell.scalar : " ")
      }
      return text
    }
  }
}
