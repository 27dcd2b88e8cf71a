import ArgumentParser
import DataSources
import Dispatch
import LiveQueries
import Notebooks
import Stores
import Sync
import Synchronization
import WebSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `sonde serve`: lets clients read, watch and, if allowed, change a store.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a store over WebSocket and HTTP.",
    discussion: """
      Any client of InstantDB's protocol can subscribe: other sondes, and Instant's own libraries \
      with their websocketURI set to ws://HOST:PORT/runtime/session and their apiURI to \
      http://HOST:PORT. Once the server listens, it prints one line with its address. It ends when it \
      is interrupted (status 130) or terminated (0) or its terminal is closed (129), after answering \
      pending requests.

      If a client sends a change again because the answer was lost, the change is applied only once. \
      The server recognizes repeated changes for seven days, up to 10,000 per client address and \
      100,000 in all; with a .sonde file also after a restart.
      """)

  @Argument(
    help: "The store to serve; any STORE that other commands accept.", completion: .file())
  var store: String

  @Option(help: "Address to listen on; anything but localhost needs a token.")
  var host: String = "127.0.0.1"

  @Option(help: "Port to listen on; 0 picks a free one.")
  var port: Int = 8888

  @Option(
    help: ArgumentHelp(
      "File with the token that clients must send (mode 600). Default: $SONDE_TOKEN. If STORE is a server, $SONDE_TOKEN is the token for that server instead.",
      valueName: "file"), completion: .file())
  var tokenFile: String?

  @Option(
    name: .customLong("tls-cert"),
    help: ArgumentHelp("PEM file with the certificate, for TLS.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(
    name: .customLong("tls-key"),
    help: ArgumentHelp("PEM file with the certificate's key.", valueName: "file"),
    completion: .file())
  var key: String?

  @Flag(help: "Allow clients to change the store.")
  var write = false

  @Option(
    help: ArgumentHelp(
      "Log each connection, error, transaction and slow query as a line of JSON; - means standard error.",
      valueName: "file"), completion: .file())
  var log: String?

  @OptionGroup var live: LiveOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("The port must be from 0 to 65535, not \(port).")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--tls-cert and --tls-key must be used together.")
    }
  }

  func run() throws {
    let location = try live.applied(to: StoreLocation(store))
    if write, let reason = location.readOnlyReason {
      throw Failure(message: reason, status: ExitStatus.usage)
    }
    try checkKey()
    let log = try self.log.map { path throws(Failure) in try ServeLog(path) }
    let access = AccessRule(
      token: try token(for: location), allowsWriting: write, title: location.name)
    var configuration = WebSocketListener.Configuration(host: host, port: port)
    if let certificate, let key { configuration.certificate = (certificate, key) }
    let files = OpenFiles.raiseLimit()
    configuration.maxConnections = max(files - Self.ownFiles, files / 4)
    if !configuration.isLocal, access.token != nil, certificate == nil {
      StandardError.write(
        "Warning: without --tls-cert and --tls-key the token and all data are sent unencrypted.")
    }
    let end = TerminationSignal()
    let listener = try waiting { [configuration] () async throws(Failure) in
      try await open(location, access, configuration, log)
    }
    FreedMemory.keepLittle()
    var address = listener.address
    address.appID = location.name
    // Spaces around the address make it easy to select and copy.
    let rule = write ? "" : " read-only (--write allows changes)"
    let isRead = try Output.write(
      Array("Serving \(location.name) at \(address)\(rule)\n".utf8))
    // The server continues even if the reader closes standard output after this line.
    _ = isRead
    let ending = end.wait()
    try waiting { () async throws(Failure) in await listener.close() }
    // SIGTERM is the normal way to end a server. After other signals, the exit status is the one that
    // shells expect.
    if ending != SIGTERM { ExitStatus.end(128 + ending) }
  }

  private func open(
    _ location: StoreLocation, _ access: AccessRule,
    _ configuration: WebSocketListener.Configuration, _ log: ServeLog?
  ) async throws(Failure) -> WebSocketListener {
    let store = try await location.open(
      access: write ? .readWrite : .readOnly, log: { StandardError.write($0) })
    await store.printTextOrderRemark(for: nil)
    var limits = ServerLimits()
    limits.connections = min(limits.connections, configuration.maxConnections)
    let server = SyncServer(
      store: store, access: access,
      keepsChanges: location.keepsChanges && location.numbersLast, limits: limits,
      clock: TimerClock(), log: { Self.log($0, in: log) })
    do throws(WebSocketError) {
      return try await WebSocketListener.open(
        server, access: access, limits: limits, configuration)
    } catch {
      switch error {
      case .tokenNeeded, .tokenTooShort:
        throw Failure(message: error.message, status: ExitStatus.usage)
      case .address, .unreachable, .notAServer, .cannotListen, .certificate:
        throw Failure(message: error.message, status: ExitStatus.store)
      }
    }
  }

  /// The number of open files to reserve for the program itself, in addition to its connections.
  private static let ownFiles = 64

  /// Writes an event to the log. Without a log, only missing and wrong tokens are reported, on
  /// standard error.
  private static func log(_ event: ServerEvent, in log: ServeLog?) {
    if let log { return log.write(event) }
    if case .refused(let address?, let reason) = event,
      reason.hasPrefix("wrong token") || reason.hasPrefix("no token")
    {
      StandardError.write("Rejected a client at \(address): \(reason).")
    }
  }

  /// Checks the key file.
  ///
  /// - Throws: A failure if other users can read it.
  private func checkKey() throws(Failure) {
    guard let key else { return }
    do throws(DataSourceError) {
      try FileSystem().stamp(of: key)?.checkPrivate(key, holding: "key")
    } catch { throw Failure(message: error.description, status: ExitStatus.usage) }
  }

  /// Returns the token that clients must send; nil if clients need no token.
  private func token(for location: StoreLocation) throws(Failure) -> String? {
    var origin: String?
    if case .server(let address) = location { origin = address.description }
    do throws(DataSourceError) {
      return try Tokens.ofThisUser(file: tokenFile).ofClients(before: origin)?.secret
    } catch {
      throw Failure(message: error.description, status: ExitStatus.usage)
    }
  }
}

/// Waits for SIGINT, SIGTERM or SIGHUP. A second signal ends the program immediately.
private final class TerminationSignal {
  private let wish = DispatchSemaphore(value: 0)
  private let first = ResultBox<Int32>()
  private var sources: [any DispatchSourceSignal] = []

  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number, SIG_IGN)
      // Under nohup, the server outlives its terminal. Functions cannot be compared, but their
      // addresses can.
      if number == SIGHUP,
        unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      {
        continue
      }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [wish, first] in
        signal(number, SIG_DFL)
        first.value.withLock { $0 = $0 ?? .success(number) }
        wish.signal()
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Waits for a signal.
  ///
  /// - Returns: The first signal.
  func wait() -> Int32 {
    wish.wait()
    guard case .success(let number)? = first.value.withLock({ $0 }) else {
      preconditionFailure("The wait ended without a signal number")
    }
    return number
  }
}
