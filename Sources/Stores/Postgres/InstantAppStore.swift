public import DataSources
import LiveQueries
public import Triples

/// One app of a self-hosted Instant server, read from the server's database: as the database has it, without
/// the app's permission rules. It cannot be written there; that goes through the server.
public actor InstantAppStore: SnapshotStore, ReadOnlyStore {
  private let connection: PostgresConnection
  private let app: InstantApps.App
  private let parameters: PostgresParameters
  private var contents: StoreContents
  private var sign: String
  private var staleness: String?
  private var following: Task<Void, Never>?
  /// Measures when a server that is away is tried again.
  private let clock: any Clock<Duration> = ContinuousClock()
  public nonisolated let changed = ChangeSignal()
  /// What a person must know of the app.
  public nonisolated let remark: String

  nonisolated var refusal: String {
    "The database of an Instant server is read-only: its rules and caches are the server's. Open the app at "
      + "the server to change it: sonde wss://HOST/\(app.id)"
  }

  /// - Throws: ``StoreError`` when no app is meant for certain, or its data is elsewhere.
  static func open(
    _ apps: InstantApps, _ parameters: PostgresParameters
  ) async throws -> InstantAppStore {
    let app = try apps.app(named: parameters.app, in: parameters.shown)
    if app.isElsewhere {
      throw StoreError.broken(
        path:
          "The data of the app '\(app.title)' is in another database, whose address only the server knows."
      )
    }
    let connection = try PostgresConnection(parameters)
    let (sign, store) = try await connection.read(isSnapshot: true) { session in
      (try InstantApps.sign(of: app, session), try InstantApps.load(app, session))
    }
    let opened = InstantAppStore(connection, app, parameters, store, sign)
    await opened.follow()
    return opened
  }

  private init(
    _ connection: PostgresConnection, _ app: InstantApps.App, _ parameters: PostgresParameters,
    _ store: TripleStore, _ sign: String
  ) {
    (self.connection, self.app, self.parameters, self.sign) = (connection, app, parameters, sign)
    contents = StoreContents(TripleStore())
    contents.replace(with: store)
    remark = "The app '\(app.title)'\(app.note) is shown as the database has it, without its rules."
  }

  deinit { following?.cancel() }

  public func snapshot() -> StoreSnapshot {
    StoreSnapshot(
      contents.store, history: contents.history,
      freshness: staleness.map { .stale(reason: $0) } ?? .live)
  }

  private func follow() {
    following = Task { [weak self, connection, clock] in
      while !Task.isCancelled {
        do {
          // The connection is the alarm clock: it is readable when the server goes.
          _ = try await connection.notices(within: PostgresWatching.interval)
        } catch {
          // Looking says what is wrong; a server that is away is left alone for a while.
          guard (try? await clock.sleep(for: PostgresWatching.interval)) != nil else { return }
        }
        guard await self?.look() != nil else { return }
      }
    }
  }

  /// Reads the app again when a transaction was committed.
  private func look() async {
    do {
      let app = app
      let now = try await connection.read { try InstantApps.sign(of: app, $0) }
      if now == sign, staleness == nil { return }
      if now != sign {
        let (sign, store) = try await connection.read(isSnapshot: true) { session in
          (try InstantApps.sign(of: app, session), try InstantApps.load(app, session))
        }
        contents.replace(with: store)
        self.sign = sign
      }
      staleness = nil
    } catch {
      let reason = StoreError(postgres: error, of: parameters).reason
      if staleness == reason { return }
      staleness = reason
    }
    changed.ring()
  }
}
