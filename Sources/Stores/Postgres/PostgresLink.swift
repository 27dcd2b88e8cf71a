#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A libpq connection, which one thread at a time may use.
final class PostgresLink {
  private let library: LibPQ
  private let connection: LibPQ.Connection
  private let parameters: PostgresParameters
  /// The timeout for a server that does not respond, in seconds.
  var silenceTimeoutSeconds = PostgresSettings.silenceTimeoutSeconds
  /// The time by which the session must be open; nil when it is.
  private var deadline: ContinuousClock.Instant?
  /// Whether a timeout has expired.
  private var isSilent = false
  /// The number of statements so far.
  private var statements = 0

  /// Opens a session on the first host that answers.
  static func open(
    _ library: LibPQ, _ parameters: PostgresParameters, isWritable: Bool
  ) throws(PostgresError) -> PostgresLink {
    var parameters = parameters
    parameters.hosts = PostgresHosts.known(for: parameters.address)
    var all: PostgresHosts?
    var reasons: [String] = []
    while true {
      let link = try PostgresLink(library, parameters)
      do throws(PostgresError) {
        try link.begin(isWritable: isWritable)
        return link
      } catch {
        guard error.state.isEmpty else { throw error }
        reasons.append(link.isSilent ? "\(link.host): \(error.message)" : error.message)
        // libpq tries the next host only if a host refuses the connection.
        guard link.isSilent, let others = link.hosts.without(link.host, port: link.port) else {
          throw reasons.count == 1
            ? error : PostgresError(state: "", message: reasons.joined(separator: "; "))
        }
        // Later sessions try this host last, so that they need not wait for it.
        let order = (all ?? link.hosts).withLast(link.host, port: link.port)
        order.remember(for: parameters.address)
        all = order
        parameters.hosts = others
      }
    }
  }

  private init(_ library: LibPQ, _ parameters: PostgresParameters) throws(PostgresError) {
    self.library = library
    self.parameters = parameters
    let made = parameters.withPointers { library.connectStart($0, $1, 1) }
    guard let made else { throw PostgresError(state: "", message: "out of memory") }
    connection = made
    // Notices of the server are meant for interactive tools, so they are discarded.
    _ = library.setNoticeProcessor(connection, { _, _ in }, nil)
  }

  deinit { library.finish(connection) }

  // MARK: Connecting

  private func begin(isWritable: Bool) throws(PostgresError) {
    startDeadline()
    try connect()
    _ = library.setNonblocking(connection, 1)
    let settings = try rows(of: PostgresSettings.statements(isWritable: isWritable), nil)
    deadline = nil
    guard (try? settings.step()) == true else { return }
    if isWritable, settings.bool(0) {
      throw PostgresError(
        state: "25006",
        message: "default_transaction_read_only is on in the address, for your role or for the "
          + "database")
    }
    if let timeout = Int(settings.text(1)) {
      silenceTimeoutSeconds = PostgresSettings.silenceTimeoutSeconds(forStatements: timeout)
    }
  }

  private func connect() throws(PostgresError) {
    var wanted = Int16(POLLOUT)
    while true {
      guard library.status(connection) != 1 else { throw failure }
      let place = (host, port)
      try wait(for: wanted)
      switch library.connectPoll(connection) {
      case 1: wanted = Int16(POLLIN)
      case 2: wanted = Int16(POLLOUT)
      case 3: return
      default: throw failure
      }
      // Each host has the whole time.
      if place != (host, port) { startDeadline() }
    }
  }

  private func startDeadline() {
    deadline = ContinuousClock.now + .seconds(connectTimeoutSeconds)
  }

  /// The host to which libpq connects.
  private var host: String { library.host(connection).map { String(cString: $0) } ?? "" }

  private var port: String { library.port(connection).map { String(cString: $0) } ?? "" }

  private var hosts: PostgresHosts {
    let values = options
    return PostgresHosts(
      names: values["host"] ?? "", addresses: values["hostaddr"] ?? "", ports: values["port"] ?? "")
  }

  /// The timeout for opening a session on one host, in seconds: `connect_timeout` from the address
  /// or the environment. libpq ignores the parameter when it connects without blocking.
  private var connectTimeoutSeconds: Int {
    guard let value = options["connect_timeout"] else {
      return PostgresSettings.connectTimeoutSeconds
    }
    let seconds = Int(value) ?? 0
    return seconds > 0 ? min(seconds, silenceTimeoutSeconds) : silenceTimeoutSeconds
  }

  /// The parameters of the connection that have a value, from the address, the environment and
  /// service files.
  private var options: [String: String] {
    guard let parameters = library.parameters(connection) else { return [:] }
    defer { library.freeParameters(parameters) }
    var options: [String: String] = [:]
    var next = parameters.assumingMemoryBound(to: LibPQ.Parameter.self)
    while let keyword = next.pointee.keyword {
      options[String(cString: keyword)] = next.pointee.value.map { String(cString: $0) }
      next += 1
    }
    return options
  }

  /// Waits until the socket is ready.
  private func wait(for events: Int16) throws(PostgresError) {
    let end = deadline ?? ContinuousClock.now + .seconds(silenceTimeoutSeconds)
    var poller = pollfd(fd: library.socket(connection), events: events, revents: 0)
    guard poller.fd >= 0 else { throw failure }
    while true {
      // Even if data is ready, a server may not exceed the deadline.
      let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
      let ready = rest > 0 ? poll(&poller, 1, Int32(rest.rounded(.up))) : 0
      if ready > 0 { return }
      if ready < 0, errno == EINTR { continue }
      isSilent = true
      let seconds = deadline == nil ? silenceTimeoutSeconds : connectTimeoutSeconds
      throw PostgresError(state: "", message: "the server did not answer within \(seconds) s")
    }
  }

  private var failure: PostgresError {
    if library.needsPassword(connection) == 1 {
      return PostgresError(
        state: "",
        message: "the server requires a password. Set PGPASSWORD or add it to ~/.pgpass")
    }
    let words = library.errorMessage(connection).map { String(cString: $0) } ?? ""
    return PostgresError(state: "", message: parameters.withoutPassword(words))
  }

  // MARK: Statements

  var isAlive: Bool { library.status(connection) == 0 }

  /// Whether a transaction is open, or has failed and must still be ended.
  var isInTransaction: Bool { library.transactionStatus(connection) != 0 }

  var backendID: Int { Int(library.backendID(connection)) }

  func cancelHandle() -> OpaquePointer? { library.getCancel(connection) }

  /// Executes the statement in `text`.
  ///
  /// - Parameter values: The values of the parameters. If it is nil, the text may contain several
  ///   statements without parameters.
  func rows(of text: String, _ values: [String?]?) throws(PostgresError) -> PostgresRows {
    try send(text, values)
    return try results()
  }

  /// Sends a statement whose rows are read with ``nextRow(of:)``, so that not all of them are in
  /// memory. The next statement discards the rows that were not read.
  ///
  /// - Returns: The number of the statement.
  func begin(_ text: String, _ values: [String?]) throws(PostgresError) -> Int {
    try send(text, values, isReadByRow: true)
    return statements
  }

  /// Waits for the next row of the newest statement. After the last row, the result is empty.
  ///
  /// - Parameter statement: The number of the statement.
  func nextRow(of statement: Int) throws(PostgresError) -> PostgresRows {
    precondition(statement == statements, "A later statement has discarded the rows.")
    guard let result = try nextResult() else { throw failure }
    let rows = PostgresRows(library, result)
    let status = library.resultStatus(result)
    if status == Self.singleRow { return rows }
    if !Self.successes.contains(status) { throw error(of: result) }
    try discardResults()
    return rows
  }

  /// The status of a result with one row, `PGRES_SINGLE_TUPLE`.
  private static let singleRow: CInt = 9
  /// The statuses of results that are no errors: `PGRES_EMPTY_QUERY`, `PGRES_COMMAND_OK` and
  /// `PGRES_TUPLES_OK`.
  private static let successes: ClosedRange<CInt> = 0...2

  private func send(
    _ text: String, _ values: [String?]?, isReadByRow: Bool = false
  ) throws(PostgresError) {
    guard !text.utf8.contains(0), values?.contains(where: { $0?.utf8.contains(0) == true }) != true
    else {
      throw PostgresError(
        state: "22021", message: "PostgreSQL does not accept text with a NUL character")
    }
    try discardResults()
    statements += 1
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
    // libpq accepts the mode only before it reads the first data.
    if isReadByRow { _ = library.setSingleRowMode(connection) }
    try flush()
  }

  private func flush() throws(PostgresError) {
    while true {
      switch library.flush(connection) {
      case 0: return
      case 1:
        try wait(for: Int16(POLLIN | POLLOUT))
      default: throw failure
      }
      guard library.consumeInput(connection) == 1 else { throw failure }
    }
  }

  /// Waits for all results, and returns the last result. If any result is an error, throws it.
  private func results() throws(PostgresError) -> PostgresRows {
    var last: PostgresRows?
    var error: PostgresError?
    while let result = try nextResult() {
      let rows = PostgresRows(library, result)
      if Self.successes.contains(library.resultStatus(result)) {
        last = rows
      } else {
        error = error ?? self.error(of: result)
      }
    }
    if let error { throw error }
    guard let last else { throw failure }
    return last
  }

  /// Waits for the next result of the newest statement; nil after the last one.
  private func nextResult() throws(PostgresError) -> LibPQ.Result? {
    while library.isBusy(connection) == 1 {
      try wait(for: Int16(POLLIN))
      guard library.consumeInput(connection) == 1 else { throw failure }
    }
    return library.getResult(connection)
  }

  private func discardResults() throws(PostgresError) {
    while let result = try nextResult() { library.clear(result) }
  }

  private func error(of result: LibPQ.Result) -> PostgresError {
    func field(_ name: Character) -> String {
      library.errorField(result, CInt(name.asciiValue ?? 0)).map { String(cString: $0) } ?? ""
    }
    let message = field("M")
    guard !message.isEmpty else { return failure }
    return PostgresError(
      state: field("C"), message: message, detail: field("D"), hint: field("H"),
      table: field("t"), column: field("c"), constraint: field("n"),
      isOfStatement: field("V") == "ERROR")
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
  /// Passes the texts as C strings.
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
  /// Passes the keywords and values as null-terminated arrays.
  fileprivate func withPointers<Result>(
    _ body: (LibPQ.Strings, LibPQ.Strings) -> Result
  ) -> Result {
    let pairs = keywords
    return (pairs.map { Optional($0.0) } + [nil]).withCStrings { names in
      (pairs.map { Optional($0.1) } + [nil]).withCStrings { values in body(names, values) }
    }
  }
}
