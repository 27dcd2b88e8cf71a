/// A source whose objects are told to nobody, not even by a wrapper that tells what passes.
protocol SecretSource {}

extension SecretDataSource: SecretSource {}

/// A source or repository made of others, besides a ``DataSourceWrapper``.
protocol CompositeSource {
  var parts: [any Sendable] { get }
}

enum Secrecy {
  /// Whether secrets lie in `source`, however deep.
  static func isHeld(by source: any Sendable) -> Bool {
    switch source {
    case is any SecretSource: true
    case let wrapper as any DataSourceWrapper: isHeld(by: wrapper.base)
    case let composite as any CompositeSource: composite.parts.contains(where: isHeld)
    default: false
    }
  }
}
