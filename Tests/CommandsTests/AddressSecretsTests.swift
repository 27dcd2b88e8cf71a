import Foundation
import PostgresTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Passwords in addresses", .waitsForPrograms)
struct AddressSecretsTests {
  @Test(
    "no command prints a password, also of an address with a mistake",
    arguments: [
      ["doctor", "postgres://ann:s3cret@127.0.0.1:1/x"],
      ["token", "postgres://ann:s3cret@127.0.0.1:1/x"],
      ["check", "postgres://ann:s3cret@127.0.0.1:1/x"],
      ["schema", "postgres://ann:s3c@s3cret@127.0.0.1:1/x"],
      ["schema", "postgres:/ann:s3cret@127.0.0.1:1/x"],
      ["schema", "http://ann:s3cret@127.0.0.1/x"],
      ["schema", "pasword=s3cret"], ["schema", "host=127.0.0.1 port=1 pasword=s3cret"],
      ["live", "install", "postgres:/ann:s3cret@127.0.0.1:1/x"],
      ["export", "world", "--to", "postgres://ann:s3c@s3cret@127.0.0.1:1/x"],
    ])
  func secrets(_ arguments: [String]) throws {
    let run = try Program.run(arguments)
    let words = run.output + run.error
    #expect(!words.contains("s3c"), "\(words)")
  }

  #if os(Linux)
    @Test(
      "while a command runs, its command line shows no password",
      .enabled(if: PostgresServer.obstacle == nil),
      arguments: [
        ["schema", "postgres://ann:s3cret@127.0.0.1:PORT/x?connect_timeout=40"],
        ["schema", "host=127.0.0.1 port=PORT user=ann password='s3cret' connect_timeout=40"],
        ["schema", "postgres://ann@127.0.0.1:PORT/x?connect_timeout=40&password=s3cret"],
        ["export", "world", "--to", "postgres://ann:s3cret@127.0.0.1:PORT/x"],
        ["export", "world", "--to=postgres://ann:s3cret@127.0.0.1:PORT/x"],
      ])
    func commandLine(_ arguments: [String]) throws {
      let server = try ListeningPort()
      let arguments = arguments.map { $0.replacing("PORT", with: "\(server.number)") }
      let program = try Child([Program.path] + arguments)
      try server.waitForClient()
      try withExtendedLifetime((program, server)) {
        try expectMasked(program.process, arguments)
      }
    }

    @Test(
      "while the explorer runs, its command line shows no password",
      .enabled(if: PostgresServer.obstacle == nil))
    func explorer() throws {
      let server = try ListeningPort()
      let arguments = ["postgres://ann:s3cret@127.0.0.1:\(server.number)/x?connect_timeout=40"]
      let terminal = try PseudoTerminal([Program.path] + arguments)
      try server.waitForClient()
      try withExtendedLifetime((terminal, server)) {
        try expectMasked(terminal.process, arguments)
      }
    }

    private func expectMasked(_ process: pid_t, _ arguments: [String]) throws {
      let memory = try Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))
      let shown = memory.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      let masked = arguments.map { argument in
        argument.replacing("'s3cret'", with: "********").replacing("s3cret", with: "******")
      }
      #expect(Array(shown.dropFirst()) == masked)
    }
  #endif

  @Test("--tables needs a PostgreSQL database")
  func tables() throws {
    let run = try Program.run(["schema", "world", "--tables"])
    #expect(run.status == 2 && run.error.contains("--tables needs a PostgreSQL database"))
  }
}

/// A TCP port to which clients can connect, and from which nothing is read.
private final class ListeningPort {
  let number: UInt16
  private let listener: Int32

  struct Failure: Error {
    let call: String
  }

  init() throws {
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 8) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    number = UInt16(bigEndian: address.sin_port)
    guard isOpen else { throw Failure(call: "listen") }
  }

  deinit { close(listener) }

  /// Waits until a client connects.
  func waitForClient() throws {
    var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 60_000) > 0 else { throw Failure(call: "poll") }
  }
}
