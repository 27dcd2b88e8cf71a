import DataSources
import Notebooks
import ServerStores
import Stores
import WebSockets

extension ServerStore {
  /// Opens a store behind a server, with the token for its address and a local archive for offline
  /// use.
  ///
  /// - Parameter log: Called with a message for each rejected change whose result no caller
  ///   awaits.
  /// - Throws: An error of `Tokens` if the token cannot be read.
  static func open(
    _ address: ServerAddress, access: StoreAccess, tokens: Tokens,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(DataSourceError) -> RemoteStore {
    let credential = try await tokens.credential(for: address.description)
    if credential != nil, !address.isSecure, !address.isLocal {
      log(
        "Warning: the token is sent to \(address) unencrypted. Use wss:// if the server supports it."
      )
    }
    let archive = Folders().map { folders in
      RemoteArchive(
        folder: folders.state + "/servers/" + name(of: address, credential),
        clock: TimerClock())
    }
    return open(
      address, as: .init(credential), access: access, archive: archive, clock: TimerClock(),
      log: log)
  }

  /// Returns the name of the archive folder for an address and a token. Each token has its own
  /// folder, because different tokens may give access to different data.
  private static func name(of address: ServerAddress, _ credential: Notebooks.Credential?) -> String
  {
    let place = address.description.utf8.map { byte -> String in
      plain.contains(byte) ? String(UnicodeScalar(byte)) : "_"
    }
    // The hash is FNV-1a. It does not reveal a token of this length.
    let token = credential?.token.secret ?? ""
    let hash = (token + address.description).utf8.reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return place.joined().suffix(80) + "-" + String(hash, radix: 16)
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.".utf8)
}

extension ServerStore.Credential {
  fileprivate init(_ credential: Notebooks.Credential?) {
    switch credential {
    case nil: self = .none
    case .app(let token): self = .admin(token: token.secret)
    case .user(let token): self = .user(token: token.secret)
    }
  }
}
