import Foundation
import InstaQL
import PostgresTestSupport
@testable import Stores
import Testing

@Suite("A connection to PostgreSQL", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresConnectionTests {
  @Test("a task that is canceled between two statements does not send the second one")
  func canceling() async throws {
    let database = try PostgresServer.running().database()
    let connection = try PostgresConnection(PostgresParameters(database.address()))
    let task = Task {
      try await connection.read(isSnapshot: true) { session in
        _ = try session.rows("SELECT 'first' LIMIT 1")
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try session.rows("SELECT 'second' LIMIT 1")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let statements = try database.statements()
    #expect(statements.contains("SELECT 'first' LIMIT 1"))
    #expect(!statements.contains("SELECT 'second' LIMIT 1"))
    let answer = try await connection.read { session in
      let rows = try session.rows("SELECT 'third' LIMIT 1")
      return try rows.step() ? rows.text(0) : ""
    }
    #expect(answer == "third")
  }

  @Test("sessions compile no statements, and notice a client that has disconnected")
  func settings() async throws {
    let database = try PostgresServer.running().database()
    let connection = try PostgresConnection(PostgresParameters(database.address()))
    let values = try await connection.read { session in
      let rows = try session.rows(
        "SELECT current_setting('jit'), current_setting('client_connection_check_interval') LIMIT 1"
      )
      return try rows.step() ? rows.texts(from: 0) : []
    }
    #expect(values == ["off", "200ms"])
  }

  @Test("settings in the address are kept, and a read-only one prevents writing")
  func ownSettings() async throws {
    let database = try PostgresServer.running().database()
    let options =
      "-c statement_timeout=500 -c default_transaction_read_only=on -c TimeZone=Asia/Kathmandu"
    let escaped = options.replacing(" ", with: "%20").replacing("=", with: "%3D")
    let parameters = PostgresParameters(database.address() + "?options=" + escaped)
    let values = try await PostgresConnection(parameters).read { session in
      let rows = try session.rows(
        """
        SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),
          current_setting('TimeZone') LIMIT 1
        """)
      return try rows.step() ? rows.texts(from: 0) : []
    }
    #expect(values == ["500ms", "2s", "UTC"])
    let writing = try PostgresConnection(parameters, isWritable: true)
    let error = await #expect(throws: PostgresError.self) {
      try await writing.write { _ = try $0.run("CREATE TABLE t (id int)") }
    }
    let rejection = error?.rejection ?? ""
    #expect(
      rejection.hasPrefix("The server accepts no changes (default_transaction_read_only is on"),
      "\(rejection)")
  }

  @Test(
    "the server may stay silent for longer than its statement timeout",
    arguments: [(500, 45), (30_000, 45), (300_000, 315), (0, 21_600)])
  func silenceTimeout(statement milliseconds: Int, seconds: Int) {
    #expect(PostgresSettings.silenceTimeoutSeconds(forStatements: milliseconds) == seconds)
  }

  @Test(
    "an error without a constraint names the table or gives the server's message",
    arguments: [
      (
        PostgresError(
          state: "23514", message: "no partition of relation \"m\" found for row", table: "m"),
        "The table m has no partition for the row. Nothing was written. Choose another value."
      ),
      (
        PostgresError(
          state: "2BP01", message: "cannot drop table t because other objects depend on it",
          detail: "view v depends on table t\nview w depends on table t"),
        "The database rejected the change (cannot drop table t because other objects depend on it "
          + "(view v depends on table t; view w depends on table t)). Nothing was written."
      ),
    ])
  func rejections(_ error: PostgresError, _ sentence: String) {
    #expect(error.isRejection)
    #expect(error.rejection == sentence)
  }

  @Test("the rows of a query are read while the server computes the following ones")
  func rowByRow() async throws {
    let database = try PostgresServer.running().database()
    let connection = try PostgresConnection(PostgresParameters(database.address()))
    let words = try await connection.read { session in
      var words: [String] = []
      let failing = try session.rows(
        of: SQLStatement(text: "SELECT 6 / (3 - g) FROM generate_series(1, 9) AS g LIMIT 9"))
      do {
        while try failing.step() { words.append(failing.text(0)) }
      } catch let error as PostgresError {
        words.append(error.message)
      }
      let first = try session.rows(
        of: SQLStatement(text: "SELECT g FROM generate_series(1, 100000) AS g LIMIT 100000"))
      for _ in 1...3 where try first.step() { words.append(first.text(0)) }
      first.reset()
      #expect(try !first.step())
      // The rows that were not read are discarded.
      let second = try session.rows(of: SQLStatement(text: "SELECT 'second' LIMIT 1"))
      while try second.step() { words.append(second.text(0)) }
      let empty = try session.rows(of: SQLStatement(text: "SELECT 1 LIMIT 0"))
      #expect(try !empty.step())
      return words
    }
    #expect(words == ["3", "6", "division by zero", "1", "2", "3", "second"])
  }

  @Test("a statement that an administrator cancels is reported at once, and nothing is written")
  func administrator() async throws {
    let database = try PostgresServer.running().database("CREATE TABLE t (id int PRIMARY KEY)")
    let connection = try PostgresConnection(
      PostgresParameters(database.address()), isWritable: true)
    let error = await #expect(throws: PostgresError.self) {
      try await connection.write { session in
        _ = try session.rows("INSERT INTO t VALUES (1)")
        _ = try session.rows("SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(20) LIMIT 1")
      }
    }
    #expect(error?.reason == "an administrator canceled the statement on the server")
    #expect(error?.isRejection == true)
    #expect(
      error?.rejection
        == "The change failed: an administrator canceled the statement on the server. "
        + "Nothing was written.")
    try await connection.write { _ = try $0.rows("INSERT INTO t VALUES (2)") }
    #expect(try database.run("SELECT string_agg(id::text, ',') FROM t") == "2")
  }

  @Test("a cancellation is late if this session sent one that no statement has reported")
  func lateCancellations() {
    var sent = SentCancellations()
    var reports = [sent.report()]
    sent.send()
    sent.send()
    for _ in 1...3 { reports.append(sent.report()) }
    #expect(reports == [false, true, true, false])
    sent.acknowledge()
    sent.send()
    // The server may still cancel the statement after this one.
    sent.succeed()
    reports = [sent.report()]
    sent.send()
    for _ in 1...3 { sent.acknowledge() }
    sent.succeed()
    reports.append(sent.report())
    sent.send()
    sent.startSession()
    reports.append(sent.report())
    #expect(reports == [true, false, false])
  }

  @Test("an error is repeated only as often as another attempt can help")
  func retries() {
    let (lost, conflict, canceled, wrong) = (
      PostgresError(state: "57P01", message: ""), PostgresError(state: "40001", message: ""),
      PostgresError(state: "57014", message: "canceling statement due to user request"),
      PostgresError(state: "42601", message: "")
    )
    func answers(
      to errors: [PostgresError], isKnown: Bool = true, writing: Bool = true, isLate: Bool = true
    ) -> [Bool] {
      var retries = PostgresRetries()
      return errors.map {
        retries.runsAgain(after: $0, isKnown: isKnown, isTransaction: writing, isLate: isLate)
      }
    }
    #expect(answers(to: [canceled], isLate: false) == [false])
    #expect(answers(to: [canceled, conflict, canceled, conflict]) == [true, true, true, true])
    #expect(answers(to: [conflict, conflict, conflict]) == [true, true, false])
    #expect(answers(to: [conflict], writing: false) == [false])
    #expect(answers(to: [conflict, lost, lost]) == [true, true, false])
    #expect(answers(to: [lost], isKnown: false) == [false])
    #expect(answers(to: [wrong]) == [false])
  }

  // MARK: Servers that do not answer

  @Test("a server that never answers is reported after the connect_timeout of the address")
  func silence() async throws {
    let server = try SilentServer()
    defer { server.end() }
    let error = await #expect(throws: StoreError.self) {
      _ = try await PostgresStore.open(
        PostgresParameters("postgres://ann@\(server.host)/shop?connect_timeout=2"))
    }
    #expect(
      error?.message.contains("the server did not answer within 2 s") == true,
      "\(error?.message ?? "")")
  }

  @Test("a server that sends messages without end is given up at the connect_timeout")
  func trickle() async throws {
    let server = try SilentServer()
    defer { server.end() }
    server.sendForever()
    let connection = try PostgresConnection(
      PostgresParameters("postgres://ann@\(server.host)/shop?connect_timeout=1"))
    let error = await #expect(throws: PostgresError.self) {
      _ = try await connection.read { _ in true }
    }
    #expect(
      error?.message.contains("the server did not answer within 1 s") == true,
      "\(error?.message ?? "")")
  }

  @Test("if a host of several does not answer, the next one is used")
  func nextHost() async throws {
    let database = try PostgresServer.running().database()
    let server = try SilentServer()
    defer { server.end() }
    let start = try #require(database.address().firstRange(of: "@")).upperBound
    let connection = try PostgresConnection(
      PostgresParameters(
        "postgres://sonde@\(server.host),\(database.address()[start...])?connect_timeout=5"))
    let name = try await connection.read { session in
      let rows = try session.rows("SELECT current_database() LIMIT 1")
      return try rows.step() ? rows.text(0) : ""
    }
    #expect(name == database.name)
  }

  @Test("a host that did not answer is tried last in later sessions")
  func laterSessions() async throws {
    let database = try PostgresServer.running().database()
    let server = try SilentServer()
    defer { server.end() }
    let start = try #require(database.address().firstRange(of: "@")).upperBound
    let parameters = PostgresParameters(
      "postgres://sonde@\(server.host),\(database.address()[start...])?connect_timeout=5")
    for _ in 1...3 {
      #expect(try await PostgresConnection(parameters).read { _ in true })
    }
    #expect(server.clientCount() == 1)
  }

  @Test("if no host answers, the message names each")
  func noHost() async throws {
    let servers = [try SilentServer(), try SilentServer()]
    defer { for server in servers { server.end() } }
    let hosts = servers.map(\.host).joined(separator: ",")
    let connection = try PostgresConnection(
      PostgresParameters("postgres://ann@\(hosts)/shop?connect_timeout=1"))
    let error = await #expect(throws: PostgresError.self) {
      _ = try await connection.read { _ in true }
    }
    #expect(
      error?.message
        == servers.map { "\($0.folder): the server did not answer within 1 s" }
        .joined(separator: "; "))
  }

  @Test("hosts are left out with their address and port")
  func hosts() throws {
    func texts(_ hosts: PostgresHosts?) -> [String]? {
      hosts?.keywords.map { "\($0.0)=\($0.1)" }
    }
    let two = PostgresHosts(names: "a,b", ports: "5432")
    #expect(texts(two.without("a", port: "5432")) == ["host=b", "port=5432"])
    #expect(two.without("a", port: "5433") == nil)
    #expect(two.without("c", port: "5432") == nil)
    #expect(two.without("a", port: "5432")?.without("b", port: "5432") == nil)
    #expect(texts(two.withLast("a", port: "5432")) == ["host=b,a", "port=5432,5432"])
    #expect(two.withLast("b", port: "5432") == two && two.withLast("a", port: "1") == two)
    let three = PostgresHosts(names: "a,a,b", addresses: "10.0.0.1,,", ports: "1,2,")
    #expect(
      texts(three.without("a", port: "2")) == ["host=a,b", "hostaddr=10.0.0.1,", "port=1,5432"])
    #expect(texts(three.without("a", port: "1")) == ["host=a,b", "port=2,5432"])
    let addresses = PostgresHosts(names: "", addresses: "10.0.0.1,10.0.0.2", ports: "5432")
    #expect(
      texts(addresses.without("10.0.0.2", port: "5432"))
        == ["hostaddr=10.0.0.1", "port=5432"])
  }
}

/// A socket to which clients can connect, and from which nothing is read.
private final class SilentServer: Sendable {
  let folder: String
  private let listener: Int32

  /// The host as part of an address.
  var host: String { folder.replacingOccurrences(of: "/", with: "%2F") }

  init() throws {
    folder = "/tmp/sonde-silent-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    listener = try Self.openSocket(at: folder + "/.s.PGSQL.5432")
  }

  func end() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Accepts all clients that have connected, and returns their number.
  func clientCount() -> Int {
    var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    var count = 0
    while poll(&waiting, 1, 0) > 0 {
      close(accept(listener, nil, nil))
      count += 1
    }
    return count
  }

  /// Accepts the login of the next client, and sends it values of parameters until it disconnects.
  func sendForever() {
    Thread.detachNewThread { [listener] in
      let client = accept(listener, nil, nil)
      defer { close(client) }
      let login: [UInt8] = [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 0]
      let parameter: [UInt8] = [UInt8(ascii: "S"), 0, 0, 0, 8] + Array("a\0b\0".utf8)
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
        var isOn: Int32 = 1
        setsockopt(client, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
      #endif
      guard send(client, login, login.count, flags) > 0 else { return }
      while send(client, parameter, parameter.count, flags) > 0 {}
    }
  }

  /// Opens a socket that lets clients connect, and never reads from it.
  private static func openSocket(at path: String) throws -> Int32 {
    #if canImport(Glibc)
      let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let socket = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(socket, 8) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    return socket
  }
}
