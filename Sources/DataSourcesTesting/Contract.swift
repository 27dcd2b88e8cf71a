public import DataSources

/// The type of object that the tests of ``KeyValueContract`` store.
public struct Note: Sendable, Hashable, Codable, Identifiable {
  public var id: String
  /// The content, which distinguishes notes with the same id.
  public var text: String

  /// Creates a note.
  public init(_ id: String, _ text: String = "") {
    self.id = id
    self.text = text
  }
}

/// A test case of the contract: the content before a call, the call, its result, and the content
/// afterward.
///
///     row("p2: put over an array", "k=[a,b]", .put(c, k), .object(c), leaves: "k=c")
public struct ContractRow: Sendable, CustomStringConvertible {
  /// The name of the row, such as "p2: put over an array".
  public var name: String
  let given: ContractContent
  /// The call to perform.
  public internal(set) var call: Call<Note>
  let expected: Outcome<Note>
  let leaves: ContractContent

  /// Performs the call on `source`, which must be empty.
  /// - Returns: A sentence for each violation of the contract.
  public func complaints(about source: any LiveDataSource<Note>) async -> [String] {
    var complaints: [String] = []
    for call in given.calls {
      if case .failure(let code) = await call.outcome(on: source) {
        complaints.append("\(name): \(call), which prepares the content, failed with \(code)")
      }
    }
    let outcome = await call.outcome(on: source)
    if outcome != expected {
      complaints.append("\(name): \(call) returned \(outcome) instead of \(expected)")
    }
    for (call, expected) in leaves.proofs {
      let outcome = await call.outcome(on: source)
      if outcome != expected {
        complaints.append(
          "\(name): after the call, \(call) returned \(outcome) instead of \(expected)")
      }
    }
    return complaints
  }

  /// The same row with the call `deleteAll` instead of `delete`.
  var callingDeleteAll: ContractRow {
    guard case .delete(let query) = call else { return self }
    var row = self
    row.name += " (deleteAll)"
    row.call = .deleteAll(query)
    return row
  }

  public var description: String { name }
}

/// Creates a row. `given` is the content before the call, and `leaves` the content after it. If
/// `leaves` is nil, the call must not change the content.
func row(
  _ name: String, _ given: String, _ call: Call<Note>, _ expected: Outcome<Note>,
  leaves: String? = nil
) -> ContractRow {
  ContractRow(
    name: name, given: ContractContent(given), call: call, expected: expected,
    leaves: ContractContent(leaves ?? given))
}
