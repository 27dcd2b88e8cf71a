import Widgets

extension TextField {
  /// Completes the typed path as far as all paths that begin with it agree.
  ///
  /// - Returns: The reason why nothing was added; nil if the path is longer now.
  mutating func completePath(with paths: [String]) -> Notice? {
    // The user has typed on since the paths were requested.
    guard paths.allSatisfy({ $0.hasPrefix(text) }) else { return nil }
    guard let first = paths.first else { return .noPath }
    let common = paths.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    guard common != text else { return paths.count > 1 ? .paths(paths) : nil }
    self = TextField(common)
    return nil
  }
}

extension String {
  /// Returns the text at the beginning that both have.
  func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
