import Synchronization

/// The hosts of an address with their ports, as libpq's parameters list them.
struct PostgresHosts: Hashable, Sendable {
  private struct Host: Hashable {
    var name: String
    /// The numeric address of the parameter `hostaddr`.
    var address: String
    var port: String

    func matches(_ name: String, _ port: String) -> Bool {
      (self.name.isEmpty ? address : self.name) == name
        && self.port == (port.isEmpty ? defaultPort : port)
    }
  }

  private var hosts: [Host]

  /// Creates the hosts from libpq's parameters, whose values are lists with commas.
  init(names: String, addresses: String = "", ports: String) {
    let (names, addresses, ports) = (Self.list(names), Self.list(addresses), Self.list(ports))
    hosts = (0..<max(names.count, addresses.count)).map { place in
      // A single port is the port of all hosts.
      let port = ports.count == 1 ? ports[0] : place < ports.count ? ports[place] : ""
      return Host(
        name: place < names.count ? names[place] : "",
        address: place < addresses.count ? addresses[place] : "",
        port: port.isEmpty ? Self.defaultPort : port)
    }
  }

  private static func list(_ text: String) -> [String] {
    if text.isEmpty { return [] }
    return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  private static let defaultPort = "5432"

  /// Returns the other hosts; nil if there are none, or if no host has this name and port.
  ///
  /// - Parameter name: The name; if the host has none, its address.
  func without(_ name: String, port: String) -> PostgresHosts? {
    var others = self
    others.hosts.removeAll { $0.matches(name, port) }
    return others.hosts.isEmpty || others.hosts.count == hosts.count ? nil : others
  }

  /// Returns the hosts with the one of this name and port last.
  func withLast(_ name: String, port: String) -> PostgresHosts {
    var others = self
    let last = hosts.filter { $0.matches(name, port) }
    others.hosts = hosts.filter { !$0.matches(name, port) } + last
    return others
  }

  /// The remembered hosts, keyed by address.
  private static let remembered = Mutex<[String: PostgresHosts]>([:])

  /// Stores the order in which later sessions of this process try the hosts of an address.
  func remember(for address: String) { Self.remembered.withLock { $0[address] = self } }

  /// Returns the hosts that were remembered for an address; nil if none were.
  static func known(for address: String) -> PostgresHosts? {
    remembered.withLock { $0[address] }
  }

  /// The parameters for libpq, without those that have no value.
  var keywords: [(String, String)] {
    [
      ("host", hosts.map(\.name)), ("hostaddr", hosts.map(\.address)), ("port", hosts.map(\.port)),
    ].compactMap { keyword, values in
      values.allSatisfy(\.isEmpty) ? nil : (keyword, values.joined(separator: ","))
    }
  }
}
