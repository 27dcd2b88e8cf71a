public import DataSources
public import LiveQueries
public import Triples

/// A small app of a self-hosted Instant server, loaded from the server's database. The store is
/// read-only, and permission rules do not apply.
public actor InstantAppStore: SnapshotStore, ReadOnlyStore {
  private let connection: PostgresConnection
  private let app: InstantApps.App
  private let parameters: PostgresParameters
  private var contents: StoreContents
  private var sign: String
  private var staleness: String?
  private var following: Task<Void, Never>?
  /// Measures the delay before the store tries to reconnect.
  private let clock: any Clock<Duration> = ContinuousClock()
  public nonisolated let changed = ChangeSignal()
  /// Sentences for the user: that permission rules do not apply, and what is not shown.
  public nonisolated let remark: String

  nonisolated var refusal: String {
    ReadOnlyReason.instantApp(app.id)
  }

  /// Opens an app, and loads it.
  static func open(
    _ app: InstantApps.App, _ parameters: PostgresParameters
  ) async throws -> InstantAppStore {
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
    remark =
      ExportRemark.withoutRules(app.title, app.note)
      + (app.hiddenRows.map { " Not shown: \($0)." } ?? "")
  }

  deinit { following?.cancel() }

  public func snapshot() -> StoreSnapshot {
    StoreSnapshot(
      contents.store, history: contents.history,
      freshness: staleness.map { .stale(reason: $0) } ?? .live
    ).readOnly(because: refusal).detecting(InstantWords.detection)
  }

  public func wholeStore(bytes: AnswerView.Bytes) -> WholeStore {
    WholeStore(snapshot(), hiding: app.hiddenRows)
  }

  private func follow() {
    following = Task { [weak self, connection, clock] in
      while !Task.isCancelled {
        do {
          // The socket also becomes readable when the server closes the connection.
          _ = try await connection.notices(within: PostgresWatching.interval)
        } catch {
          // If the server is unreachable, the store reconnects after a pause.
          guard (try? await clock.sleep(for: PostgresWatching.interval)) != nil else { return }
        }
        guard await self?.look() != nil else { return }
      }
    }
  }

  /// Reads the app again if a transaction changed it.
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

extension WholeStore {
  /// Creates the content of an app.
  ///
  /// - Parameter hiddenRows: A description of the rows that row security may hide; nil if it hides
  ///   none.
  init(_ app: StoreSnapshot, hiding hiddenRows: String?) {
    self.init(app)
    if let hiddenRows { remarks.append(ExportRemark.notIncluded([hiddenRows])) }
  }
}
