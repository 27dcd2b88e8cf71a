import DataSources
import NIOConcurrencyHelpers
import NIOSSL

/// What connections of one client need to be encrypted and to know the server; made once, when the
/// first is opened.
final class SecureContext: Sendable {
  private let trust: HTTPTrust
  private let made = NIOLockedValueBox<NIOSSLContext?>(nil)

  init(_ trust: HTTPTrust) {
    self.trust = trust
  }

  /// - Throws: `notFound` when the file of certificates is missing, `system` when it cannot be read,
  ///   `illegalArgument` when it holds no certificates.
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
      throw .failed("No encrypted connection can be made.", cause: "\(error)")
    }
  }

  private static let largestFileBytes = 16 << 20

  private static func certificates(_ path: String) throws(DataSourceError) -> [NIOSSLCertificate] {
    guard let bytes = try Disk().read(path, upTo: largestFileBytes) else {
      throw DataSourceError(.notFound, "There is no file of certificates \(path).")
    }
    // A file without any would be taken for one that trusts nobody.
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty
    else { throw .illegalArgument("\(path) holds no certificates in PEM form.") }
    return certificates
  }
}

/// What went wrong between two who wanted to talk in secret, as an error of ours.
enum SecureFailure {
  /// Nil when `error` is of another kind.
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
        "\(address) does not speak https; is it http://\(address.authority)?", cause: "\(reason)")
    }
    let seconds = now.sinceEpoch.components.seconds
    if let certificate, Int64(certificate.notValidAfter) < seconds {
      return untrusted(.expired, "The certificate of \(address) has expired.", reason)
    }
    if let certificate, Int64(certificate.notValidBefore) > seconds {
      return untrusted(
        .notYetValid, "The certificate of \(address) is not valid yet; is the clock right?", reason)
    }
    return untrusted(
      .unknownAuthority,
      "Nobody that is trusted here vouches for \(address); name a file with its certificate or "
        + "authority.", reason)
  }

  private static func untrusted(
    _ reason: DataSourceError.Distrust, _ sentence: String, _ cause: any Error
  ) -> DataSourceError {
    DataSourceError(.untrusted(reason), sentence, cause: "\(cause)")
  }
}
