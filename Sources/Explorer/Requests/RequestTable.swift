import InstaQL
import TerminalUI
import Triples

/// The requests that wait for a response, with their purposes.
///
/// Each slot has at most one request. A new request cancels the previous one in its slot, and
/// responses to canceled requests are dropped.
struct RequestTable: Sendable, Equatable {
  private struct Pending: Sendable, Equatable {
    let id: RequestID
    let purpose: RequestPurpose
  }

  private var pending: [RequestSlot: Pending] = [:]
  private var lastNumber = 0
  /// The output of the last command that wrote output; nil if no command did.
  var lastOutput: CommandText?
  /// The data that the open panes need from outside the workspace.
  private var needs = PaneNeeds()

  /// Starts a request and cancels the previous request in its slot. Returns the effects to perform.
  mutating func begin(_ request: Request, for purpose: RequestPurpose) -> [Effect] {
    let canceled = cancel(purpose.slot)
    lastNumber += 1
    let id = RequestID(number: lastNumber)
    pending[purpose.slot] = Pending(id: id, purpose: purpose)
    return canceled + [.request(id, request)]
  }

  /// Cancels the request in a slot and drops its response.
  mutating func cancel(_ slot: RequestSlot) -> [Effect] {
    pending.removeValue(forKey: slot).map { [.cancel($0.id)] } ?? []
  }

  /// Cancels the request in a slot but keeps waiting for its final response.
  func stop(_ slot: RequestSlot) -> [Effect] { pending[slot].map { [.cancel($0.id)] } ?? [] }

  /// Returns the purpose of the request that a response answers; nil if the request was canceled. A
  /// final response makes the slot free.
  mutating func resolve(_ response: Response, to id: RequestID) -> RequestPurpose? {
    guard let slot = pending.first(where: { $0.value.id == id })?.key else { return nil }
    let purpose = pending[slot]?.purpose
    if !response.isProgress { pending[slot] = nil }
    return purpose
  }

  /// Starts or stops what the open panes need, such as reports of live queries.
  mutating func meet(_ needs: PaneNeeds) -> [Effect] {
    let before = self.needs
    self.needs = needs
    return (needs.liveQueries == before.liveQueries ? [] : [.listWatched(isOn: needs.liveQueries)])
      + (needs.theme == before.theme ? [] : [.theme(.preview(needs.theme))])
  }

  func isPending(_ slot: RequestSlot) -> Bool { pending[slot] != nil }

  /// Returns the purpose of a slot's request; nil if there is none.
  func purpose(of slot: RequestSlot) -> RequestPurpose? { pending[slot]?.purpose }

  /// The running commands, the newest last.
  var commands: [(slot: RequestSlot, command: ShellCommand)] {
    pending.values.sorted { $0.id.number < $1.id.number }.compactMap {
      guard case .runCommand(let command, _, _) = $0.purpose else { return nil }
      return ($0.purpose.slot, command)
    }
  }

  func id(in slot: RequestSlot) -> RequestID? { pending[slot]?.id }

  /// The number of the next request. It can also identify a slot that only this request uses.
  var nextNumber: Int { lastNumber + 1 }
}

/// The data or previews that a pane needs from outside the workspace while it is open.
struct PaneNeeds: Sendable, Equatable {
  /// Whether the pane needs reports of the live queries.
  var liveQueries = false
  /// The theme to preview; nil keeps the selected theme.
  var theme: Theme?

  mutating func add(_ other: PaneNeeds) {
    liveQueries = liveQueries || other.liveQueries
    theme = other.theme ?? theme
  }
}

/// The purpose of a request, with the data that its response does not contain.
enum RequestPurpose: Sendable, Equatable {
  case showColumns(namespace: String)
  case explain(tab: Int)
  /// Runs background work.
  ///
  /// - Parameter place: The tab and the pane that had the focus when the work was requested.
  case prepare(title: String, place: KeyPlace)
  case countValues(Counting)
  case select(BulkSelection, in: QueryPlan)
  case copy(QueryPlan)
  case logChanges(number: Int)
  case locate(EntityID, QueryPlan)
  /// Counts the rows that a typed query finds.
  case countTyped(QueryPlan)
  /// Finds out why an answer is empty.
  case explainEmpty(QueryPlan)
  case find
  case edit
  case export
  /// Runs a command.
  ///
  /// - Parameter place: The tab and the pane that had the focus when the command was started.
  case runCommand(ShellCommand, number: Int, place: KeyPlace)
  case add
  /// Updates the panes that list saved queries or themes.
  ///
  /// - Parameter opens: Whether the list is opened, too. Otherwise a failure is
  ///   reported only while the list of saved queries is shown.
  case savedQueries(opens: Bool), themes(opens: Bool)
  case stores
  /// Opens a store.
  ///
  /// - Parameter place: The tab and the pane that had the focus when it was requested.
  case openStore(place: KeyPlace)
  /// Completes a typed path.
  case path

  var slot: RequestSlot {
    switch self {
    case .showColumns(let namespace): .columns(namespace: namespace)
    case .savedQueries: .savedQueries
    case .explain(let tab): .explanation(tab: tab)
    case .prepare: .preparation
    case .countValues: .values
    case .select: .selection
    case .copy: .copy
    case .logChanges(let number): .comparison(number)
    case .locate: .location
    case .countTyped: .typedCount
    case .explainEmpty: .missingName
    case .find: .search
    case .edit: .editor
    case .export: .export
    case .runCommand(_, let number, _): .command(number)
    case .add: .entityID
    case .themes: .themes
    case .stores: .stores
    case .openStore: .storeToOpen
    case .path: .paths
    }
  }
}

/// A place for one pending request. A new request in the same slot cancels the previous one.
enum RequestSlot: Hashable, Sendable {
  case columns(namespace: String)
  case savedQueries, preparation, values, selection, copy, location, typedCount, missingName,
    search, editor, export
  case entityID, themes, stores, storeToOpen, paths
  case explanation(tab: Int)
  /// A command. Each command has its own slot, since several can run at the same time.
  case command(Int)
  /// A comparison of stores. Each comparison has its own slot, since each finds other changes.
  case comparison(Int)
}
