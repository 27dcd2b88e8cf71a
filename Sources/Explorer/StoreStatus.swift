/// The store's name, permissions and connection status.
struct StoreStatus: Sendable, Equatable {
  /// The store's name in the header.
  let name: String
  /// The argument with which a command opens the store again.
  let address: String
  /// The address that identifies the store, however it was opened.
  let place: String
  /// A label before the name in the header, to tell similar stores apart.
  var label: String?
  /// The reason why the store is read-only, with advice; nil if it is writable.
  let readOnlyReason: String?
  /// The method by which changes of other programs are detected; nil if the store reports them.
  let changeDetection: String?
  /// The place where changes are kept; nil if that is the store itself.
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
