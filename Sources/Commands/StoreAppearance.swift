/// The appearance of stores by address, to tell similar stores apart:
///
///     [stores."wss://api.example.com/*"]
///     theme = "high-contrast"
///     label = "PRODUCTION"
struct StoreAppearance: Equatable {
  /// A pattern for addresses, in which `*` matches any characters.
  let addresses: String
  var theme: String?
  /// The label in the header next to the program's name.
  var label: String?

  static let names = ["theme", "label"]

  /// Returns whether the pattern matches an address.
  ///
  /// - Complexity: O(length of the address × stars).
  func matches(_ address: String) -> Bool {
    var parts = addresses.split(separator: "*", omittingEmptySubsequences: false)[...]
    guard let first = parts.popFirst(), address.hasPrefix(first) else { return false }
    guard let last = parts.popLast() else { return address == first }
    var rest = address.dropFirst(first.count)
    for part in parts where !part.isEmpty {
      guard let start = rest.firstStart(of: part) else { return false }
      rest = rest[start...].dropFirst(part.count)
    }
    return rest.hasSuffix(last)
  }
}

extension Substring {
  fileprivate func firstStart(of text: Substring) -> Index? {
    indices.first { self[$0...].hasPrefix(text) }
  }
}

extension Settings {
  /// Returns the appearance whose pattern matches the address; the longest pattern if several
  /// match.
  func look(of address: String) -> StoreAppearance? {
    stores.filter { $0.matches(address) }.max {
      ($0.addresses.count, $1.addresses) < ($1.addresses.count, $0.addresses)
    }
  }
}
