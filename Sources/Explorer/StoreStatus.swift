/// The store's name, permissions and connection status.
struct StoreStatus: Sendable, Equatable {
  /// The store's name in the header.
  let name: String
  /// The command-line argument that opens the store again.
  let address: String
  /// The address that identifies the store, so that it is not opened twice.
  let place: String
  /// A label before the name in the header, to tell similar stores apart.
  var label: String?
  /// The reason why the store is read-only, with advice; nil if it is writable.
  let readOnlyReason: String?
  /// The way in which changes by other programs are detected; nil if the store reports them itself.
  let changeDetection: String?
  /// A text about where changes are kept; nil if they are written to the store itself.
  let changeTarget: String?
  /// Whether the store is a copy that never changes, such as a backup or piped data.
  var isSnapshot = false
  /// The reason why the store can no longer be read; nil if it can.
  var failure: String?
  /// The reconnect status of the store's server; nil if the server is online.
  var absence: ReconnectStatus?
  /// The loading progress; nil if the store is loaded or does not report any.
  var opening: LoadingProgressView?
}
