/// Who may open a session, and what sessions may do.
package struct AccessRule: Sendable {
  /// What a client must show; nil takes everybody in.
  package var token: String?
  /// Whether the store may be changed.
  package var allowsWriting: Bool
  /// What the app is called by those who ask.
  package var title: String

  package init(token: String? = nil, allowsWriting: Bool = true, title: String = "Sonde") {
    self.token = token
    self.allowsWriting = allowsWriting
    self.title = title
  }

  /// Whether a token opens the door. It takes the same time wherever a wrong one goes wrong.
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
