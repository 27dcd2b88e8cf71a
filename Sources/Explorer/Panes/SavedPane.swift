import InstaQL
import Notebooks
import TerminalUI

/// Queries that were kept under a name, and those that were asked lately.
struct SavedPane: Pane {
  private(set) var saved: [SavedQuery]
  private(set) var asked: [HistoryEntry]
  var cursor = ListCursor()

  init(saved: [SavedQuery], asked: [HistoryEntry]) {
    self.saved = saved
    self.asked = asked
  }

  /// The list is another one; the cursor stays where it was.
  mutating func receive(saved: [SavedQuery], asked: [HistoryEntry], page: Int) {
    (self.saved, self.asked) = (saved, asked)
    cursor.scroll(by: 0, of: count, page: page)
  }

  var focus: Focus { .saved }
  var place: PanePlace { .results }
  private var count: Int { saved.count + asked.count }

  func title(in context: PaneContext) -> String { "Saved queries and history" }

  func remark(in context: PaneContext) -> String {
    "\(saved.count) saved · \(NumberText.grouped(asked.count)) asked"
  }

  func hints(in context: PaneContext) -> [Intent] {
    if count == 0 { return [.saveQuery, .cancel] }
    // History goes by itself.
    return saved.indices.contains(cursor.index) ? [.open, .delete, .cancel] : [.open, .cancel]
  }

  func label(of intent: Intent) -> String { intent == .open ? "ask it" : intent.label }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    if let moved = cursor.handle(intent, count: count, page: context.page) {
      return moved.wishes
    }
    switch intent {
    case .open: return open(in: context)
    case .delete:
      guard saved.indices.contains(cursor.index) else {
        return [.say("History goes by itself: only a saved query is forgotten by hand")]
      }
      return [.effect(.forgetQuery(saved[cursor.index])), .effect(.recallQueries)]
    default: return nil
    }
  }

  private func open(in context: PaneContext) -> [Wish] {
    guard let catalog = context.catalog else { return [.say("The store is still loading")] }
    guard cursor.index < count else { return [.say(Self.nothingKept)] }
    let text =
      cursor.index < saved.count ? saved[cursor.index].text : asked[cursor.index - saved.count].text
    do throws(QueryError) {
      let document = try QueryDocument(text: text, schema: catalog.schema)
      guard let plan = document.plans.first else { return [.say("It asks for nothing")] }
      return [.goIn(plan)]
    } catch {
      return [.say(error.complaint)]
    }
  }

  private static let nothingKept =
    "Nothing is kept yet: \(Intent.saveQuery.key) saves the query under a name"

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    guard cursor.top + line < count else { return [] }
    cursor.move(to: cursor.top + line, of: count, page: context.page)
    return times == 2 ? open(in: context) : []
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: count, page: context.page)
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    if count == 0 {
      frame.writeWrapped(context.keys.filling(Self.nothingKept), in: area, paint: .dim)
    }
    for (index, line, ground) in cursor.lines(of: count, in: area) {
      frame.fill(line, Paint(.text, on: ground))
      let isSaved = index < saved.count
      frame.write(
        isSaved ? saved[index].name : index == saved.count ? "asked lately" : "", row: line.row,
        column: line.column + 1, width: nameWidth,
        paint: Paint(isSaved ? .title : .dim, on: ground))
      let width = max(0, line.columns - nameWidth - 4)
      let text = Self.line(isSaved ? saved[index].text : asked[index - saved.count].text)
      frame.write(
        Self.ends(of: text, columns: width), row: line.row, column: line.column + nameWidth + 3,
        width: width, paint: Paint(.text, on: ground))
    }
  }

  /// A query on one line, as a person may have written it on several.
  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The beginning and the end of a text for which there is no room: queries often begin alike.
  private static func ends(of text: String, columns: Int) -> String {
    guard TextWidth.columns(of: text) > columns, columns > 2 else { return text }
    let head = TextWidth.truncated(text, to: columns / 2)
    var end = columns - TextWidth.columns(of: head)
    let tail = text.reversed().prefix { character in
      end -= TextWidth.columns(of: String(character))
      return end >= 0
    }
    return head + String(tail.reversed())
  }

  /// Columns of the longest name, within bounds.
  private var nameWidth: Int {
    let longest = saved.map { TextWidth.columns(of: $0.name) }.max() ?? 0
    return min(max(longest, "asked lately".count), Self.widestName)
  }

  private static let widestName = 24
}
