import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Triples
import Widgets

/// A pane that opens above the main panes.
///
/// A pane has no access to other panes. It returns a `PaneAction` for anything that concerns the
/// rest of the screen. To add a pane, write a file that contains it and its traits, list the traits
/// in `PaneTraits.allCases`, and open the pane where users request it.
protocol Pane: Sendable, Equatable {
  /// The pane's name, keys and help text.
  var traits: PaneTraits { get }
  /// The place where the pane opens.
  var place: PanePlace { get }
  func title(in context: PaneContext) -> String
  /// Returns the text at the right end of the title line; empty for none.
  func remark(in context: PaneContext) -> String
  /// Returns the commands that the footer shows as hints.
  func hints(in context: PaneContext) -> [Command]
  /// Returns a label of one or two words for a command in this pane.
  func label(of command: Command) -> String

  /// Handles a key as text input. Returns nil if the keymap decides what the key does.
  ///
  /// For a key without effect, returns an action that shows the reason.
  mutating func type(_ key: Key, in context: PaneContext) -> [PaneAction]?
  /// Handles pasted text; nil if the pane takes no text.
  mutating func paste(_ text: String, in context: PaneContext) -> InputResult?
  /// Performs a command. Returns nil if the pane does not handle the command.
  ///
  /// For a command without effect, returns an action that shows the reason.
  mutating func handle(_ command: Command, in context: PaneContext) -> [PaneAction]?
  /// Handles a click at a position relative to the upper left corner inside the border.
  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [PaneAction]
  mutating func scroll(by lines: Int, in context: PaneContext)
  /// Scrolls in both directions, when the mouse drags the contents or its wheel turns sideways.
  mutating func pan(rows: Int, columns: Int, in context: PaneContext)
  /// Updates the pane after data or the size of the pane changed.
  mutating func refresh(in context: PaneContext)
  /// Handles the response to a request that a pane can show. Returns a notice to show; nil for none.
  mutating func receive(_ response: Response, in context: PaneContext) -> Notice?
  /// The data or previews that the pane needs from outside the workspace while it is open.
  var needs: PaneNeeds { get }
  /// Returns the query whose answer the pane needs from a remote store; nil if it needs none.
  func query(in catalog: Catalog) -> QueryPlan?
  /// Whether every store must answer the pane's query, even a store in memory. `PaneContext.found`
  /// contains the answer.
  var isSearch: Bool { get }
  /// Whether the search for the typed text, or for a free name, has not finished, so that a choice
  /// waits for it.
  var awaitsMatches: Bool { get }
  /// Whether the pane contains unsaved typed text.
  var holdsTyping: Bool { get }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext)
  /// Draws the marks of lines above or below the visible ones.
  func drawMore(into frame: inout Frame, area: Rect, context: PaneContext)
}

extension Pane {
  var place: PanePlace { traits.place }
  func title(in context: PaneContext) -> String { traits.title }
  func remark(in context: PaneContext) -> String { "" }
  func hints(in context: PaneContext) -> [Command] { traits.hints }
  func label(of command: Command) -> String { traits.label(of: command) }
  mutating func type(_ key: Key, in context: PaneContext) -> [PaneAction]? { nil }
  mutating func paste(_ text: String, in context: PaneContext) -> InputResult? { nil }
  mutating func pan(rows: Int, columns: Int, in context: PaneContext) {}
  mutating func refresh(in context: PaneContext) {}
  mutating func receive(_ response: Response, in context: PaneContext) -> Notice? { nil }
  var needs: PaneNeeds { PaneNeeds() }
  func query(in catalog: Catalog) -> QueryPlan? { nil }
  var isSearch: Bool { false }
  var awaitsMatches: Bool { false }
  var holdsTyping: Bool { false }
  func drawMore(into frame: inout Frame, area: Rect, context: PaneContext) {}

  fileprivate func isEqual(to other: any Pane) -> Bool { (other as? Self) == self }
}

/// The state of the rest of the screen that a pane can read.
struct PaneContext {
  let catalog: Catalog?
  let plan: QueryPlan?
  /// The table with the answer to the current query.
  let table: ResultTable?
  /// The columns of the expanded relation at the cursor of the results, or else of the rows.
  let columns: [TableColumn]
  /// The answer to the pane's own query; nil until it arrives.
  let found: Answer?
  /// The error message of the pane's own query; nil if there is none.
  let failure: String?
  let settings: ExplorerSettings
  /// The keys that are bound in the pane.
  let keys: KeyNames
  /// The main pane that has the focus when all other panes are closed.
  let standing: MainPane
  /// The pane below this one, which gets the focus when this one is closed.
  let below: PaneTraits
  let log: ChangeLog
  /// The current answer, for a comparison with the baseline.
  let now: LiveAnswer?
  let then: LiveAnswer?
  /// The changes that sending the staged changes would make.
  let staged: [ChangeEntry]
  /// The number of selected rows of the current namespace.
  let marked: Int
  /// The reason why the store is read-only, with advice; nil if it is writable.
  let readOnlyReason: String?
  /// The custom commands, and whether they can run in the pane below this one.
  var commands: [CommandOffer] = []
  /// The number of rows inside the pane.
  let page: Int
  /// The number of columns inside the pane.
  let width: Int
  /// The highlights of recent changes to the data of `catalog`.
  var highlights = ChangeHighlights()
  /// Whether the user is typing a line, for example a text to find in the pane.
  var isTyping = false
}

/// An action that a pane requests from the screen.
enum PaneAction: Sendable, Equatable {
  case close
  case show(Notice)
  case open(Overlay)
  /// Closes this pane, then performs a command in the pane that was below it.
  case perform(Command)
  /// Shows a query and adds the current view to the history.
  case drillDown(QueryPlan)
  /// Replaces the current query. Undo restores it.
  case change(QueryPlan)
  /// Remembers the days such as `today` and the searches in the text of a query.
  case keepWords(String)
  case ask(PromptPane.Purpose)
  /// Opens a prompt with an initial text.
  case compose(PromptPane.Purpose, TextField)
  case arrange(ColumnSettings)
  /// Adds the chosen link target to the form below this pane.
  case fill(EntityDraft.Linked)
  /// Submits a change with a summary for the notice about it.
  case send([TransactionStep], String)
  /// Performs a deletion.
  ///
  /// - Parameter isKnownWhole: Whether all affected entities were known when it was confirmed.
  case delete(DeletionPreview, canBeUndone: Bool, isKnownWhole: Bool)
  /// Opens a prompt in which the user types a value, for all selected rows if there is no target. A
  /// text replaces the present value in the line.
  case type(EditTarget?, Attribute, String? = nil)
  /// Sets a value of a row, or of all selected rows if there is no target.
  case set(Attribute, to: Value, of: EditTarget?)
  case edit(Command, EditTarget)
  /// Opens a menu of filters for the value of a field.
  case filter(EditTarget)
  /// Explains why an entity does or does not match the query.
  case explain(EntityID)
  /// Opens the typed text of the prompt in the editor.
  case editPrompt
  /// Starts background work.
  case prepare(Preparation)
  /// Writes rows or the store to a file.
  case export(ExportForm, ExportScope, ExportColumns, path: String, isReplacing: Bool)
  case stopExport
  case request(Request, for: RequestPurpose)
  /// Opens a store, or shows it if it is already open.
  case openStore(StoreListing)
  /// Selects rows of the answer.
  case mark(BulkSelection)
  case setBaseline
  case run(CustomCommand)
  case trustProject(ProjectFile)
  /// Expands a relation below the row at the cursor of the results, or below all rows in view.
  case expand(Link, inAllRows: Bool = false)
  /// Scrolls to the column of an included link.
  case reach(column: String)
  /// Focuses the results and selects a column, of another namespace if one is given.
  case jump(column: String, of: String? = nil)
  case effect(Effect)
}

/// A pane of any type, stored in the workspace.
struct Overlay: Sendable {
  var pane: any Pane
  /// The prompt that returns when the pane is closed; nil for none.
  let resumedPrompt: PromptPane?

  init(_ pane: any Pane, resuming prompt: PromptPane? = nil) {
    self.pane = pane
    resumedPrompt = prompt
  }
}

extension Overlay: Equatable {
  static func == (a: Overlay, b: Overlay) -> Bool {
    a.pane.isEqual(to: b.pane) && a.resumedPrompt == b.resumedPrompt
  }
}

extension InputResult {
  /// The actions that report this result: none, or one that shows the reason for no effect.
  var actions: [PaneAction] {
    switch self {
    case .done: []
    case .noEffect(let reason): [.show(reason)]
    }
  }
}
