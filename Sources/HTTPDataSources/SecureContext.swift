import DataSources
import NIOConcurrencyHelpers
import NIOSSL

/// The TLS context of a client. It is created for the first connection.
final class SecureContext: Sendable {
  private let trust: HTTPTrust
  private let made = NIOLockedValueBox<NIOSSLContext?>(nil)

  init(_ trust: HTTPTrust) {
    self.trust = trust
  }

  /// Returns the TLS context, which the first call creates.
  /// - Throws: `notFound` when the certificate file is missing, `system` when it cannot be read,
  ///   `illegalArgument` when it contains no certificates.
  func context() throws(DataSourceError) -> NIOSSLContext {
    if let context = made.withLockedValue({ $0 }) { return context }
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    switch trust {
    case .system: break
    case .systemAnd(let path):
      configuration.additionalTrustRoots = [.certificates(try Self.certificates(path))]
    case .only(let path): configuration.trustRoots = .certificates(try Self.certificates(path))
    }
    do {
      let context = try NIOSSLContext(configuration: configuration)
      made.withLockedValue { $0 = context }
      return context
    } catch {
      throw .failed("Cannot set up TLS.", cause: "\(error)")
    }
  }

  private static let maxFileBytes = 16 << 20

  private static func certificates(_ path: String) throws(DataSourceError) -> [NIOSSLCertificate] {
    guard let bytes = try FileSystem().read(path, upTo: maxFileBytes) else {
      throw DataSourceError(.notFound, "The certificate file \(path) does not exist.")
    }
    // NIOSSL would accept a file without certificates as an empty list, and then trust no server.
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty
    else { throw .illegalArgument("The file \(path) contains no PEM certificates.") }
    return certificates
  }
}

/// Converts errors of a TLS connection.
enum SecureFailure {
  /// Converts a TLS error to a `DataSourceError`; nil for any other error.
  static func error(
    _ error: any Error, from address: HTTPAddress, certificate: NIOSSLCertificate?,
    now: WallClock.Instant
  ) -> DataSourceError? {
    if let extra = error as? NIOSSLExtraError, extra == .failedToValidateHostname {
      return untrusted(
        .ofAnotherHost, "The certificate of \(address) is not for the host \(address.host).", extra)
    }
    guard case .handshakeFailed(let reason)? = error as? NIOSSLError else { return nil }
    guard "\(reason)".contains("CERTIFICATE_VERIFY_FAILED") else {
      return DataSourceError(
        .network(status: nil),
        "The TLS handshake with \(address) failed. If the server does not use TLS, use http://\(address.authority).",
        cause: "\(reason)")
    }
    let seconds = now.sinceEpoch.components.seconds
    if let certificate, Int64(certificate.notValidAfter) < seconds {
      return untrusted(.expired, "The certificate of \(address) has expired.", reason)
    }
    if let certificate, Int64(certificate.notValidBefore) > seconds {
      return untrusted(
        .notYetValid,
        "The certificate of \(address) is not valid yet. Check the clock of this computer.", reason)
    }
    return untrusted(
      .unknownAuthority,
      "The certificate of \(address) is not signed by a trusted authority. Provide a "
        + "file that contains this certificate or that of its authority.", reason)
  }

  private static func untrusted(
    _ reason: DataSourceError.Distrust, _ sentence: String, _ cause: any Error
  ) -> DataSourceError {
    DataSourceError(.untrusted(reason), sentence, cause: "\(cause)")
  }
}
