import InstaQL
import Triples

/// The pending requests and their purposes.
///
/// Each slot has at most one request: a new one cancels the previous one, and a response to a
/// request without a slot is dropped.
struct RequestTable: Sendable, Equatable {
  private struct Pending: Sendable, Equatable {
    let id: RequestID
    let purpose: RequestPurpose
  }

  private var pending: [RequestSlot: Pending] = [:]
  private var lastNumber = 0

  /// Sends a request and replaces the previous one of its slot.
  mutating func begin(_ request: Request, for purpose: RequestPurpose) -> [Effect] {
    let canceled = cancel(purpose.slot)
    lastNumber += 1
    let id = RequestID(number: lastNumber)
    pending[purpose.slot] = Pending(id: id, purpose: purpose)
    return canceled + [.request(id, request)]
  }

  /// Cancels the request of a slot.
  mutating func cancel(_ slot: RequestSlot) -> [Effect] {
    pending.removeValue(forKey: slot).map { [.cancel($0.id)] } ?? []
  }

  /// Requests an early end; the response still reports the result.
  func stop(_ slot: RequestSlot) -> [Effect] { pending[slot].map { [.cancel($0.id)] } ?? [] }

  /// The purpose of a response; nil if it is outdated. A final response frees the slot.
  mutating func take(_ response: Response, to id: RequestID) -> RequestPurpose? {
    guard let slot = pending.first(where: { $0.value.id == id })?.key else { return nil }
    let purpose = pending[slot]?.purpose
    if !response.isProgress { pending[slot] = nil }
    return purpose
  }

  func isPending(_ slot: RequestSlot) -> Bool { pending[slot] != nil }

  /// The purpose of a slot's request; nil if there is none.
  func purpose(of slot: RequestSlot) -> RequestPurpose? { pending[slot]?.purpose }

  func id(in slot: RequestSlot) -> RequestID? { pending[slot]?.id }

  /// The number for a slot of its own.
  var nextNumber: Int { lastNumber + 1 }
}

/// The purpose of a request, with the data that its response does not contain.
enum RequestPurpose: Sendable, Equatable {
  case showColumns(namespace: String)
  case openSavedQueries, reloadSavedQueries
  case explain(tab: Int)
  /// Prepares something.
  ///
  /// - Parameter place: The focus when it was requested.
  case prepare(title: String, place: KeyPlace)
  /// Counts values.
  ///
  /// - Parameter isUpdate: Whether values of the same query are shown already.
  case countValues(Counting, isUpdate: Bool)
  case select(BulkSelection, in: QueryPlan)
  case copy(QueryPlan)
  case logChanges(number: Int)
  case locate(EntityID, QueryPlan)
  /// Counts what a typed query finds.
  case countTyped(QueryPlan)
  case find
  case edit
  case export
  case add
  case openThemes, reloadThemes
  /// Lists the entries of the palette that have to be requested.
  case listSavedQueries, listThemes

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
    case .countTyped: .typedCount
    case .find: .search
    case .edit: .editor
    case .export: .export
    case .add: .entityID
    case .openThemes, .reloadThemes: .themes
    case .listSavedQueries: .paletteQueries
    case .listThemes: .paletteThemes
    }
  }
}

/// A slot for at most one request at a time.
enum RequestSlot: Hashable, Sendable {
  case columns(namespace: String)
  case savedQueries, preparation, values, selection, copy, location, typedCount, search, editor,
    export
  case entityID, themes, paletteQueries, paletteThemes
  case explanation(tab: Int)
  /// A comparison of stores. Each has its own slot, since each reports other changes.
  case comparison(Int)
}
