/// A source of objects that must never be logged, not even by a debugging wrapper.
protocol SecretSource {}

extension SecretDataSource: SecretSource {}

/// A source or repository that consists of other sources, but is not a ``DataSourceWrapper``.
protocol CompositeSource {
  var parts: [any Sendable] { get }
}

enum Redaction {
  /// Returns whether `source` contains a source of secrets, at any depth.
  static func isNeeded(for source: any Sendable) -> Bool {
    switch source {
    case is any SecretSource: true
    case let wrapper as any DataSourceWrapper: isNeeded(for: wrapper.base)
    case let composite as any CompositeSource: composite.parts.contains(where: isNeeded)
    default: false
    }
  }
}
