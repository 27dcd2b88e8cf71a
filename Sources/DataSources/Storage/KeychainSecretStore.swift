#if canImport(Security)
  import Foundation
  import Security

  /// Stores secrets in the macOS keychain, as generic passwords of one service.
  public actor KeychainSecretStore: SecretStore {
    private let service: String
    /// Notifies watchers after each write by this object, but not after writes of other programs.
    public nonisolated let changes = ChangeSignal()

    /// Creates a store of the secrets of one service.
    ///
    /// - Parameter service: The name under which the keychain groups the secrets, such as the name of
    ///   the program.
    public init(service: String) {
      self.service = service
    }

    /// Returns the secret of each account in `keys`; nil for a missing one.
    ///
    /// - Throws: `secretStore` with the keychain's status, for example if it is locked.
    public func secrets(at keys: [String]) throws(DataSourceError) -> [[UInt8]?] {
      var secrets: [[UInt8]?] = []
      for key in keys { secrets.append(try secret(key)) }
      return secrets
    }

    public func keys() throws(DataSourceError) -> [String] {
      var query = item(nil)
      query[kSecMatchLimit] = kSecMatchLimitAll
      query[kSecReturnAttributes] = true
      var found: CFTypeRef?
      switch SecItemCopyMatching(query as CFDictionary, &found) {
      case errSecSuccess:
        let items = found as? [[CFString: Any]] ?? []
        return items.compactMap { $0[kSecAttrAccount] as? String }.sorted()
      case errSecItemNotFound: return []
      case let status: throw refusal(status)
      }
    }

    /// Writes all secrets. If a write fails, the old values are restored, because the keychain has
    /// no transactions.
    public func write(_ secrets: [String: [UInt8]?]) throws(DataSourceError) {
      var undo: [(key: String, old: [UInt8]?)] = []
      do throws(DataSourceError) {
        for (key, new) in secrets {
          let old = try secret(key)
          try set(key, new, replacing: old)
          undo.append((key, old))
        }
      } catch {
        for (key, old) in undo.reversed() {
          // If an old value cannot be restored, it is lost; the caller gets the original error.
          try? set(key, old, replacing: secrets[key] ?? nil)
        }
        throw error
      }
      changes.ring()
    }

    private func set(
      _ key: String, _ new: [UInt8]?, replacing old: [UInt8]?
    ) throws(DataSourceError) {
      let status: OSStatus
      switch (old, new) {
      case (_, nil): status = SecItemDelete(item(key) as CFDictionary)
      case (nil, let new?):
        var query = item(key)
        query[kSecValueData] = Data(new)
        status = SecItemAdd(query as CFDictionary, nil)
      case (_?, let new?):
        status = SecItemUpdate(
          item(key) as CFDictionary, [kSecValueData: Data(new)] as CFDictionary)
      }
      guard status == errSecSuccess || (new == nil && status == errSecItemNotFound) else {
        throw refusal(status)
      }
    }

    private func secret(_ key: String) throws(DataSourceError) -> [UInt8]? {
      var query = item(key)
      query[kSecReturnData] = true
      var found: CFTypeRef?
      switch SecItemCopyMatching(query as CFDictionary, &found) {
      case errSecSuccess: return (found as? Data).map(Array.init)
      case errSecItemNotFound: return nil
      case let status: throw refusal(status)
      }
    }

    private func item(_ key: String?) -> [CFString: Any] {
      var item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
      item[kSecAttrAccount] = key
      return item
    }

    private func refusal(_ status: OSStatus) -> DataSourceError {
      let reason = SecCopyErrorMessageString(status, nil) as String? ?? "status \(status)"
      return DataSourceError(
        .secretStore(status: status), "Keychain access failed: \(reason)")
    }
  }
#endif
