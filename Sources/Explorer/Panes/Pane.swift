import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Triples

/// What a pane that opens above the standing ones must do.
///
/// It knows no other pane: what concerns more than itself it answers as wishes. To add one, write its
/// file, give it a case of `Focus` for its keys, and open it where it is asked for.
protocol Pane: Sendable, Equatable {
  /// Which keys count while it is open.
  var focus: Focus { get }
  /// Where it opens.
  var place: PanePlace { get }
  func title(in context: PaneContext) -> String
  /// Told at the right end of the title.
  func remark(in context: PaneContext) -> String
  /// What helps most now, for the footer.
  func hints(in context: PaneContext) -> [Intent]
  /// What a wish does here, in a word or two.
  func label(of intent: Intent) -> String

  /// Takes a key that is typed into the pane; nil when it is for the keymap. One that changes nothing
  /// is answered with why.
  mutating func type(_ key: Key, in context: PaneContext) -> [Wish]?
  /// Takes text that was pasted, or says why not; nil where nothing can be pasted into.
  mutating func paste(_ text: String, in context: PaneContext) -> Outcome?
  /// Does what the person wants, or says why nothing is done; nil when that is not the pane's to do.
  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]?
  /// A click, counted from the pane's inner corner.
  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish]
  mutating func scroll(by lines: Int, in context: PaneContext)
  /// The wheel turned sideways.
  mutating func scroll(sideways columns: Int, in context: PaneContext)
  /// The mouse was moved with its button held, by so many cells.
  mutating func drag(rows: Int, columns: Int, in context: PaneContext)
  /// The data or the size is another one now.
  mutating func refresh(in context: PaneContext)
  /// What a store elsewhere must be asked so that the pane can show it; nil for no more than is known.
  func question(in catalog: Catalog) -> QueryPlan?
  /// Whether that is asked of every store, and `PaneContext.found` is what the pane shows.
  var isSearch: Bool { get }
  /// What was waited for has come: does what somebody wanted of it meanwhile; nil for nothing.
  mutating func settle(in context: PaneContext) -> [Wish]?
  /// Whether it holds what somebody typed, which only they may throw away.
  var holdsTyping: Bool { get }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext)
}

extension Pane {
  func remark(in context: PaneContext) -> String { "" }
  func hints(in context: PaneContext) -> [Intent] { [.open, .cancel] }
  func label(of intent: Intent) -> String { intent.label }
  mutating func type(_ key: Key, in context: PaneContext) -> [Wish]? { nil }
  mutating func paste(_ text: String, in context: PaneContext) -> Outcome? { nil }
  mutating func scroll(sideways columns: Int, in context: PaneContext) {}
  mutating func drag(rows: Int, columns: Int, in context: PaneContext) {}
  mutating func refresh(in context: PaneContext) {}
  func question(in catalog: Catalog) -> QueryPlan? { nil }
  var isSearch: Bool { false }
  mutating func settle(in context: PaneContext) -> [Wish]? { nil }
  var holdsTyping: Bool { false }

  /// Whether two panes of perhaps different types are the same.
  fileprivate func isEqual(to other: any Pane) -> Bool { (other as? Self) == self }
}

/// Where a pane opens.
enum PanePlace: Sendable, Equatable {
  /// Instead of all standing panes.
  case screen
  /// Instead of the results; the query stays in sight.
  case results
  /// At the right of the results where there is room for both, else instead of them.
  case beside
  /// In the middle, above everything, no larger than it needs to be.
  ///
  /// - Parameter heading: What stands in lines of its own above the rows where it is too long for the
  ///   pane's own line.
  case popup(columns: Int, rows: Int, heading: String = "")
  /// Above everything as well, with its first corner at a place or as near to it as there is room.
  case at(Position, columns: Int, rows: Int, heading: String = "")
}

/// What a pane may know of the rest of the screen.
struct PaneContext {
  let catalog: Catalog?
  /// The query that is shown.
  let plan: QueryPlan?
  /// Its answer.
  let table: ResultTable?
  /// What the pane looked for; nil while it is not found.
  let found: Answer?
  /// Why it cannot be found, in words.
  let failure: String?
  let keymap: Keymap
  /// What sentences call the keys that count in the pane.
  let keys: KeyNames
  /// The standing pane that has the focus beneath.
  let standing: StandingPane
  /// What changed since the store was opened.
  let log: ChangeLog
  /// The answer that is shown, and the one that it is held against.
  let now: LiveAnswer?
  let then: LiveAnswer?
  /// What was changed here and is kept back.
  let unsent: [ChangeLog.Entry]
  /// How many rows of the namespace are marked.
  let marked: Int
  /// Rows within the pane.
  let page: Int
  /// Columns within the pane.
  let width: Int
  /// Whether lines are edited with the keys of vi.
  var usesVi = false
  /// What changed a moment ago in the store of `catalog`.
  var flashes = Flashes()
  /// Whether the screen is heard: one column, in the order of reading.
  var isLinear = false
}

/// What a pane wants of the rest of the screen.
enum Wish: Sendable, Equatable {
  case close
  case say(Notice)
  case open(Overlay)
  /// As if the person had said so in the pane beneath, with this one closed.
  case perform(Intent)
  /// Shows a query, with a way back.
  case goIn(QueryPlan)
  /// Replaces the query that is shown.
  case change(QueryPlan)
  case ask(PromptPane.Purpose)
  /// The same with some of the text typed already.
  case compose(PromptPane.Purpose, String)
  /// Shows the columns of the namespace in another way.
  case arrange(ColumnSettings)
  /// Makes the thing that is on the form.
  case make
  /// Gives the form beneath an entity for a link.
  case fill(EntityDraft.Linked)
  /// Sends a change to the store, with what to say when it is done.
  case send([TransactionStep], String)
  /// The same of a deletion of which was told what goes.
  case delete(AnnouncedDeletion)
  /// Does what an editing key asks for to something.
  case edit(Intent, EditTarget)
  /// Says why an entity is in the answer or is not.
  case explain(EntityID)
  /// Takes what is being typed to the editor.
  case editPrompt
  /// Has something made aside that may take longer than a key.
  case prepare(Preparation)
  /// Writes rows, or the store, to a file.
  case export(ExportForm, ExportPane.Scope, path: String, isReplacing: Bool)
  case stopExport
  case reloadSavedQueries
  /// Marks rows of the answer.
  case mark(MarkWish)
  /// Tells what changes in the answer from now on.
  case beginComparison
  /// Goes to the column of a link that was nested, so that it is in view.
  case reach(column: String)
  /// Sends what was kept back, or does not.
  case unsent(UnsentWish)
  /// Tries again what could not be taken back, or goes on to what was changed before it.
  case undo(UndoWish)
  case effect(Effect)
}

/// A pane of any kind, held by the model.
struct Overlay: Sendable {
  var pane: any Pane

  init(_ pane: any Pane) {
    self.pane = pane
  }
}

extension Overlay: Equatable {
  static func == (a: Overlay, b: Overlay) -> Bool { a.pane.isEqual(to: b.pane) }
}
