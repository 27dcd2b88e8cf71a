/// The hosts of an address with their ports, as libpq's parameters list them.
struct PostgresHosts: Hashable, Sendable {
  private struct Host: Hashable {
    var name: String
    /// The numeric address of the parameter `hostaddr`.
    var address: String
    var port: String
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
    let port = port.isEmpty ? Self.defaultPort : port
    var others = self
    others.hosts.removeAll { host in
      (host.name.isEmpty ? host.address : host.name) == name && host.port == port
    }
    return others.hosts.isEmpty || others.hosts.count == hosts.count ? nil : others
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
