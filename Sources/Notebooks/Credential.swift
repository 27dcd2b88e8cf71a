/// An access token, and whether it belongs to the app or to a user.
package enum Credential: Sendable, Equatable {
  /// The token of the app, which bypasses the server's permission rules.
  case app(AccessToken)
  /// The token of a user, to whom the server's permission rules apply.
  case user(AccessToken)

  /// The kinds of tokens.
  package enum Holder: Sendable, CaseIterable {
    case app, user
  }

  package init(_ token: AccessToken, of holder: Holder) {
    switch holder {
    case .app: self = .app(token)
    case .user: self = .user(token)
    }
  }

  package var token: AccessToken {
    switch self {
    case .app(let token), .user(let token): token
    }
  }
}
