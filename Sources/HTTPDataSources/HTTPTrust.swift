/// Which servers an `https` address is believed to be.
///
/// A certificate must in any case be valid today and be for the host of the address.
public enum HTTPTrust: Sendable, Hashable {
  /// Those that an authority of the system vouches for.
  case system
  /// Those, and the ones that an authority in the PEM file at `path` vouches for: a company's own.
  case systemAnd(authorities: String)
  /// Only those that a certificate in the PEM file at `path` vouches for: an authority, or the
  /// server's own self-signed certificate.
  case only(certificates: String)
}
