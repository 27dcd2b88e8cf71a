import DataSources
import InstaQL
package import LiveQueries
package import Notebooks
package import TerminalUI
import Triples

/// Performs effects and turns what comes of them into events.
package struct EffectRunner {
  private let manager: QueryManager
  private var remembrance: Remembrance
  private let themes: ThemeChoice
  private var look: Look
  private let callServer: @Sendable () async -> Void
  private let exporter: (any Exporter)?
  private let programs: (any OutsidePrograms)?
  private(set) var changes: ChangeQueue
  private var watches: [WatchToken: Task<Void, Never>] = [:]
  private var export: Task<Void, Never>?
  private var search: Task<Void, Never>?
  private var location: Task<Void, Never>?
  private var comparison: Task<Void, Never>?
  private var counting: Task<Void, Never>?
  private var preparation: Task<Void, Never>?
  /// Tells which queries are watched, while the screen wishes to know.
  private var listing: Task<Void, Never>?

  /// - Parameters:
  ///   - notebook: What is remembered from one run to the next, when it is open.
  ///   - address: The store's, as the notebook knows it.
  ///   - identity: What tells the store from all others; nil of one that ends with the program.
  ///   - exporter: What writes files; nil writes none.
  ///   - programs: The pager and the editor; nil when there are none.
  ///   - callServer: Calls the server behind the store at once, if there is one.
  ///   - theme: The one to begin with.
  ///   - themes: Where others come from.
  package init(
    manager: QueryManager, notebook: @escaping @Sendable () async -> Notebook = { .inMemory() },
    address: String = "", identity: String? = nil, exporter: (any Exporter)? = nil,
    programs: (any OutsidePrograms)? = nil, callServer: @escaping @Sendable () async -> Void = {},
    theme: Theme, themes: ThemeChoice = ThemeChoice()
  ) {
    self.manager = manager
    changes = ChangeQueue(manager)
    remembrance = Remembrance(notebook, address: address, identity: identity)
    self.exporter = exporter
    self.programs = programs
    self.callServer = callServer
    look = Look(theme)
    self.themes = themes
  }

  /// The last write into the notebook, which waits for those before it.
  var writing: Task<Void, Never>? { remembrance.writing }

  /// The theme that is shown.
  var theme: Theme { look.theme }

  mutating func perform(_ effect: Effect, terminal: any Terminal, mailbox: Mailbox) {
    switch effect {
    case .watch(let document, let token, let stretch):
      watch(document, token, stretch, mailbox: mailbox)
    case .stopWatching(let token): watches.removeValue(forKey: token)?.cancel()
    case .copy(let text): copy(text, terminal: terminal, mailbox: mailbox)
    case .saveQuery(let name, let text):
      remembrance.saveQuery(text, named: name, mailbox: mailbox)
    case .forgetQuery(let query): remembrance.forget(query, mailbox: mailbox)
    case .recordQuery(let text): remembrance.recordQuery(text, mailbox: mailbox)
    case .keepView(let view): remembrance.keep(view, mailbox: mailbox)
    case .keepSplits(let splits): remembrance.keep(splits: splits, mailbox: mailbox)
    case .keepUnsent(let changes): remembrance.keep(changes, mailbox: mailbox)
    case .recallQueries: remembrance.recallQueries(mailbox: mailbox)
    case .explain(let order):
      Task { mailbox.post(.explained(await Self.lines(of: order), of: order)) }
    case .prepare(let what, let number): prepare(what, number, mailbox: mailbox)
    case .stopPreparing: preparation?.cancel()
    case .countValues(let attribute, let answer, let dates):
      count(attribute, of: answer, along: dates, mailbox: mailbox)
    case .stopCounting:
      counting?.cancel()
      counting = nil
    case .complete(let answer, let purpose): complete(answer, for: purpose, mailbox: mailbox)
    case .compare(let stores): compare(stores, mailbox: mailbox)
    case .locate(let entity, let plan): locate(entity, in: plan, mailbox: mailbox)
    case .search(let search): begin(search, mailbox: mailbox)
    case .stopSearching: search?.cancel()
    case .page(let text):
      if let trouble = programs?.page(text, on: terminal) {
        mailbox.post(.notice(.pagerFailed(trouble)))
      }
    case .editText(let text, let ending):
      let edited = programs?.edit(text, ending: ending, on: terminal)
      mailbox.post(.edited(edited ?? .failed("There is no editor here")))
    case .export(let order): write(order, mailbox: mailbox)
    case .stopExport: export?.cancel()
    case .giveUpChanges: changes.giveUp()
    case .listWatched: listWatched(mailbox: mailbox)
    case .stopListingWatched:
      listing?.cancel()
      listing = nil
    case .drawID: mailbox.post(.drawn(EntityID.random()))
    case .toggleMouse: toggleMouse(of: terminal, mailbox: mailbox)
    case .transact(let transaction, let deed):
      changes.add(transaction, deed, mailbox: mailbox)
    case .recallColumns(let namespace):
      remembrance.recallColumns(of: namespace, mailbox: mailbox)
    case .keepColumns(let settings, let namespace):
      remembrance.keep(settings, of: namespace, mailbox: mailbox)
    case .nextTheme:
      if let next = themes.after(theme) { keep(next, mailbox: mailbox) }
    case .listThemes: listThemes(mailbox: mailbox)
    case .previewTheme(let theme): look.preview(theme)
    case .keepTheme(let theme): keep(theme, mailbox: mailbox)
    case .theme(let name):
      if let trouble = look.choose(name, from: themes) {
        mailbox.post(.notice(.themeUnavailable(trouble)))
      }
    case .rereadTheme:
      if let said = look.reread(themes) { mailbox.post(.notice(said)) }
    case .mouse(let isOn): terminal.isMouseOn = isOn
    case .callServer:
      let callServer = callServer
      Task { await callServer() }
    case .suspend: terminal.suspend()
    case .redraw: terminal.redraw()
    case .quit, .fail: break
    }
  }

  private mutating func keep(_ theme: Theme, mailbox: Mailbox) {
    look.show(theme)
    mailbox.post(.notice(.themeShown(theme.name, lasting: themes.lasting)))
    remembrance.keep(theme: theme.name, mailbox: mailbox)
  }

  private func listThemes(mailbox: Mailbox) {
    let (all, kept) = (themes.all, look.kept.name)
    Task { mailbox.post(.themes(all(), kept: kept)) }
  }

  private func complete(_ answer: Answer, for purpose: CompletionPurpose, mailbox: Mailbox) {
    let manager = manager
    Task {
      do throws(LiveFailure) {
        let (all, snapshot) = try await manager.completion(of: answer.plan)
        mailbox.post(.completed(all, snapshot, for: purpose))
      } catch {
        mailbox.post(.notice(Notice(error.message)))
      }
    }
  }

  private mutating func begin(_ search: RowSearch, mailbox: Mailbox) {
    self.search?.cancel()
    self.search = Task { [manager] in
      do throws(LiveFailure) {
        let hit =
          search.table.answer.stretch == nil
          ? await Self.hit(of: search)
          : try await manager.hit(of: search) {
            mailbox.post(.searched(search.number, count: $0))
          }
        if !Task.isCancelled { mailbox.post(.found(search.number, hit)) }
      } catch {
        if Task.isCancelled { return }
        mailbox.post(.found(search.number, nil))
        mailbox.post(.notice(Notice(error.message)))
      }
    }
  }

  private mutating func compare(_ stores: StoreComparison, mailbox: Mailbox) {
    let before = comparison
    comparison = Task { @concurrent in
      await before?.value
      mailbox.post(.compared(stores.difference()))
    }
  }

  /// Only the newest is still wanted.
  private mutating func locate(_ entity: EntityID, in plan: QueryPlan, mailbox: Mailbox) {
    location?.cancel()
    location = Task { [manager] in
      do throws(LiveFailure) {
        let row = try await manager.row(of: entity, in: plan)
        if !Task.isCancelled { mailbox.post(.located(entity, row: row, in: plan)) }
      } catch {
        // Where it cannot be asked the cursor stays where it is.
      }
    }
  }

  @concurrent
  private static func hit(of search: RowSearch) async -> RowHit? { search.rest() }

  /// One file at a time: the model orders no second one before the first is done.
  private mutating func write(_ order: ExportOrder, mailbox: Mailbox) {
    guard let exporter else {
      mailbox.post(.exported(.failed("Nothing can be written from here")))
      return
    }
    export = Task { [manager] in
      let whole: ExportOrder
      do throws(LiveFailure) {
        whole = try await manager.completed(order)
      } catch {
        mailbox.post(.exported(Task.isCancelled ? .cancelled : .failed(error.message)))
        return
      }
      let outcome = await exporter.write(
        whole, progress: ProgressReport { mailbox.post(.exporting($0)) })
      mailbox.post(.exported(outcome))
    }
  }

  private func toggleMouse(of terminal: any Terminal, mailbox: Mailbox) {
    terminal.isMouseOn.toggle()
    mailbox.post(.notice(terminal.isMouseOn ? .mouseCaptured : .mouseReleased))
  }

  @concurrent
  private static func lines(of order: ExplainOrder) async -> [TextLine] { order.lines }

  /// One thing at a time: what was being made before is not waited for any more.
  private mutating func prepare(_ what: Preparation, _ number: Int, mailbox: Mailbox) {
    preparation?.cancel()
    preparation = Task { [manager] in
      let whole = await manager.spelled(what)
      guard let prepared = await Self.made(whole, number, mailbox: mailbox) else { return }
      if !Task.isCancelled { mailbox.post(.prepared(number, prepared)) }
    }
  }

  @concurrent
  private static func made(
    _ what: Preparation, _ number: Int, mailbox: Mailbox
  ) async -> Prepared? {
    what.made { mailbox.post(.preparing(number, rows: $0)) }
  }

  /// One column at a time: what was counted before is not waited for any more.
  private mutating func count(
    _ attribute: Attribute, of answer: Answer, along dates: Attribute?, mailbox: Mailbox
  ) {
    counting?.cancel()
    counting = Task { [manager] in
      do throws(LiveFailure) {
        let facets = try await manager.facets(attribute, of: answer, along: dates)
        if !Task.isCancelled { mailbox.post(.counted(facets, of: answer.plan)) }
      } catch {
        if !Task.isCancelled { mailbox.post(.notice(Notice(error.message))) }
      }
    }
  }

  private mutating func listWatched(mailbox: Mailbox) {
    listing?.cancel()
    listing = Task { [manager] in
      var times = WatchedTimes()
      for await queries in await manager.watchedQueryLists() {
        guard !Task.isCancelled else { return }
        let now = LocalTime.text(of: WallClock().now)
        mailbox.post(.watched(times.lines(of: queries, at: now)))
      }
    }
  }

  private func copy(_ text: String, terminal: any Terminal, mailbox: Mailbox) {
    mailbox.post(
      .notice(
        terminal.copy(text)
          ? .copied(bytes: text.utf8.count)
          : .tooLongToCopy(limit: TerminalLimits.clipboardBytes)))
  }

  private mutating func watch(
    _ document: QueryDocument, _ token: WatchToken, _ stretch: AnswerView.Stretch,
    mailbox: Mailbox
  ) {
    let manager = manager
    watches[token] = Task {
      let subscription = await manager.subscribe(
        to: document, reach: .neighbours, stretch: stretch)
      for await result in subscription.results {
        guard !Task.isCancelled else { break }
        mailbox.post(.live(token, result))
      }
      await manager.unsubscribe(subscription.id)
    }
  }
}
