import CTerminal
import Explorer
import InstaQL
import LiveQueries
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A live answer as a table that is redrawn in place after each change.
///
/// The table stays below earlier output of the terminal, and is cut to the size of the screen.
struct LiveTable {
  let options: QueryOptions
  /// Whether the output is a terminal with control sequences. Otherwise each table is printed below
  /// the previous one.
  private let isCursorMovable: Bool
  private var linesShown = 0

  init(options: QueryOptions) {
    self.options = options
    let type = getenv("TERM").map { String(cString: $0) } ?? ""
    isCursorMovable = Output.isTerminal && !["", "dumb"].contains(type)
  }

  /// Returns the output for a result; nil if there is nothing to show yet.
  mutating func drawing(of result: LiveResult) throws(QueryError) -> [UInt8]? {
    var lines: [String]
    switch result {
    case .loading: return nil
    case .failed(let failure):
      lines = [TerminalSanitizer.text(failure.sentences)]
    case .loaded(let live): lines = try self.lines(of: live)
    }
    guard isCursorMovable else {
      return Array((lines.joined(separator: "\n") + "\n\n").utf8)
    }
    var (columns, rows): (Int32, Int32) = (0, 0)
    if ct_size(STDOUT_FILENO, &columns, &rows), rows > 2, lines.count >= rows {
      let left = lines.count - Int(rows) + 2
      lines = lines.prefix(Int(rows) - 2) + ["… \(left) more"]
    }
    // Line wrapping is disabled, so that the terminal cuts long lines.
    var text = "\u{1B}[?2026h\u{1B}[?7l"
    if linesShown > 0 { text += "\u{1B}[\(linesShown)A" }
    for line in lines { text += "\r" + line + "\u{1B}[K\n" }
    text += "\u{1B}[J\u{1B}[?7h\u{1B}[?2026l"
    linesShown = lines.count
    return Array(text.utf8)
  }

  private func lines(of live: LiveAnswer) throws(QueryError) -> [String] {
    let bytes = try AnswerFormat.table.bytes(
      of: live.answers, in: live.snapshot, options: options)
    let freshness = live.snapshot.freshness
    let state = [freshness.word, freshness.reason.map(TerminalSanitizer.text)].compactMap { $0 }
      .joined(
        separator: ": ")
    let counts = live.answers.map { answer in
      let shown = answer.count ?? answer.table?.rows.count ?? answer.rows.count
      return "\(shown) of \(answer.total)"
    }
    let transaction = live.snapshot.knownTransaction.map { "tx \($0) · " } ?? ""
    let status = "\(state) · \(transaction)" + counts.joined(separator: ", ")
    return [status]
      + String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false
      ).dropLast().map(String.init)
  }
}
