public import DataSources

/// A store of secrets in memory. Tests can lock it like a keychain to see how a program reacts.
///
/// ```swift
/// let store = FaultySecretStore()
/// let tokens = SecretDataSource<String>(store)
/// await store.lock()
/// ```
public actor FaultySecretStore: SecretStore {
  private var content: [String: [UInt8]]
  private var lockedStatus: Int32?
  private var failures: [DataSourceError] = []
  /// Notifies watchers after each write and each damage, but not when the store is locked.
  public nonisolated let changes = ChangeSignal()

  /// Creates a store with `secrets`. It is not locked.
  public init(_ secrets: [String: [UInt8]] = [:]) {
    content = secrets
  }

  /// Makes every call throw `secretStore` until the store is unlocked.
  /// - Parameter status: The system's error code, for example −25308 for a locked keychain.
  public func lock(status: Int32 = -25_308) {
    lockedStatus = status
  }

  /// Unlocks the store. The secrets are unchanged.
  public func unlock() {
    lockedStatus = nil
  }

  /// Makes the next calls throw these errors, one error for each call.
  public func failNext(_ errors: DataSourceError...) {
    failures = errors
  }

  /// Replaces the content of `key` with bytes that are not a valid secret.
  public func damage(_ key: String) {
    content[key] = [0xFF]
    changes.ring()
  }

  private func checkAccess() throws(DataSourceError) {
    if !failures.isEmpty { throw failures.removeFirst() }
    if let lockedStatus {
      throw DataSourceError(.secretStore(status: lockedStatus), "The secret store is locked.")
    }
  }

  public func secrets(at keys: [String]) async throws(DataSourceError) -> [[UInt8]?] {
    try checkAccess()
    return keys.map { content[$0] }
  }

  public func keys() async throws(DataSourceError) -> [String] {
    try checkAccess()
    return content.keys.sorted()
  }

  public func write(_ secrets: [String: [UInt8]?]) async throws(DataSourceError) {
    try checkAccess()
    for (key, secret) in secrets { content[key] = secret }
    changes.ring()
  }
}
