import InstaQL
import LiveQueries
import TerminalUI
import Triples

/// Performs requests and posts their responses.
struct RequestRunner {
  private let manager: QueryManager
  private let surroundings: Surroundings
  private let themes: ThemeChoice
  private let stores: StoreChoice
  private var tasks: [RequestID: Task<Void, Never>] = [:]
  /// The task of the last requested comparison. The next comparison starts when this task ends.
  private var comparison: Task<Void, Never>?

  init(
    _ manager: QueryManager, _ surroundings: Surroundings, themes: ThemeChoice, stores: StoreChoice
  ) {
    self.manager = manager
    self.surroundings = surroundings
    self.themes = themes
    self.stores = stores
  }

  /// Starts a request.
  ///
  /// - Parameter keptTheme: The name of the selected theme, which is shown while there is no
  ///   preview.
  mutating func begin(
    _ id: RequestID, _ request: Request, sessionWriter: SessionWriter, keptTheme: String,
    terminal: any Terminal, mailbox: Mailbox
  ) {
    let manager = manager
    switch request {
    case .columns(let namespace):
      run(id, mailbox) { await sessionWriter.columns(of: namespace) }
    case .savedQueries:
      tasks[id] = Task { await sessionWriter.recallQueries(id, mailbox: mailbox) }
    case .explain(let order): run(id, mailbox) { .explanation(await Self.lines(of: order)) }
    case .prepare(let what):
      run(id, mailbox) {
        let whole = await manager.includingBlobs(what)
        return await Self.runPreparation(whole, id, mailbox: mailbox).map { .prepared($0) }
      }
    case .countValues(let attribute, let answer, let dates):
      run(id, mailbox) { await manager.values(of: attribute, in: answer, along: dates) }
    case .complete(let answer): run(id, mailbox) { await manager.allRows(of: answer) }
    case .compare(let stores): compare(stores, id, mailbox: mailbox)
    case .countRows(let plan): run(id, mailbox) { await manager.rowCount(of: plan) }
    case .missingName(let answer): run(id, mailbox) { await manager.missingName(of: answer) }
    case .locate(let entity, let plan):
      run(id, mailbox) { await manager.place(of: entity, in: plan) }
    case .search(let search):
      run(id, mailbox) {
        await manager.next(of: search) { mailbox.post(.response(id, .rowsDone($0))) }
      }
    case .edit(let text, let ending):
      let edited = surroundings.programs?.edit(text, ending: ending, on: terminal)
      mailbox.post(.response(id, .edited(edited ?? .failed(RuntimeWords.noEditor))))
    case .export(let order): write(order, id, mailbox: mailbox)
    case .runCommand(let command, let input):
      let programs = surroundings.programs
      run(id, mailbox) {
        guard let programs else { return .failed(nil) }
        return .commandEnded(await programs.capture(command, reading: input))
      }
    case .entityID: mailbox.post(.response(id, .entityID(EntityID.random())))
    case .themes:
      let all = themes.all
      run(id, mailbox) { .themes(all(), kept: keptTheme) }
    case .knownStores:
      let known = stores.known
      run(id, mailbox) { .stores(await known()) }
    case .findStore(let listing):
      let find = stores.find
      run(id, mailbox) { Response(await find(listing), for: listing) }
    case .paths(let text):
      let paths = surroundings.paths
      run(id, mailbox) { .paths(await paths(text)) }
    }
  }

  /// Cancels all requests.
  mutating func cancelAll() {
    for task in tasks.values { task.cancel() }
    tasks = [:]
  }

  mutating func cancel(_ id: RequestID) { tasks.removeValue(forKey: id)?.cancel() }

  /// Removes the task of a finished request.
  mutating func end(_ id: RequestID) { tasks[id] = nil }

  /// Posts the result of `work`, unless the request was canceled.
  private mutating func run(
    _ id: RequestID, _ mailbox: Mailbox, _ work: @escaping @Sendable () async -> Response?
  ) {
    tasks[id] = Task {
      let response = await work()
      if let response, !Task.isCancelled { mailbox.post(.response(id, response)) }
    }
  }

  private mutating func compare(_ stores: StoreDiff, _ id: RequestID, mailbox: Mailbox) {
    let before = comparison
    comparison = Task { @concurrent in
      await before?.value
      mailbox.post(.response(id, .difference(stores.difference())))
    }
  }

  /// Writes a file. The response is posted even if the request was canceled.
  private mutating func write(_ order: ExportOrder, _ id: RequestID, mailbox: Mailbox) {
    guard let exporter = surroundings.exporter else {
      mailbox.post(.response(id, .exported(.failed(RuntimeWords.noFiles))))
      return
    }
    tasks[id] = Task { [manager] in
      let whole: ExportOrder
      do throws(LiveFailure) {
        whole = try await manager.completed(order)
      } catch {
        let outcome: ExportOutcome = Task.isCancelled ? .cancelled : .failed(error.message)
        mailbox.post(.response(id, .exported(outcome)))
        return
      }
      let outcome = await exporter.write(
        whole, progress: ProgressReport { mailbox.post(.response(id, .progress($0))) })
      mailbox.post(.response(id, .exported(outcome)))
    }
  }

  @concurrent
  private static func lines(of order: ExplainRequest) async -> [TextLine] { order.lines }

  @concurrent
  private static func runPreparation(
    _ what: Preparation, _ id: RequestID, mailbox: Mailbox
  ) async -> Prepared? {
    what.run { mailbox.post(.response(id, .rowsDone($0))) }
  }
}

extension Response {
  fileprivate init(_ finding: StoreFinding, for wanted: StoreListing) {
    switch finding {
    case .found(let listing): self = .store(listing)
    case .failed(let reason): self = .failed(.storeNotOpened(wanted.name, reason))
    }
  }
}

extension QueryManager {
  fileprivate nonisolated func values(
    of attribute: Attribute, in answer: Answer, along dates: Attribute?
  ) async -> Response {
    do throws(LiveFailure) {
      return .values(try await facets(attribute, of: answer, along: dates))
    } catch {
      return .failed(Notice(error.message))
    }
  }

  fileprivate nonisolated func allRows(of answer: Answer) async -> Response {
    do throws(LiveFailure) {
      let (all, snapshot) = try await completion(of: answer.plan)
      return .rows(all, snapshot)
    } catch {
      return .failed(Notice(error.message))
    }
  }

  /// Counts the rows that a query finds.
  fileprivate nonisolated func rowCount(of plan: QueryPlan) async -> Response {
    do throws(LiveFailure) {
      return .rowCount(try await completion(of: plan.count()).answer.count)
    } catch {
      return .rowCount(nil)
    }
  }

  /// Finds a name that the query requires of a linked entity, but that no linked entity has.
  fileprivate nonisolated func missingName(of answer: Answer) async -> Response {
    do throws(LiveFailure) {
      return .missingName(
        try await MissingName.first(of: answer.plan, in: answer.store.schema) {
          plan async throws(LiveFailure) in try await completion(of: plan).answer
        })
    } catch {
      // The explanation is optional, so a failure is ignored.
      return .failed(nil)
    }
  }

  /// Finds the row of an entity.
  ///
  /// If the query fails, the response is a failure without a message, and the cursor stays where it
  /// is.
  fileprivate nonisolated func place(of entity: EntityID, in plan: QueryPlan) async -> Response {
    do throws(LiveFailure) {
      return .row(try await row(of: entity, in: plan))
    } catch {
      return .failed(nil)
    }
  }

  /// Finds the next match.
  ///
  /// - Parameter tell: Called with the number of rows searched so far.
  fileprivate nonisolated func next(
    of search: RowSearch, tell: (Int) -> Void
  ) async -> Response {
    guard search.table.answer.window != nil else { return .found(await Self.hit(of: search)) }
    do throws(LiveFailure) {
      return .found(try await hit(of: search, tell: tell))
    } catch {
      return .failed(Notice(error.message))
    }
  }

  @concurrent
  private static func hit(of search: RowSearch) async -> RowHit? { search.rest() }
}
