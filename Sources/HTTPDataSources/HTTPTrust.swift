/// The certificate authorities that a client trusts for an `https` address.
///
/// In each case, the server's certificate must be valid today and match the host of the address.
public enum HTTPTrust: Sendable, Hashable {
  /// The authorities of the system.
  case system
  /// The authorities of the system and those in a PEM file, such as a company's own. The value is the
  /// path of the file.
  case systemAnd(authorities: String)
  /// Only the certificates in a PEM file: authorities, or the server's own self-signed certificate.
  /// The value is the path of the file.
  case only(certificates: String)
}
