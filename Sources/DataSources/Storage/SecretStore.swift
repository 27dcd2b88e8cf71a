/// Storage for secrets, used by ``SecretDataSource``.
public protocol SecretStore: Sendable {
  /// Returns the secret stored under each of `keys`; nil for a missing secret.
  /// - Throws: `secretStore` when the store is locked or denies access.
  func secrets(at keys: [String]) async throws(DataSourceError) -> [[UInt8]?]

  /// Returns all keys, sorted by their text.
  func keys() async throws(DataSourceError) -> [String]

  /// Stores all of the given secrets, or none of them if that fails. A nil value removes the
  /// secret.
  func write(_ secrets: [String: [UInt8]?]) async throws(DataSourceError)

  /// Notifies watchers after each change.
  var changes: ChangeSignal { get }
}

/// Stores tokens and passwords in a private file or in the system's keychain.
///
/// ```swift
/// let tokens = SecretDataSource<String>(FileSecretStore(path: configFolder + "/secrets"))
/// try await tokens.put(token, id: "ws://host/app")
/// ```
///
/// If the store is locked or denies access, calls throw `secretStore`, never `notFound`. Objects
/// never appear in an error or a log.
public struct SecretDataSource<Object: Codable & Sendable>: KeyValueDataSource {
  private let store: any SecretStore

  /// Creates a source of the secrets in `store`, encoded as JSON.
  public init(_ store: any SecretStore) {
    self.store = store
  }

  public var changes: ChangeSignal { store.changes }

  public func entries(at keys: [String]) async throws(DataSourceError) -> [DataEntry<Object>?] {
    let secrets = try await store.secrets(at: keys)
    var entries: [DataEntry<Object>?] = []
    for (key, secret) in zip(keys, secrets) {
      entries.append(try secret.map { bytes throws(DataSourceError) in try read(bytes, key) })
    }
    return entries
  }

  public func entries() async throws(DataSourceError) -> [DataEntry<Object>] {
    try await entries(at: store.keys()).compactMap(\.self)
  }

  public func apply(_ changes: [DataChange<Object>]) async throws(DataSourceError) {
    var secrets: [String: [UInt8]?] = [:]
    for change in changes {
      switch change {
      case .set(let key, let entry): secrets[key] = .some(try write(entry, key))
      case .remove(let key): secrets[key] = .some(nil)
      case .removeAll:
        secrets = [:]
        for key in try await store.keys() { secrets[key] = .some(nil) }
      }
    }
    try await store.write(secrets)
  }

  private func read(_ bytes: [UInt8], _ key: String) throws(DataSourceError) -> DataEntry<Object> {
    do throws(DataSourceError) {
      let secret: Secret<Object> = try JSONCoding.standard.read(from: bytes, "")
      if let many = secret.many { return .many(many) }
      if let one = secret.v { return .one(one) }
      return .one(try JSONCoding.standard.read(NullableSecret<Object>.self, from: bytes, "").v)
    } catch {
      // The decoder's error is not included, because its description could quote the secret.
      throw .dataSerialization("The secret \"\(key)\" cannot be decoded as \(Object.self).")
    }
  }

  private func write(_ entry: DataEntry<Object>, _ key: String) throws(DataSourceError) -> [UInt8] {
    do throws(DataSourceError) {
      return try JSONCoding.standard.write(Secret(entry), "")
    } catch {
      throw .dataSerialization("The secret \"\(key)\" cannot be encoded as JSON.")
    }
  }
}

/// The stored form of a secret: a JSON object around it, so that it can also be a plain number or
/// string.
private struct Secret<Object: Codable & Sendable>: Codable {
  var v: Object?
  var many: [Object]?

  init(_ entry: DataEntry<Object>) {
    switch entry {
    case .one(let object): v = object
    case .many(let objects): many = objects
    }
  }
}

/// A secret whose object may be a JSON null. With an optional property, null would look like a
/// missing object.
private struct NullableSecret<Object: Decodable>: Decodable {
  var v: Object
}
