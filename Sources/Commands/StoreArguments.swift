import InstaQL
import Stores

/// The arguments after the first store: more stores, then the words of a query.
///
/// These name a store: a URL, a path with a slash, and an existing file whose name has a dot.
/// Query texts, objects in braces, and `@` with the name of a saved query start a query. The name of
/// a demo or of an existing file is a store if another store follows. If it is the last argument, it
/// is a query if the first store has a namespace of that name, and a store otherwise.
struct StoreArguments: Equatable {
  /// The addresses of the stores after the first one.
  let stores: [String]
  let query: [String]

  init(_ arguments: [String]) {
    var stores: [String] = []
    var rest = arguments[...]
    while let next = rest.first {
      let isFollowed = rest.dropFirst().first.map { Self.isStore($0) || Self.isName($0) } ?? false
      let isMeant =
        Self.isStore(next) || Self.isName(next) && isFollowed && !Self.isQuery(Array(rest))
      guard isMeant else { break }
      stores.append(next)
      rest.removeFirst()
    }
    (self.stores, query) = (stores, Array(rest))
  }

  /// The only word of the query, if it is also the name of a demo or of an existing file.
  var storeInsteadOfQuery: String? {
    query.count == 1 ? query.first.flatMap { Self.isName($0) ? $0 : nil } : nil
  }

  /// The only word of the query, if it looks like the name of a file.
  var fileInsteadOfQuery: String? {
    guard query.count == 1, let word = query.first, word.contains("."),
      !word.contains(where: \.isWhitespace)
    else { return nil }
    return word
  }

  /// Returns whether an argument can only be a store.
  private static func isStore(_ argument: String) -> Bool {
    if Files.kind(of: argument) != nil { return argument.contains("/") || argument.contains(".") }
    guard !argument.contains(where: \.isWhitespace), let first = argument.first,
      !"@{[".contains(first)
    else { return false }
    return argument.contains("/")
  }

  /// Returns whether an argument is the name of a store, but possibly also of a namespace.
  private static func isName(_ argument: String) -> Bool {
    StoreLocation.demoFolder(argument) != nil || Files.kind(of: argument) != nil
  }

  private static func isQuery(_ words: [String]) -> Bool {
    (try? QueryDocument.checkSyntax(of: words.joined(separator: " "))) != nil
  }
}
