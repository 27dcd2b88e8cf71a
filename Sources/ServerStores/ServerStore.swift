public import DataSources
public import Stores
import Sync
import Triples
package import WebSockets

/// Opens stores that are behind a server: another Sonde, or a server of Instant.
///
/// ```swift
/// let store = try ServerStore.open("ws://localhost:8888/APP", as: .admin(token: token))
/// let open = try await EntityQuery.from("tasks").filter("done = false").all(in: store)
/// ```
///
/// The store connects on its first use and reconnects automatically. Changes made while offline are
/// sent after reconnecting. The freshness of a snapshot shows whether the server has confirmed it.
public enum ServerStore {
  /// The identity with which a store accesses a server.
  public enum Credential: Hashable, Sendable {
    /// An anonymous client. The rules of the app determine what it may see.
    case none
    /// The owner of the app, who may see and change everything.
    case admin(token: String)
    /// A user of the app, identified by a refresh token.
    case user(token: String)
  }

  /// Opens a store behind the server at `address`.
  ///
  /// - Parameters:
  ///   - address: `ws://host:port/APP`, `wss://…` or `instant://APP`.
  ///   - credential: The identity of the client. A token is sent unencrypted to `ws://`.
  ///   - access: Whether changes are allowed; by default they are rejected.
  ///   - archiveFolder: A folder that only this store uses, for queued changes and the last
  ///     answers. Without a folder, they are lost when the process ends.
  ///   - log: Receives rejections of changes that no caller waits for.
  /// - Throws: `illegalArgument` when the address is invalid. If the server cannot be reached, the
  ///   first call throws.
  public static func open(
    _ address: String, as credential: Credential = .none, access: StoreAccess = .readOnly,
    archiveFolder: String? = nil, log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(DataSourceError) -> RemoteStore {
    let parsed: ServerAddress
    do throws(WebSocketError) { parsed = try ServerAddress(address) } catch {
      throw .illegalArgument(error.message)
    }
    return open(
      parsed, as: credential, access: access,
      archive: archiveFolder.map { RemoteArchive(folder: $0, clock: ContinuousClock()) },
      clock: ContinuousClock(), log: log)
  }

  /// Opens a store behind the server at `address`, with an archive and a clock.
  ///
  /// - Parameter rejection: What to say if the server rejects the credential.
  package static func open(
    _ address: ServerAddress, as credential: Credential, rejection: String? = nil,
    access: StoreAccess, archive: RemoteArchive?, clock: any Clock<Duration>,
    log: @escaping @Sendable (String) -> Void
  ) -> RemoteStore {
    let client = WebSocketClient(address)
    var opening = opening(address.appID, as: credential)
    opening.rejection = rejection
    return RemoteStore(opening, access: access, archive: archive, clock: clock, log: log) {
      try await client.connect()
    }
  }

  private static func opening(_ appID: String, as credential: Credential) -> Opening {
    switch credential {
    case .none: Opening(appID: appID)
    case .admin(let token): Opening(appID: appID, adminToken: token)
    case .user(let token): Opening(appID: appID, refreshToken: token)
    }
  }
}
