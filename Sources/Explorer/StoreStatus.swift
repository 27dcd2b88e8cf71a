/// The store's name, permissions and connection status.
struct StoreStatus: Sendable, Equatable {
  /// Its name in the header.
  let name: String
  /// The argument that opens it again.
  let address: String
  /// A label before its name in the header, to tell similar stores apart.
  var label: String?
  /// The reason why it is read-only, with advice; nil if it is writable.
  let readOnlyReason: String?
  /// How changes made by other programs are detected; nil if the store reports them.
  let changeDetection: String?
  /// Where changes are kept if not in the store itself; nil otherwise.
  let changeTarget: String?
  /// Whether it is a copy that never changes, such as a backup or piped data.
  var isSnapshot = false
  /// The reason why it can no longer be read; nil if it can.
  var failure: String?
  /// The reconnect status of its server; nil if it is online.
  var absence: ReconnectStatus?
  /// The loading progress; nil if it is loaded or reports none.
  var opening: LoadingProgressView?
}
