/// The access that a server grants to its clients.
package struct AccessRule: Sendable {
  /// The token that clients must send; nil admits every client.
  package var token: String?
  /// Whether clients may change the store.
  package var allowsWriting: Bool
  /// The title of the app, which clients may show.
  package var title: String

  package init(token: String? = nil, allowsWriting: Bool = true, title: String = "Sonde") {
    self.token = token
    self.allowsWriting = allowsWriting
    self.title = title
  }

  /// Returns whether the given token is correct. The comparison always takes the same time.
  package func accepts(_ given: String?) -> Bool {
    guard let token else { return true }
    guard let given, !token.isEmpty else { return false }
    let wanted = Array(token.utf8)
    let shown = Array(given.utf8)
    var difference = wanted.count ^ shown.count
    for (place, byte) in shown.enumerated() {
      difference |= Int(byte ^ wanted[place % wanted.count])
    }
    return difference == 0
  }
}
