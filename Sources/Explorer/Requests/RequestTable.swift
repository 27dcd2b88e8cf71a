import TerminalUI

/// The requests that wait for a response, with their purposes.
///
/// Each purpose has at most one request. A new request cancels the previous one with its purpose,
/// and responses to canceled requests are dropped.
struct RequestTable: Sendable, Equatable {
  struct Pending: Sendable, Equatable {
    let id: RequestID
    let request: Request
    /// The tab and the pane that had the focus when the request was made; nil if the response opens
    /// nothing.
    let place: KeyPlace?
  }

  private var pending: [RequestPurpose: Pending] = [:]
  private var lastNumber = 0
  /// The output of the last command that wrote output; nil if no command did.
  var lastOutput: CommandText?
  /// The data that the open panes need from outside the workspace.
  private var needs = PaneNeeds()

  /// Starts a request and cancels the previous one with its purpose. Returns the effects to perform.
  ///
  /// - Parameter place: The tab and the pane that have the focus, if the response opens something.
  mutating func begin(
    _ request: Request, for purpose: RequestPurpose, from place: KeyPlace? = nil
  ) -> [Effect] {
    let canceled = cancel(purpose)
    lastNumber += 1
    let id = RequestID(number: lastNumber)
    pending[purpose] = Pending(id: id, request: request, place: place)
    return canceled + [.request(id, request)]
  }

  /// Cancels the request with a purpose and drops its response.
  mutating func cancel(_ purpose: RequestPurpose) -> [Effect] {
    pending.removeValue(forKey: purpose).map { [.cancel($0.id)] } ?? []
  }

  /// Cancels the request with a purpose but keeps waiting for its final response.
  func stop(_ purpose: RequestPurpose) -> [Effect] { self[purpose].map { [.cancel($0.id)] } ?? [] }

  /// Returns the request that a response answers, with its purpose; nil if the request was
  /// canceled. A final response ends the request.
  mutating func resolve(
    _ response: Response, to id: RequestID
  ) -> (purpose: RequestPurpose, pending: Pending)? {
    guard let (purpose, found) = pending.first(where: { $0.value.id == id }) else { return nil }
    if !response.isProgress { pending[purpose] = nil }
    return (purpose, found)
  }

  /// Starts or stops what the open panes need, such as reports of live queries or a free path.
  mutating func meet(_ needs: PaneNeeds) -> [Effect] {
    let before = self.needs
    self.needs = needs
    var effects: [Effect] = []
    if needs.liveQueries != before.liveQueries {
      effects.append(.listWatched(isOn: needs.liveQueries))
    }
    if needs.theme != before.theme { effects.append(.theme(.preview(needs.theme))) }
    if needs.freePath != before.freePath {
      effects += cancel(.freePath)
      if let path = needs.freePath { effects += begin(.freePath(path), for: .freePath) }
    }
    return effects
  }

  /// The pending request with a purpose; nil if there is none.
  subscript(purpose: RequestPurpose) -> Pending? {
    // A lookup hashes the purpose even if there are no requests.
    pending.isEmpty ? nil : pending[purpose]
  }

  func isPending(_ purpose: RequestPurpose) -> Bool { self[purpose] != nil }

  /// Whether the user waits for a response.
  var areAwaited: Bool { pending.contains { $1.place != nil || $0.isOfUser } }

  /// The running commands, the newest last.
  var commands: [(purpose: RequestPurpose, command: ShellCommand)] {
    pending.sorted { $0.value.id.number < $1.value.id.number }.compactMap {
      guard case .runCommand(let command, _) = $0.value.request else { return nil }
      return ($0.key, command)
    }
  }

  /// The number of the next request. It can also identify a purpose that only this request has.
  var nextNumber: Int { lastNumber + 1 }
}

/// The data or previews that a pane needs from outside the workspace while it is open.
struct PaneNeeds: Sendable, Equatable {
  /// Whether the pane needs reports of the live queries.
  var liveQueries = false
  /// The theme to preview; nil keeps the selected theme.
  var theme: Theme?
  /// The path that the pane proposes if no file has it; nil if it needs no free path.
  var freePath: String?

  mutating func add(_ other: PaneNeeds) {
    liveQueries = liveQueries || other.liveQueries
    theme = other.theme ?? theme
    freePath = other.freePath ?? freePath
  }
}

/// The purpose of a request. A new request cancels the previous one with the same purpose.
enum RequestPurpose: Hashable, Sendable {
  case columns(namespace: String)
  case explanation(tab: Int)
  /// Renders a text, or determines what a deletion affects. The user can cancel it.
  case backgroundWork
  case values, copy, location, typedCount, emptyReason, search, editor, export, entityID
  case stores, storeToOpen, paths, freePath
  /// Updates the panes that list saved queries or themes, or opens the list.
  case savedQueries, themes
  /// Loads all rows of an answer to select them.
  case selection(BulkSelection)
  /// Runs a command. Several commands can run at the same time.
  case command(Int)
  /// Compares stores. Each comparison has its own purpose, since each finds other changes.
  case comparison(Int)

  /// Whether the user asked for the request, rather than the screen.
  fileprivate var isOfUser: Bool {
    switch self {
    case .explanation, .backgroundWork, .values, .copy, .search, .editor, .export, .entityID,
      .storeToOpen, .selection, .command:
      true
    case .columns, .location, .typedCount, .emptyReason, .stores, .paths, .freePath, .savedQueries,
      .themes, .comparison:
      false
    }
  }
}
