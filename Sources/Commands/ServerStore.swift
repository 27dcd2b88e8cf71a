import DataSources
import Notebooks
import Stores
import Sync
import WebSockets

/// A store behind a server, as the command line opens it: with the token for its address, and with an
/// archive for when the server is away.
///
/// The token of `Tokens` is the app's own, which no rule binds; that of one of its users stands in
/// `SONDE_REFRESH_TOKEN`.
enum ServerStore {
  /// Calls nobody yet: the store does so when it is asked for something.
  ///
  /// - Parameter tokenFile: What `--token-file` names.
  static func open(
    _ address: ServerAddress, access: StoreAccess, tokenFile: String? = nil
  ) async throws(DataSourceError) -> RemoteStore {
    let folders = Folders()
    let secrets: any DataSource<String> =
      folders.map(Tokens.secrets) ?? InMemoryDataSource<String>()
    let token = try await Tokens(secrets: secrets, file: tokenFile)
      .token(for: address.description)?.secret
    let archive = folders.map { folders in
      RemoteArchive(folder: folders.state + "/servers/" + name(of: address, token))
    }
    let client = WebSocketClient(address)
    return RemoteStore(
      Opening(
        appID: address.appID, refreshToken: Folders.variable("SONDE_REFRESH_TOKEN"),
        adminToken: token), access: access, archive: archive
    ) { try await client.connect() }
  }

  /// The folder of what this user saw there: another token may see other things.
  private static func name(of address: ServerAddress, _ token: String?) -> String {
    let place = address.description.utf8.map { byte -> String in
      plain.contains(byte) ? String(UnicodeScalar(byte)) : "_"
    }
    // FNV-1a. A token cannot be had back from it: it is far longer.
    let user = Folders.variable("SONDE_REFRESH_TOKEN") ?? ""
    let hash = ((token ?? "") + user + address.description).utf8.reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return place.joined().suffix(80) + "-" + String(hash, radix: 16)
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.".utf8)
}
