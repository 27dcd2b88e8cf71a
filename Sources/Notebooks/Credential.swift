/// A token, and whom it stands for.
package enum Credential: Sendable, Equatable {
  /// The app's own: no rule of the server binds it.
  case app(Token)
  /// One of the app's users, whom its rules bind.
  case user(Token)

  /// Whom a token can stand for.
  package enum Holder: Sendable, CaseIterable {
    case app, user
  }

  package init(_ token: Token, of holder: Holder) {
    switch holder {
    case .app: self = .app(token)
    case .user: self = .user(token)
    }
  }

  package var token: Token {
    switch self {
    case .app(let token), .user(let token): token
    }
  }
}
