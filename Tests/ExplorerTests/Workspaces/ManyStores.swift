import Explorer
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Testing
import Triples

/// Several stores on one screen: keys go to the store in front, and each store answers its queries.
struct ManyStores {
  private(set) var workspaces: Workspaces
  /// The effects except queries and requests, oldest first.
  private(set) var effects: [OwnedEffect] = []
  /// The requests, the newest last.
  private(set) var requests: [(owner: WorkspaceID, id: RequestID, request: Request)] = []
  private var snapshots: [WorkspaceID: StoreSnapshot] = [:]
  private var watched: [WorkspaceID: [WatchToken: QueryDocument]] = [:]

  /// Opens stores with these names, the first in front.
  init(
    _ stores: [(name: String, store: TripleStore?)], columns: Int = 130, rows: Int = 20,
    startup: StartupView = StartupView(), losesChanges: Bool = false
  ) {
    let size = Size(columns: columns, rows: rows)
    workspaces = Workspaces(
      stores.map {
        Workspace(
          StoreListing(typed: $0.name), rules: ChangeRules(losesChanges: losesChanges), size: size,
          startup: startup)
      })
    for (id, store) in zip(workspaces.ids, stores) {
      if let store = store.store { load(store, of: id) }
    }
  }

  /// The garden and a store with two notes.
  static func gardenAndPlan(
    columns: Int = 130, rows: Int = 20, losesChanges: Bool = false
  ) throws -> ManyStores {
    ManyStores(
      [("garden", try Garden.store()), ("plan.sonde", try plan())], columns: columns, rows: rows,
      losesChanges: losesChanges)
  }

  /// A store with two notes.
  static func plan() throws -> TripleStore {
    let notes = #"[{"title": "Run", "done": false}, {"title": "Swim", "done": true}]"#
    return try Dataset.load([(name: "notes.json", bytes: Array(notes.utf8))])
  }

  var ids: [WorkspaceID] { workspaces.ids }
  /// The workspace in front.
  var front: Workspace { workspaces.front }
  var notice: Notice? { front.notice }
  var text: String { front.view().text }
  var header: String { front.view().text(row: 0) }

  func store(of id: WorkspaceID) throws -> TripleStore { try #require(snapshots[id]).store }

  /// The subscriptions of a store.
  func watchCount(of id: WorkspaceID) -> Int { watched[id]?.count ?? 0 }

  mutating func press(_ names: String) {
    for name in names.split(separator: " ") {
      guard let key = Key(named: String(name)) else {
        preconditionFailure("The test names a key that does not exist: \(name)")
      }
      handle(.terminal(.key(key)), of: workspaces.frontID)
    }
  }

  mutating func type(_ text: String) {
    for character in text {
      handle(.terminal(.key(.character(character))), of: workspaces.frontID)
    }
  }

  /// The store has its first data, or other data.
  mutating func load(_ store: TripleStore, of id: WorkspaceID) {
    snapshots[id] = StoreSnapshot(store)
    handle(.snapshot(StoreSnapshot(store)), of: id)
    for (token, document) in watched[id] ?? [:] { answer(document, token, of: id) }
  }

  /// Another program changes a store.
  mutating func transact(_ steps: [TransactionStep], in id: WorkspaceID) throws {
    var store = try store(of: id)
    try store.transact(Transaction(steps))
    load(store, of: id)
  }

  /// Adds an opened store without data.
  @discardableResult
  mutating func open(_ name: String, inFront: Bool = true) -> WorkspaceID {
    let (id, effects) = workspaces.add(
      Workspace(StoreListing(typed: name), size: front.size), inFront: inFront)
    perform(effects)
    return id
  }

  /// Answers the newest request about stores.
  mutating func respond(_ response: Response) throws {
    let last = try #require(
      requests.last { request in
        switch (request.request, response) {
        case (.knownStores, .stores), (.findStore, .store), (.findStore, .failed),
          (.paths, .paths):
          true
        default: false
        }
      })
    handle(.response(last.id, response), of: last.owner)
  }

  mutating func handle(_ event: Event, of id: WorkspaceID) {
    perform(workspaces.update(event, of: id))
  }

  private mutating func perform(_ owned: [OwnedEffect]) {
    for owned in owned {
      switch owned.effect {
      case .watch(let document, let token, _):
        watched[owned.owner, default: [:]][token] = document
        answer(document, token, of: owned.owner)
      case .stopWatching(let token): watched[owned.owner]?[token] = nil
      case .request(let id, let request): requests.append((owned.owner, id, request))
      case .save(.history), .cancel: break
      default: effects.append(owned)
      }
    }
  }

  private mutating func answer(
    _ document: QueryDocument, _ token: WatchToken, of id: WorkspaceID
  ) {
    guard let snapshot = snapshots[id] else { return }
    let result: LiveResult
    do throws(QueryError) {
      result = try Screen.loaded(document, in: snapshot)
    } catch {
      result = .failed(LiveFailure(message: error.message, hint: error.hint))
    }
    handle(.live(token, result), of: id)
  }
}
