import Dispatch
import Synchronization

/// One session on a PostgreSQL server. It is made when it is first needed, and made again when it broke.
///
/// Statements run on a thread of their own, which waits for the socket: no thread that others need is
/// held up. A task that is cancelled cancels its statement at the server.
actor PostgresConnection {
  private let library: LibPQ
  private let parameters: PostgresParameters
  private let isWritable: Bool
  private var link: PostgresLink?
  private nonisolated let thread = StatementThread()
  private nonisolated let canceling = Mutex(Canceling())
  /// How often a session was made.
  private(set) var sessions = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// What cancels the statement that runs, and whose statement that is.
  private struct Canceling {
    /// The address of a handle of libpq, which any thread may use.
    var handle = 0
    var running = 0
    var last = 0
  }

  init(_ parameters: PostgresParameters, isWritable: Bool = false) throws(PostgresError) {
    guard let library = LibPQ.loaded else {
      throw PostgresError(state: "", message: LibPQ.advice)
    }
    self.library = library
    self.parameters = parameters
    self.isWritable = isWritable
  }

  /// Puts statements to the server.
  ///
  /// - Parameters:
  ///   - isSnapshot: Whether all of them see the database as of one moment, in a transaction that ends
  ///     with the body.
  ///   - body: May run again where the connection broke: it must not have changed anything by then.
  func read<Result: Sendable>(
    isSnapshot: Bool = false, _ body: @Sendable (PostgresSession) throws -> Result
  ) async throws -> Result {
    let number = canceling.withLock { state in
      state.last += 1
      return state.last
    }
    return try await withTaskCancellationHandler {
      try run(number, isSnapshot, body)
    } onCancel: {
      cancel(number)
    }
  }

  private func run<Result>(
    _ number: Int, _ isSnapshot: Bool, _ body: (PostgresSession) throws -> Result
  ) throws -> Result {
    for attempt in 1... {
      try Task.checkCancellation()
      let isKnown = link != nil
      do {
        let session = PostgresSession(try connected())
        canceling.withLock { $0.running = number }
        defer { canceling.withLock { $0.running = 0 } }
        guard isSnapshot else { return try body(session) }
        try session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let result = try body(session)
        try session.run("COMMIT")
        return result
      } catch let error as PostgresError {
        if error.isConnectionLost {
          close()
          // A session that stood idle may have been ended; one that was just made was not.
          if isKnown, attempt == 1 { continue }
        } else {
          endTransaction()
        }
        if error.isCancelled {
          try Task.checkCancellation()
          // Meant for the statement before.
          if attempt == 1 { continue }
        }
        throw error
      } catch {
        endTransaction()
        throw error
      }
    }
    throw CancellationError()
  }

  /// The statement of a call is given up at the server.
  private nonisolated func cancel(_ number: Int) {
    let library = library
    DispatchQueue.global().async { [self] in
      canceling.withLock { state in
        guard state.running == number, let handle = OpaquePointer(bitPattern: state.handle) else {
          return
        }
        var words = [CChar](repeating: 0, count: 256)
        _ = library.cancel(handle, &words, CInt(words.count))
      }
    }
  }

  /// Leaves no transaction open behind a body that failed.
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
    let link = try PostgresLink(library, parameters, isWritable: isWritable)
    let handle = Int(bitPattern: link.cancelHandle())
    canceling.withLock { $0.handle = handle }
    self.link = link
    sessions += 1
    return link
  }

  /// Ends the session; the next statement makes another.
  func close() {
    let library = library
    canceling.withLock { state in
      if let handle = OpaquePointer(bitPattern: state.handle) { library.freeCancel(handle) }
      state.handle = 0
    }
    link = nil
  }

  /// The channels of notices that came; waits for the first no longer than given.
  ///
  /// - Throws: ``PostgresError`` when the connection broke.
  func notices(within timeout: Duration) async throws -> [PostgresNotice] {
    try connected().notices(within: timeout)
  }

  isolated deinit { close() }
}

/// A notice that a session listened for.
struct PostgresNotice: Sendable, Hashable {
  let channel: String
  let payload: String
}

/// Runs an actor's jobs on a thread that may wait for sockets.
private final class StatementThread: SerialExecutor {
  private let queue = DispatchQueue(label: "sonde.postgres")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
