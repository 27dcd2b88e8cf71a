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
    let found = try await tokens.find(for: address.description)
    let credential = found?.credential
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
      address, as: .init(credential), rejection: rejection(of: found?.place, by: address),
      access: access, archive: archive, clock: TimerClock(), log: log)
  }

  /// Returns what to say if the server at `address` rejects the token that was found at `place`,
  /// or requires a token.
  static func rejection(of place: Tokens.Place?, by address: ServerAddress) -> String {
    switch place {
    case .file(let path): "The server rejected the token in \(path). Put the right token there"
    case .variable(let name):
      "The server rejected the token in \(name). Start Sonde with the right one"
    case .secrets:
      "The server rejected the stored token. Store the right one with: sonde token \(address)"
    case nil: "The server requires a token. Store it with: sonde token \(address)"
    }
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
