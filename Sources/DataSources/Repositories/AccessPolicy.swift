/// Which of a repository's sources are asked, and in what order.
public enum AccessPolicy: Sendable {
  /// What every repository can do: reads as ``cacheSync(fallback:)``, writes as ``mainSync``.
  case standard
  /// The main source alone.
  case main
  /// The cache alone; what is no longer valid is `notValid` unless validation is ignored.
  case cache(ignoringValidation: Bool = false)
  /// The main source, then the cache is brought up to date.
  case mainSync
  /// Reads: the cache, and on a miss the main source. Writes: the cache, then the main source.
  ///
  /// A miss is an entry that is not there, not valid, or cannot be read. When the main source fails
  /// on a read and `fallback` says so, what the cache had is answered though it is not valid.
  ///
  /// A write that the main source refuses leaves the cache as it was. What cannot be put back entry by
  /// entry, such as all objects, therefore goes to the main source first.
  case cacheSync(fallback: @Sendable (DataSourceError) -> Bool = { _ in false })

  /// The policy's name, for messages.
  var name: String {
    switch self {
    case .standard: "standard"
    case .main: "main"
    case .cache: "cache"
    case .mainSync: "mainSync"
    case .cacheSync: "cacheSync"
    }
  }
}
