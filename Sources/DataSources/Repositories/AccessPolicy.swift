/// A policy that determines which sources a repository uses, and in which order.
public enum AccessPolicy: Sendable {
  /// Reads like ``cacheSync(fallback:)`` and writes like ``mainSync``. Every repository supports
  /// this policy.
  case standard
  /// Uses only the main source.
  case main
  /// Uses only the cache. Reading an invalid entry throws `notValid` unless validation is ignored.
  case cache(ignoringValidation: Bool = false)
  /// Uses the main source, and stores its answer in the cache.
  case mainSync
  /// Reads the cache, and on a miss the main source. Writes the cache, then the main source.
  ///
  /// An entry that is missing, invalid or unreadable is a miss. When the main source fails on a
  /// read and `fallback` returns true, the result is the invalid cached entry.
  ///
  /// When the main source rejects a write, the cache is restored. Some writes, such as a put of all
  /// objects, change entries that the cache cannot restore. Such writes go to the main source
  /// first.
  case cacheSync(fallback: @Sendable (DataSourceError) -> Bool = { _ in false })

  /// The name of the policy, for messages.
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
