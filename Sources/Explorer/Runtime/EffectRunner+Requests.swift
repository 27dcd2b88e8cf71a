import InstaQL
import LiveQueries
import TerminalUI
import Triples

// Performs requests and posts their responses.
extension EffectRunner {
  /// Starts a request.
  ///
  /// - Parameter keptTheme: The name of the selected theme, which is shown while there is no
  ///   preview.
  mutating func begin(
    _ id: RequestID, _ request: Request, keptTheme: String, terminal: any Terminal
  ) {
    let (manager, mailbox, sessionWriter) = (manager, mailbox, sessionWriter)
    switch request {
    case .columns(let namespace): run(id) { await sessionWriter.columns(of: namespace) }
    case .savedQueries:
      requests[id] = Task { await sessionWriter.recallQueries(id, mailbox: mailbox) }
    case .explain(let order): run(id) { .explanation(await manager.lines(of: order)) }
    case .prepare(let what):
      run(id) {
        let whole = await manager.includingBlobs(what)
        return await QueryManager.concurrently {
          whole.run { mailbox.post(.response(id, .rowsDone($0))) }
        }
      }
    case .compare(let stores): compare(stores, id)
    case .countValues, .complete, .countRows, .emptyReason, .locate, .search:
      run(id) { await manager.respond(to: request, id, mailbox: mailbox) }
    case .edit(let text, let ending):
      let edited = surroundings.programs?.edit(text, ending: ending, on: terminal)
      mailbox.post(.response(id, .edited(edited ?? .failed(RuntimeWords.noEditor))))
    case .export(let order): write(order, id)
    case .runCommand(let command, let input):
      run(id) { [programs = surroundings.programs] in
        guard let programs else { return .failed(nil) }
        return .commandEnded(await programs.capture(command, reading: input))
      }
    case .entityID: mailbox.post(.response(id, .entityID(EntityID.random())))
    case .themes: run(id) { [all = themes.all] in .themes(all(), kept: keptTheme) }
    case .knownStores: run(id) { [surroundings] in .stores(await surroundings.knownStores()) }
    case .findStore(let listing):
      run(id) { [surroundings] in
        switch await surroundings.findStore(listing) {
        case .success(let found): .store(found)
        case .failure(let failure): .failed(.storeNotOpened(listing.name, failure.reason))
        }
      }
    case .paths(let text): run(id) { [surroundings] in .paths(await surroundings.paths(text)) }
    case .freePath(let path):
      run(id) { [surroundings] in .freePath(await surroundings.freePath(path)) }
    }
  }

  mutating func cancelRequests() {
    for task in requests.values { task.cancel() }
    requests = [:]
  }

  /// Posts the result of `work`, unless the request was canceled.
  private mutating func run(
    _ id: RequestID, _ work: @escaping @Sendable () async -> Response?
  ) {
    requests[id] = Task { [mailbox] in
      let response = await work()
      if let response, !Task.isCancelled { mailbox.post(.response(id, response)) }
    }
  }

  private mutating func compare(_ stores: StoreDiff, _ id: RequestID) {
    let before = comparison
    comparison = Task { @concurrent [mailbox] in
      await before?.value
      mailbox.post(.response(id, .difference(stores.difference())))
    }
  }

  /// Writes a file. The response is posted even if the request was canceled.
  private mutating func write(_ order: ExportOrder, _ id: RequestID) {
    requests[id] = Task { [manager, mailbox, surroundings] in
      let whole: ExportOrder
      do throws(LiveFailure) {
        whole = try await manager.completed(order)
      } catch {
        let outcome: ExportOutcome = Task.isCancelled ? .cancelled : .failed(error.message)
        mailbox.post(.response(id, .exported(outcome)))
        return
      }
      let outcome = await surroundings.export(
        whole, ProgressReport { mailbox.post(.response(id, .progress($0))) })
      mailbox.post(.response(id, .exported(outcome)))
    }
  }
}

extension Preparation {
  /// Runs the work.
  ///
  /// - Parameter tell: Called with the number of rows done so far.
  /// - Returns: The response; nil if the task was canceled.
  package func run(tell: (Int) -> Void = { _ in }) -> Response? {
    switch self {
    case .text(let rendering, let sink):
      do throws(QueryError) {
        return .text(try sink.text(of: rendering, tell: tell), sink)
      } catch .cancelled {
        return nil
      } catch {
        return .failed(sink.notice(of: error, rendering))
      }
    case .deletion(let order):
      if let refusal = order.refusal { return .failed(refusal) }
      do throws(TransactionError) {
        return .deletion(try order.foreseen())
      } catch {
        return .failed(.error(error.message))
      }
    }
  }
}

extension QueryManager {
  /// Returns the response to a request that queries the store.
  fileprivate nonisolated func respond(
    to request: Request, _ id: RequestID, mailbox: Mailbox
  ) async -> Response? {
    do throws(LiveFailure) {
      switch request {
      case .countValues(let attribute, let answer, let dates):
        return .values(try await facets(attribute, of: answer, along: dates))
      case .complete(let answer):
        let (all, snapshot) = try await completion(of: answer.plan)
        return .rows(all, snapshot)
      case .countRows(let plan):
        return .rowCount(try? await completion(of: plan.count()).answer.count)
      case .emptyReason(let answer):
        return .emptyReason(
          try await answer.plan.reasonForEmptyAnswer(in: answer.store.schema) {
            plan async throws(LiveFailure) in try await completion(of: plan).answer
          })
      case .locate(let entity, let plan): return .row(try await row(of: entity, in: plan))
      case .search(let search):
        guard search.table.answer.window != nil else {
          return .found(await Self.concurrently { search.rest() })
        }
        return .found(try await hit(of: search) { mailbox.post(.response(id, .rowsDone($0))) })
      default: return nil
      }
    } catch {
      switch request {
      // The explanation of an empty answer is optional, and the cursor can stay where it is.
      case .emptyReason, .locate: return .failed(nil)
      default: return .failed(Notice(error.message))
      }
    }
  }

  /// Performs work that may take long, outside of all actors.
  @concurrent
  static func concurrently<Result: Sendable>(_ work: @Sendable () -> Result) async -> Result {
    work()
  }
}
