import Dispatch
import InstaQL
import Synchronization
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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

/// What a body of ``PostgresConnection/read(isSnapshot:_:)`` puts its statements to.
struct PostgresSession: DatabaseSession {
  private let link: PostgresLink

  fileprivate init(_ link: PostgresLink) { self.link = link }

  func rows(of statement: SQLStatement, isRepeated: Bool) throws -> PostgresRows {
    do {
      return try link.rows(of: statement.text, statement.values.map(\.postgresText))
    } catch {
      throw error.isAboutSize ? QueryError.notInSQL(path: "", reason: error.message) : error
    }
  }

  /// Carries out a statement of ours without values.
  @discardableResult
  func run(_ text: String) throws(PostgresError) -> PostgresRows { try link.rows(of: text, nil) }

  func estimatedInput(of count: SQLStatement) throws -> Int? {
    let rows = try link.rows(
      of: "EXPLAIN (FORMAT JSON) " + count.text, count.values.map(\.postgresText))
    guard try rows.step(),
      case .array(let list)? = try? JSONReader.value(of: Array(rows.text(0).utf8)),
      case .object(let first)? = list.first, case .object(let top)? = first["Plan"]
    else { return nil }
    return Self.largestInput(of: top)
  }

  /// What the aggregate on top reads: that of workers counts for each of them.
  private static func largestInput(of node: JSONObject) -> Int? {
    guard case .array(let inputs)? = node["Plans"], case .object(let input)? = inputs.first else {
      return nil
    }
    if case .text(let kind)? = input["Node Type"], kind.hasPrefix("Gather") {
      guard let rows = largestInput(of: input).flatMap({ _ in input["Plans"] }),
        case .array(let partial) = rows, case .object(let aggregate)? = partial.first
      else { return nil }
      let workers =
        if case .integer(let count)? = input["Workers Planned"] { Int(count) } else { 0 }
      // The planner divides by its workers and a part of the leader.
      let share = Double(workers) + max(0, 1 - 0.3 * Double(workers))
      return largestInput(of: aggregate).map { Int(Double($0) * share) }
    }
    if case .integer(let rows)? = input["Plan Rows"] { return Int(rows) }
    return nil
  }

  func plan(of statement: SQLStatement) throws -> [String] {
    let rows = try link.rows(
      of: "EXPLAIN (SETTINGS) " + statement.text, statement.values.map(\.postgresText))
    var lines: [String] = []
    while try rows.step() { lines.append(rows.text(0)) }
    return lines
  }

  static func isOverflow(_ error: any Error) -> Bool { false }

  /// All rows of a statement, some at a time: within a transaction.
  func allRows(of text: String) throws -> PostgresRows {
    try run("CLOSE ALL")
    try run("DECLARE sonde_rows NO SCROLL CURSOR FOR \(text)")
    let fetch = "FETCH FORWARD \(Self.rowsAtOnce) FROM sonde_rows"
    return try run(fetch).followed { [link] in
      try link.rows(of: fetch, nil)
    }
  }

  private static let rowsAtOnce = 5_000

  func rows(_ text: String, _ values: [String?] = []) throws(PostgresError) -> PostgresRows {
    try link.rows(of: text, values)
  }

  var serverVersion: Int { link.serverVersion }
  var backendID: Int { link.backendID }
}

extension Value {
  /// As a text that PostgreSQL reads; nil is NULL.
  var postgresText: String? {
    switch self {
    case .null, .array, .object: nil
    case .bool(let flag): flag ? "t" : "f"
    case .integer(let number): String(number)
    case .double(let number):
      number.isNaN
        ? "NaN" : number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
    case .text(let text): text
    }
  }
}

/// The connection itself, which one thread at a time uses.
private final class PostgresLink {
  private let library: LibPQ
  private let connection: LibPQ.Connection
  private let parameters: PostgresParameters

  init(
    _ library: LibPQ, _ parameters: PostgresParameters, isWritable: Bool
  ) throws(PostgresError) {
    self.library = library
    self.parameters = parameters
    let made = parameters.withPointers { library.connectStart($0, $1, 1) }
    guard let made else { throw PostgresError(state: "", message: "there is no memory left") }
    connection = made
    // Notices are for people at psql; the program's screen is no place for them.
    _ = library.setNoticeProcessor(connection, { _, _ in }, nil)
    try connect()
    _ = library.setNonblocking(connection, 1)
    _ = try rows(of: PostgresSettings.statements(isWritable: isWritable), nil)
  }

  deinit { library.finish(connection) }

  private func connect() throws(PostgresError) {
    var wanted = Int16(POLLOUT)
    while true {
      guard library.status(connection) != 1 else { throw failure }
      try wait(for: wanted, seconds: PostgresSettings.silenceTimeoutSeconds)
      switch library.connectPoll(connection) {
      case 1: wanted = Int16(POLLIN)
      case 2: wanted = Int16(POLLOUT)
      case 3: return
      default: throw failure
      }
    }
  }

  /// Waits until the socket is ready.
  private func wait(for events: Int16, seconds: Int) throws(PostgresError) {
    var poller = pollfd(fd: library.socket(connection), events: events, revents: 0)
    guard poller.fd >= 0 else { throw failure }
    while true {
      let ready = poll(&poller, 1, Int32(seconds * 1_000))
      if ready > 0 { return }
      if ready < 0, errno == EINTR { continue }
      throw PostgresError(state: "", message: "the server does not answer")
    }
  }

  private var failure: PostgresError {
    if library.needsPassword(connection) == 1 {
      return PostgresError(
        state: "",
        message: "the server asks for a password: put it into ~/.pgpass, or into PGPASSWORD")
    }
    let words = library.errorMessage(connection).map { String(cString: $0) } ?? ""
    return PostgresError(state: "", message: parameters.withoutPassword(words))
  }

  var isAlive: Bool { library.status(connection) == 0 }

  /// Whether a transaction is open, or failed and not ended.
  var isInTransaction: Bool { library.transactionStatus(connection) != 0 }

  var serverVersion: Int { Int(library.serverVersion(connection)) }
  var backendID: Int { Int(library.backendID(connection)) }

  func cancelHandle() -> OpaquePointer? { library.getCancel(connection) }

  /// - Parameter values: Nil for statements without any, of which there may be several in one text.
  func rows(of text: String, _ values: [String?]?) throws(PostgresError) -> PostgresRows {
    guard !text.utf8.contains(0), values?.contains(where: { $0?.utf8.contains(0) == true }) != true
    else {
      throw PostgresError(state: "22021", message: "a text with a NUL is none for PostgreSQL")
    }
    let isSent: CInt
    if let values {
      isSent = values.withCStrings { pointers in
        library.sendQueryParams(
          connection, text, CInt(values.count), nil, pointers, nil, nil, 0)
      }
    } else {
      isSent = library.sendQuery(connection, text)
    }
    guard isSent == 1 else { throw failure }
    try flush()
    return try results()
  }

  private func flush() throws(PostgresError) {
    while true {
      switch library.flush(connection) {
      case 0: return
      case 1:
        try wait(for: Int16(POLLIN | POLLOUT), seconds: PostgresSettings.silenceTimeoutSeconds)
      default: throw failure
      }
      guard library.consumeInput(connection) == 1 else { throw failure }
    }
  }

  /// The last result; the first that is an error is thrown, when all have come.
  private func results() throws(PostgresError) -> PostgresRows {
    var last: PostgresRows?
    var error: PostgresError?
    while true {
      while library.isBusy(connection) == 1 {
        try wait(for: Int16(POLLIN), seconds: PostgresSettings.silenceTimeoutSeconds)
        guard library.consumeInput(connection) == 1 else { throw failure }
      }
      guard let result = library.getResult(connection) else { break }
      let rows = PostgresRows(library, result)
      switch library.resultStatus(result) {
      case 0, 1, 2: last = rows
      default: error = error ?? self.error(of: result)
      }
    }
    if let error { throw error }
    guard let last else { throw failure }
    return last
  }

  private func error(of result: LibPQ.Result) -> PostgresError {
    func field(_ name: Character) -> String {
      library.errorField(result, CInt(name.asciiValue ?? 0)).map { String(cString: $0) } ?? ""
    }
    let message = field("M")
    guard !message.isEmpty else { return failure }
    return PostgresError(
      state: field("C"), message: message, detail: field("D"), hint: field("H"),
      table: field("t"), column: field("c"), constraint: field("n"))
  }

  func notices(within timeout: Duration) throws(PostgresError) -> [PostgresNotice] {
    var found = try waitingNotices()
    guard found.isEmpty else { return found }
    var poller = pollfd(fd: library.socket(connection), events: Int16(POLLIN), revents: 0)
    guard poller.fd >= 0 else { throw failure }
    if poll(&poller, 1, Int32(timeout / .milliseconds(1))) > 0 { found = try waitingNotices() }
    return found
  }

  private func waitingNotices() throws(PostgresError) -> [PostgresNotice] {
    guard library.consumeInput(connection) == 1 else { throw failure }
    var found: [PostgresNotice] = []
    while let memory = library.notifies(connection) {
      let notice = memory.load(as: LibPQ.Notification.self)
      found.append(
        PostgresNotice(
          channel: notice.channel.map { String(cString: $0) } ?? "",
          payload: notice.payload.map { String(cString: $0) } ?? ""))
      library.freeMemory(memory)
    }
    return found
  }
}

extension [String?] {
  /// Lends the texts as C has them.
  fileprivate func withCStrings<Result>(_ body: (LibPQ.Strings) -> Result) -> Result {
    let copies = map { $0.map { strdup($0) } ?? nil }
    defer { for copy in copies { free(copy) } }
    return copies.map { UnsafePointer($0) }.withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { return body(start) }
      var nothing: UnsafePointer<CChar>?
      return body(&nothing)
    }
  }
}

extension PostgresParameters {
  /// Lends the keywords and values, each list ending with null.
  fileprivate func withPointers<Result>(
    _ body: (LibPQ.Strings, LibPQ.Strings) -> Result
  ) -> Result {
    let pairs = keywords
    return (pairs.map { Optional($0.0) } + [nil]).withCStrings { names in
      (pairs.map { Optional($0.1) } + [nil]).withCStrings { values in body(names, values) }
    }
  }
}
