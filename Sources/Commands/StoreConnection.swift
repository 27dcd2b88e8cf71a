import DataSources
import Dispatch
import Explorer
import LiveQueries
import Notebooks
import Stores
import Sync
import Synchronization
import TerminalUI
import Triples

/// Connects a store with its screen. It passes changes, live queries and reports between them, and
/// closes the store at the end.
struct StoreConnection {
  let store: ConfiguredStore
  let mailbox: Mailbox
  let notebook: Task<Notebook, Never>
  let options: ScreenChoices
  let followers: Followers

  /// How long the program waits at exit for pending changes to complete.
  ///
  /// This time exceeds the time that a store waits for a file lock, so that the result is known at
  /// exit.
  static let changesTimeout = DispatchTimeInterval.seconds(12)
  /// How long changes may take to reach the server at exit. Changes still unsent are sent in a
  /// later session.
  static let serverTimeout = DispatchTimeInterval.seconds(2)
  /// How long loading must take before its progress is shown.
  private static let progressDelay = Duration.milliseconds(200)

  /// Starts the tasks that connect the store with its screen, and returns the open store.
  ///
  /// - Parameters:
  ///   - theme: The store's own theme; nil if it has none.
  ///   - themes: The source of other themes.
  func start(theme: Theme?, themes: ThemeChoice) -> OpenStore {
    let (store, archive) = (self.store.store, archive)
    let source = store.source
    let changes = StagedStore(
      source, archive: archive, isReadOnly: store.readOnlyReason != nil)
    let manager = QueryManager(store: changes)
    let own = follow(manager)
    followers.add(own)
    let timeout: Duration = store.isOfServer ? .seconds(2) : .seconds(12)
    let notebook = notebook
    let exporter = FileExporter(storePath: store.path)
    return OpenStore(
      runner: EffectRunner(
        manager: manager, changes: changes, mailbox: mailbox,
        session: SessionWriter(
          { await notebook.value }, address: StoreLocation.withoutPassword(store.listing.address)),
        surroundings: Surroundings(
          export: { await exporter.write($0, progress: $1) }, programs: PagerAndEditor(),
          paths: { await TypedPaths.completions(of: $0) },
          freePath: { await TypedPaths.free($0) },
          callServer: { await source.reconnect() },
          knownStores: { await Self.knownStores(in: notebook.value) },
          findStore: { await ExploredStore.find($0) }),
        themes: themes),
      theme: theme, changesTimeout: store.isOfServer ? Self.serverTimeout : nil,
      closing: {
        for task in own { task.cancel() }
        (source as? DeferredStore)?.cancel()
        await Self.wait(for: changes, atMost: timeout)
        await archive?.release()
        await source.disconnect()
      })
  }

  /// The archive of staged changes; nil for a store whose changes are lost when the program ends.
  private var archive: StagedArchive? {
    guard let identity = store.store.identity, let folders = Folders() else { return nil }
    return StagedArchive(folder: folders.state, store: identity)
  }

  /// Starts the tasks that report to the screen.
  private func follow(_ manager: QueryManager) -> [Task<Void, Never>] {
    let (configured, mailbox, notebook) = (self.store, mailbox, notebook)
    let store = configured.store
    let snapshots = Task {
      await Self.report(manager, to: mailbox) {
        guard store.isRemembered else { return }
        let listing = store.listing
        // If the record cannot be written, only the list of recent stores lacks this store.
        try? await notebook.value.record(
          RecentStore(
            store: listing.address, place: listing.place, name: listing.name,
            when: WallClock().now))
      }
    }
    let telling = Task {
      // A store that loads quickly needs no progress.
      guard (try? await TimerClock().sleep(for: Self.progressDelay)) != nil else { return }
      mailbox.post(.loading(nil))
      guard let progress = store.progress else { return }
      for await progress in progress { mailbox.post(.loading(progress)) }
    }
    let saying = Task {
      guard let remarks = store.remarks else { return }
      for await remark in remarks { mailbox.post(.notice(Notice(remark).aboveHints)) }
    }
    let following = Task { [options] in
      var following = SettingsWatcher(configured, options: options, telling: mailbox)
      await following.run()
    }
    return [snapshots, telling, saying, following]
  }

  /// Sends the store's snapshots to the screen.
  ///
  /// - Parameter isOpen: Called after the first snapshot of the loaded store was sent.
  private static func report(
    _ manager: QueryManager, to mailbox: Mailbox, isOpen: () async -> Void
  ) async {
    var isFirst = true
    do throws(DataSourceError) {
      for try await snapshot in manager.snapshots() {
        mailbox.post(.serverAway(ReconnectStatus(snapshot.freshness)))
        mailbox.post(.snapshot(snapshot))
        if snapshot.freshness == .loading { continue }
        if isFirst {
          await isOpen()
          FreedMemory.giveBack()
        }
        isFirst = false
      }
    } catch {
      if !Task.isCancelled { mailbox.post(.storeFailed(error.description)) }
    }
  }

  /// Returns the recent stores, then the files in the current folder and the demos.
  private static func knownStores(in notebook: Notebook) async -> [StoreListing] {
    // Errors of the notebook were reported when it was opened.
    let recent = ((try? await notebook.recentStores()) ?? [])
      .map { StoreListing(address: $0.store, place: $0.place, name: $0.name) }
    let places = Set(recent.map(\.place))
    return recent
      + (StoreLocation.filesHere() + StoreLocation.demos()).filter { !places.contains($0.place) }
  }

  /// Waits until the store has answered all changes, or until a timeout.
  private static func wait(for changes: StagedStore, atMost timeout: Duration) async {
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let settling = Task {
      await changes.waitUntilSettled()
      end.finish()
    }
    let alarm = Task {
      try? await TimerClock().sleep(for: timeout)
      end.finish()
    }
    for await _ in ended {}
    alarm.cancel()
    settling.cancel()
  }
}

/// The tasks that report to screens. They are canceled when the explorer releases the terminal.
final class Followers: Sendable {
  private let tasks = Mutex<[Task<Void, Never>]>([])

  func add(_ more: [Task<Void, Never>]) { tasks.withLock { $0 += more } }

  func cancelAll() {
    for task in tasks.withLock(\.self) { task.cancel() }
  }
}
