import DataSources
import Notebooks
import Stores
import Sync
import WebSockets

/// A store behind a server, as the command line opens it: with the token for its address, and with an
/// archive for when the server is away.
enum ServerStore {
  /// Calls nobody yet: the store does so when it is asked for something.
  ///
  /// - Parameter log: Told of changes that were refused after all, when nobody waits for them.
  /// - Throws: What `Tokens` throws of a token that cannot be had.
  static func open(
    _ address: ServerAddress, access: StoreAccess, tokens: Tokens,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(DataSourceError) -> RemoteStore {
    let credential = try await tokens.credential(for: address.description)
    if credential != nil, !address.isSecure, !address.isLocal {
      log("Warning: the token travels to \(address) in clear text; use wss:// if the server can.")
    }
    let archive = Folders().map { folders in
      RemoteArchive(
        folder: folders.state + "/servers/" + name(of: address, credential),
        clock: AlarmClock())
    }
    let client = WebSocketClient(address)
    return RemoteStore(
      opening(address.appID, as: credential), access: access, archive: archive, clock: AlarmClock(),
      log: log
    ) { try await client.connect() }
  }

  private static func opening(_ appID: String, as credential: Credential?) -> Opening {
    switch credential {
    case nil: Opening(appID: appID)
    case .app(let token): Opening(appID: appID, adminToken: token.secret)
    case .user(let token): Opening(appID: appID, refreshToken: token.secret)
    }
  }

  /// The folder of what this user saw there: another token may see other things.
  private static func name(of address: ServerAddress, _ credential: Credential?) -> String {
    let place = address.description.utf8.map { byte -> String in
      plain.contains(byte) ? String(UnicodeScalar(byte)) : "_"
    }
    // FNV-1a. A token cannot be had back from it: it is far longer.
    let token = credential?.token.secret ?? ""
    let hash = (token + address.description).utf8.reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return place.joined().suffix(80) + "-" + String(hash, radix: 16)
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.".utf8)
}
