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

/// One line of the contract: calls in order, each with what must come of it, on a fresh source.
public struct ContractRow: Sendable, CustomStringConvertible {
  public typealias Step = (call: Call<Note>, expected: Outcome<Note>?)

  public var name: String
  public var steps: [Step]

  init(_ name: String, given: [Call<Note>] = [], _ steps: (Call<Note>, Outcome<Note>)...) {
    self.name = name
    self.steps = given.map { ($0, nil) } + steps.map { ($0.0, $0.1) }
  }

  /// Makes the calls on `source`, which must be empty.
  /// - Returns: What was not as the contract wants it; empty when all was.
  public func complaints(about source: any LiveDataSource<Note>) async -> [String] {
    var complaints: [String] = []
    for (call, expected) in steps {
      let outcome = await call.outcome(on: source)
      switch (outcome, expected) {
      case (let outcome, let expected?) where outcome != expected:
        complaints.append("\(name): \(call) gave \(outcome), not \(expected)")
      case (.failure(let code), nil):
        complaints.append("\(name): \(call) failed with \(code) while preparing")
      default: break
      }
    }
    return complaints
  }

  /// The same line with `deleteAll` for every `delete`.
  var sayingDeleteAll: ContractRow {
    var row = self
    row.name += " (deleteAll)"
    row.steps = steps.map { step in
      guard case .delete(let query) = step.call else { return step }
      return (.deleteAll(query), step.expected)
    }
    return row
  }

  public var description: String { name }
}
