import Dispatch
import Synchronization

/// A session on a PostgreSQL server, which is opened on demand and reopened after a lost
/// connection.
///
/// Statements run on a separate thread, which blocks on the socket. Canceling a task cancels its
/// statement on the server.
actor PostgresConnection {
  private let library: LibPQ
  private let parameters: PostgresParameters
  private let isWritable: Bool
  private var link: PostgresLink?
  private nonisolated let thread = StatementThread()
  private nonisolated let canceling = Mutex(Canceling())
  /// The number of sessions opened so far.
  private(set) var sessions = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// The running statement: libpq's handle for canceling it, and the number of the call.
  private struct Canceling {
    var handle: CancelHandle?
    var sent = SentCancellations()
    var running = 0
    var last = 0
  }

  init(_ parameters: PostgresParameters, isWritable: Bool = false) throws(PostgresError) {
    guard let library = LibPQ.loaded else {
      throw PostgresError(state: "", message: LibPQ.advice)
    }
    if let fault = parameters.fault { throw PostgresError(state: "", message: fault) }
    self.library = library
    self.parameters = parameters
    self.isWritable = isWritable
  }

  /// Runs statements on the server.
  ///
  /// - Parameters:
  ///   - isSnapshot: Whether all statements run in one read transaction, which ends when `body`
  ///     returns.
  ///   - body: Reads data. It may run again after a lost connection, so it must not change any
  ///     state before it succeeds.
  func read<Result: Sendable>(
    isSnapshot: Bool = false, _ body: @Sendable (PostgresSession) throws -> Result
  ) async throws -> Result {
    try await perform(isSnapshot ? .snapshot : .statements, body)
  }

  /// Runs statements in one write transaction, which is committed unless `body` throws.
  ///
  /// - Parameter body: Executes statements. It may run again in a new transaction, after a lost
  ///   connection or a conflict with another transaction.
  /// - Throws: ``DatabaseWriteError`` if every attempt conflicted with another transaction, or the
  ///   connection was lost during the commit.
  func write<Result: Sendable>(
    _ body: @Sendable (PostgresSession) throws -> Result
  ) async throws -> Result {
    try await perform(.transaction, body)
  }

  /// The transaction in which statements run. The raw value is the statement that begins it.
  private enum Mode: String {
    case statements = ""
    case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    case transaction = "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE"
  }

  private func perform<Result: Sendable>(
    _ mode: Mode, _ body: @Sendable (PostgresSession) throws -> Result
  ) async throws -> Result {
    let number = canceling.withLock { state in
      state.last += 1
      return state.last
    }
    return try await withTaskCancellationHandler {
      try run(number, mode, body)
    } onCancel: {
      cancel(number)
    }
  }

  private func run<Result>(
    _ number: Int, _ mode: Mode, _ body: (PostgresSession) throws -> Result
  ) throws -> Result {
    var retries = PostgresRetries()
    while true {
      try Task.checkCancellation()
      let isKnown = link != nil
      do {
        let session = PostgresSession(try connected())
        canceling.withLock { $0.running = number }
        defer { canceling.withLock { $0.running = 0 } }
        if mode != .statements { try session.run(mode.rawValue) }
        let result = try body(session)
        if mode != .statements { try commit(session, mode) }
        canceling.withLock { $0.sent.succeed() }
        return result
      } catch let error as PostgresError {
        if error.isConnectionLost { close() } else { endTransaction() }
        let isLate =
          error.isCancelled && error != .canceled && canceling.withLock { $0.sent.report() }
        if error.isCancelled { try Task.checkCancellation() }
        let isTransaction = mode == .transaction
        if retries.runsAgain(
          after: error, isKnown: isKnown, isTransaction: isTransaction, isLate: isLate)
        {
          continue
        }
        throw error.isConflict && isTransaction ? DatabaseWriteError.atTheSameTime : error
      } catch {
        endTransaction()
        throw error
      }
    }
  }

  private func commit(_ session: PostgresSession, _ mode: Mode) throws {
    do throws(PostgresError) {
      try session.run("COMMIT")
    } catch {
      guard error.isConnectionLost, mode == .transaction else { throw error }
      close()
      throw DatabaseWriteError.unknownOutcome
    }
  }

  /// Cancels the running statement on the server, if it belongs to this call.
  private nonisolated func cancel(_ number: Int) {
    DispatchQueue.global().async { [self] in
      // The lock is not held during the call, which takes minutes if the server is unreachable. By
      // the time the server cancels, the next call may be running; `run` then repeats that call.
      let handle = canceling.withLock { state -> CancelHandle? in
        guard state.running == number, let handle = state.handle else { return nil }
        state.sent.send()
        return handle
      }
      guard let handle else { return }
      handle.cancel()
      canceling.withLock { $0.sent.acknowledge() }
    }
  }

  /// Rolls back a transaction that a failed body left open.
  private func endTransaction() {
    guard let link, link.isInTransaction else { return }
    do {
      try PostgresSession(link).run("ROLLBACK")
    } catch {
      close()
    }
  }

  private func connected() throws -> PostgresLink {
    if let link, link.isAlive { return link }
    close()
    let link = try PostgresLink.open(library, parameters, isWritable: isWritable)
    let handle = CancelHandle(library, link.cancelHandle())
    canceling.withLock { state in
      state.handle = handle
      state.sent.startSession()
    }
    self.link = link
    sessions += 1
    return link
  }

  /// Closes the session; the next statement opens another.
  func close() {
    canceling.withLock { $0.handle = nil }
    link = nil
  }

  /// Waits for notifications until the timeout, and returns the received notifications.
  ///
  /// - Throws: ``PostgresError`` if the connection is lost.
  func notices(within timeout: Duration) async throws -> [PostgresNotice] {
    try connected().notices(within: timeout)
  }

  isolated deinit { close() }
}

/// libpq's handle for canceling the statement of a session, which any thread may use.
private final class CancelHandle: Sendable {
  private let library: LibPQ
  /// The address of the handle.
  private let address: Int

  init(_ library: LibPQ, _ handle: OpaquePointer?) {
    self.library = library
    address = Int(bitPattern: handle)
  }

  func cancel() {
    guard let handle = OpaquePointer(bitPattern: address) else { return }
    var message = [CChar](repeating: 0, count: 256)
    _ = library.cancel(handle, &message, CInt(message.count))
  }

  deinit {
    if let handle = OpaquePointer(bitPattern: address) { library.freeCancel(handle) }
  }
}

/// A notification that a client sent with NOTIFY.
struct PostgresNotice: Sendable, Hashable {
  let channel: String
  let payload: String
}

/// Runs an actor's jobs on one thread, which may block on sockets.
private final class StatementThread: SerialExecutor {
  private let queue = DispatchQueue(label: "sonde.postgres")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
