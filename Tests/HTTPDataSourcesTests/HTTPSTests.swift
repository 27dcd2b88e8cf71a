import HTTPTestSupport
import DataSources
import DataSourcesTesting
import HTTPDataSources
import Testing

private let goal = #"{"title":"Get fit!"}"#
private let query = HTTPRequestQuery(.get, "/goals/1")

/// A server certificate, a trust setting, and the expected result.
struct TrustRow: Sendable, CustomStringConvertible {
  var description: String
  var certificate: String
  var trust: @Sendable (_ authority: String, _ selfSigned: String) -> HTTPTrust
  var host = "localhost"
  var expected: Outcome<Goal>

  static let rows: [TrustRow] = [
    TrustRow(
      description: "an authority beside the system's", certificate: TestCertificates.good,
      trust: { authority, _ in .systemAnd(authorities: authority) },
      expected: .object(Goal(title: "Get fit!"))),
    TrustRow(
      description: "one authority alone", certificate: TestCertificates.good,
      trust: { authority, _ in .only(certificates: authority) },
      expected: .object(Goal(title: "Get fit!"))),
    TrustRow(
      description: "an address by number", certificate: TestCertificates.good,
      trust: { authority, _ in .only(certificates: authority) }, host: "127.0.0.1",
      expected: .object(Goal(title: "Get fit!"))),
    TrustRow(
      description: "the server's own certificate", certificate: TestCertificates.selfSigned,
      trust: { _, selfSigned in .only(certificates: selfSigned) },
      expected: .object(Goal(title: "Get fit!"))),
    TrustRow(
      description: "an authority that the system does not know",
      certificate: TestCertificates.good, trust: { _, _ in .system },
      expected: .failure(.untrusted(.unknownAuthority))),
    TrustRow(
      description: "another certificate than the one that is trusted",
      certificate: TestCertificates.good,
      trust: { _, selfSigned in .only(certificates: selfSigned) },
      expected: .failure(.untrusted(.unknownAuthority))),
    TrustRow(
      description: "an expired certificate", certificate: TestCertificates.expired,
      trust: { authority, _ in .only(certificates: authority) },
      expected: .failure(.untrusted(.expired))),
    TrustRow(
      description: "a certificate of the future", certificate: TestCertificates.tooYoung,
      trust: { authority, _ in .only(certificates: authority) },
      expected: .failure(.untrusted(.notYetValid))),
    TrustRow(
      description: "a certificate of another host", certificate: TestCertificates.ofAnotherHost,
      trust: { authority, _ in .only(certificates: authority) },
      expected: .failure(.untrusted(.ofAnotherHost))),
    TrustRow(
      description: "a certificate of another host, by number",
      certificate: TestCertificates.ofAnotherHost,
      trust: { authority, _ in .only(certificates: authority) }, host: "127.0.0.1",
      expected: .failure(.untrusted(.ofAnotherHost))),
  ]
}

@Suite struct `HTTPS` {
  @Test(arguments: TrustRow.rows)
  func `a request is sent only to a server with a trusted certificate`(row: TrustRow) async throws {
    let folder = TemporaryFolder()
    try folder.write(TestCertificates.authority, to: "authority.pem")
    try folder.write(TestCertificates.selfSigned, to: "self-signed.pem")
    let server = try await TestServer.start(certificate: row.certificate) { _ in (200, goal) }
    let trust = row.trust(folder.file("authority.pem"), folder.file("self-signed.pem"))
    let source = HTTPDataSource<Goal>(HTTPClient(server.address(of: row.host), trust: trust))

    let outcome: Outcome<Goal>
    do throws(DataSourceError) {
      outcome = .object(try await source.get(query))
    } catch {
      outcome = .failure(error.code)
    }

    #expect(outcome == row.expected)
    let isTrusted = row.expected == .object(Goal(title: "Get fit!"))
    #expect(server.asked.map(\.line) == (isTrusted ? ["GET /api/goals/1"] : []))
  }

  @Test func `an untrusted certificate is an error with advice and is not retried`() async throws {
    let server = try await TestServer.start(certificate: TestCertificates.good) { _ in (200, goal) }
    let address = server.address(of: "localhost")
    let source = HTTPDataSource<Goal>(HTTPClient(address))

    let error = await failure { () throws(DataSourceError) in try await source.get(query) }

    #expect(
      error?.message
        == "The certificate of \(address) is not signed by a trusted authority. Provide a file that contains this certificate or that of its authority."
    )
    #expect(error.map(RetryPolicy.isPassing) == false)
  }

  @Test func `a server without TLS is an error for https`() async throws {
    let server = try await TestServer.start { _ in (200, goal) }
    let address = HTTPAddress(scheme: .https, host: "localhost", port: server.address.port)

    let error = await failure { () throws(DataSourceError) in
      try await HTTPDataSource<Goal>(HTTPClient(address)).get(query)
    }

    #expect(error?.code == .network(status: nil))
    #expect(error?.message.hasSuffix("use http://localhost:\(address.port).") == true)
  }

  @Test func `a file without certificates is an error before anything is sent`() async throws {
    let folder = TemporaryFolder()
    try folder.write("nothing", to: "empty.pem")
    for (name, code) in [
      ("empty.pem", DataSourceError.Code.illegalArgument), ("missing.pem", .notFound),
    ] {
      let client = HTTPClient(
        HTTPAddress(scheme: .https, host: "localhost", port: 1),
        trust: .only(certificates: folder.file(name)))

      let error = await failure { () throws(DataSourceError) in
        try await HTTPDataSource<Goal>(client).get(query)
      }

      #expect(error?.code == code)
      #expect(error?.message.contains(folder.file(name)) == true)
    }
  }

  @Test func `a hundred concurrent calls are encrypted and answered`() async throws {
    let folder = TemporaryFolder()
    try folder.write(TestCertificates.authority, to: "authority.pem")
    let server = try await TestServer.start(certificate: TestCertificates.good) { _ in (200, goal) }
    let trust = HTTPTrust.only(certificates: folder.file("authority.pem"))
    let source = HTTPDataSource<Goal>(HTTPClient(server.address(of: "localhost"), trust: trust))

    let failures = await withTaskGroup(of: DataSourceError.Code?.self) { group in
      for _ in 0..<100 {
        group.addTask {
          await failure { () throws(DataSourceError) in try await source.get(query) }?.code
        }
      }
      return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
    }

    #expect(failures == [])
    #expect(server.asked.count == 100)
  }
}
