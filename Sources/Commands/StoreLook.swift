/// How the stores of some addresses look, so that nobody takes one for another:
///
///     [stores."wss://api.example.com/*"]
///     theme = "high-contrast"
///     label = "PRODUCTION"
struct StoreLook: Equatable {
  /// Addresses as they are typed; `*` stands for any characters.
  let addresses: String
  var theme: String?
  /// What stands in the header beside the program's name.
  var label: String?

  static let names = ["theme", "label"]

  /// Whether it is about that address.
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
  /// How the store of an address looks: as the longest of the patterns says that it matches.
  func look(of address: String) -> StoreLook? {
    stores.filter { $0.matches(address) }.max {
      ($0.addresses.count, $1.addresses) < ($1.addresses.count, $0.addresses)
    }
  }
}
