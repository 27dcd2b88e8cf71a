import InstaQL
import Triples

/// The requests that the screen waits for, and what each is for.
///
/// Each slot waits for its newest request alone: beginning another cancels the one before, and a
/// response to a request that nothing waits for any more finds no purpose here and is dropped.
struct RequestTable: Sendable, Equatable {
  private struct Pending: Sendable, Equatable {
    let id: RequestID
    let purpose: RequestPurpose
  }

  private var pending: [RequestSlot: Pending] = [:]
  private var lastNumber = 0

  /// Sends a request, in place of the one that its slot waits for.
  mutating func begin(_ request: Request, for purpose: RequestPurpose) -> [Effect] {
    let canceled = cancel(purpose.slot)
    lastNumber += 1
    let id = RequestID(number: lastNumber)
    pending[purpose.slot] = Pending(id: id, purpose: purpose)
    return canceled + [.request(id, request)]
  }

  /// Waits no longer for what a slot asked for.
  mutating func cancel(_ slot: RequestSlot) -> [Effect] {
    pending.removeValue(forKey: slot).map { [.cancel($0.id)] } ?? []
  }

  /// Asks for an early end of what a slot waits for; the response still says how it ended.
  func stop(_ slot: RequestSlot) -> [Effect] { pending[slot].map { [.cancel($0.id)] } ?? [] }

  /// What a response is for; nil where nothing waits for it. Unless more is to come, that ends the
  /// request.
  mutating func take(_ response: Response, to id: RequestID) -> RequestPurpose? {
    guard let slot = pending.first(where: { $0.value.id == id })?.key else { return nil }
    let purpose = pending[slot]?.purpose
    if !response.isProgress { pending[slot] = nil }
    return purpose
  }

  func isPending(_ slot: RequestSlot) -> Bool { pending[slot] != nil }

  /// What a slot waits for; nil while it does not.
  func purpose(of slot: RequestSlot) -> RequestPurpose? { pending[slot]?.purpose }

  func id(in slot: RequestSlot) -> RequestID? { pending[slot]?.id }

  /// A number for a slot of its own.
  var nextNumber: Int { lastNumber + 1 }
}

/// What a request is for, as far as its response does not say.
enum RequestPurpose: Sendable, Equatable {
  case showColumns(namespace: String)
  case openSavedQueries, reloadSavedQueries
  case explain(tab: Int)
  /// - Parameter place: Where the keys went when it was asked for.
  case prepare(title: String, place: KeyPlace)
  /// - Parameter isUpdate: Whether values of the same query are in sight already.
  case countValues(Counting, isUpdate: Bool)
  case select(MarkWish, in: QueryPlan)
  case copy(QueryPlan)
  case logChanges(number: Int)
  case locate(EntityID, QueryPlan)
  case find
  case edit
  case export
  case add
  case openThemes, reloadThemes

  var slot: RequestSlot {
    switch self {
    case .showColumns(let namespace): .columns(namespace: namespace)
    case .openSavedQueries, .reloadSavedQueries: .savedQueries
    case .explain(let tab): .explanation(tab: tab)
    case .prepare: .preparation
    case .countValues: .values
    case .select: .selection
    case .copy: .copy
    case .logChanges(let number): .comparison(number)
    case .locate: .location
    case .find: .search
    case .edit: .editor
    case .export: .export
    case .add: .entityID
    case .openThemes, .reloadThemes: .themes
    }
  }
}

/// What waits for no more than one request at a time.
enum RequestSlot: Hashable, Sendable {
  case columns(namespace: String)
  case savedQueries, preparation, values, selection, copy, location, search, editor, export
  case entityID, themes
  case explanation(tab: Int)
  /// None is dropped: each tells of other changes.
  case comparison(Int)
}

/// A pane of one of the tabs.
struct KeyPlace: Sendable, Equatable {
  let tab: Int
  let focus: Focus
}
