public import DataSources

/// The object that the contract stores.
public struct Note: Sendable, Hashable, Codable, Identifiable {
  public var id: String
  public var text: String

  public init(_ id: String, _ text: String = "") {
    self.id = id
    self.text = text
  }
}

/// One line of the contract: a call on a source with a known content, what must come of it, and what
/// the source must hold afterwards.
///
///     row("p2 put over many", "k=[a,b]", .put(c, k), .object(c), leaves: "k=c")
public struct ContractRow: Sendable, CustomStringConvertible {
  public var name: String
  let given: ContractContent
  /// What is called on the source.
  public internal(set) var call: Call<Note>
  let expected: Outcome<Note>
  let leaves: ContractContent

  /// Makes the call on `source`, which must be empty.
  /// - Returns: What was not as the contract wants it; empty when all was.
  public func complaints(about source: any LiveDataSource<Note>) async -> [String] {
    var complaints: [String] = []
    for call in given.calls {
      if case .failure(let code) = await call.outcome(on: source) {
        complaints.append("\(name): \(call) failed with \(code) while preparing")
      }
    }
    let outcome = await call.outcome(on: source)
    if outcome != expected {
      complaints.append("\(name): \(call) gave \(outcome), not \(expected)")
    }
    for (call, expected) in leaves.proofs {
      let outcome = await call.outcome(on: source)
      if outcome != expected {
        complaints.append("\(name): afterwards \(call) gave \(outcome), not \(expected)")
      }
    }
    return complaints
  }

  /// The same line with `deleteAll` for `delete`.
  var sayingDeleteAll: ContractRow {
    guard case .delete(let query) = call else { return self }
    var row = self
    row.name += " (deleteAll)"
    row.call = .deleteAll(query)
    return row
  }

  public var description: String { name }
}

/// A row; without `leaves` the source holds afterwards what it held before.
func row(
  _ name: String, _ given: String, _ call: Call<Note>, _ expected: Outcome<Note>,
  leaves: String? = nil
) -> ContractRow {
  ContractRow(
    name: name, given: ContractContent(given), call: call, expected: expected,
    leaves: ContractContent(leaves ?? given))
}
