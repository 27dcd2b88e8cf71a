/// The certificate authorities that a client trusts for an `https` address.
///
/// Whichever is trusted, the server's certificate must be valid today and match the host of the
/// address.
public enum HTTPTrust: Sendable, Hashable {
  /// The authorities of the system.
  case system
  /// The authorities of the system, and also those in the PEM file at `path`, such as a company's
  /// own.
  case systemAnd(authorities: String)
  /// Only the certificates in the PEM file at `path`, which are authorities or the server's own
  /// self-signed certificate.
  case only(certificates: String)
}
