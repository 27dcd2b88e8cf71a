package import Triples

/// Converts a mutation to and from its stored form.
extension PendingMutation {
  package var json: Value {
    var object = JSONObject()
    object["id"] = .text(id.text)
    object["order"] = .integer(Int64(order))
    object["created"] = .integer(created)
    if case .confirmed(let transactionID, let moment) = state {
      object["tx-id"] = .integer(Int64(transactionID))
      object["confirmed"] = .integer(moment)
    }
    object["tx-steps"] = transaction.json
    if let staging {
      object["summary"] = .text(staging.summary)
      object["batch"] = staging.batch.map { .text($0.text) }
      let seen = transaction.seen.sorted { $0.key < $1.key }
      object["seen"] = .object(
        JSONObject(seen.map { JSONObject.Member(key: String($0.key), value: $0.value) }))
    }
    return .object(object)
  }

  /// The valid range of order numbers.
  private static let numbers = 0...Int64(1) << 53

  /// Decodes a mutation that another process stored; nil when it is invalid. If it was not
  /// confirmed, it may have reached the server nevertheless.
  package init?(json: Value) {
    guard case .object(let object) = json, let id = object["id"]?.textValue,
      case .integer(let order)? = object["order"], Self.numbers.contains(order),
      case .integer(let created)? = object["created"], Self.numbers.contains(created),
      let steps = object["tx-steps"], var transaction = try? Transaction(json: steps)
    else { return nil }
    var staging: Staging?
    if let summary = object["summary"]?.textValue {
      staging = Staging(
        summary: summary, batch: object["batch"]?.textValue.map { MutationID($0) })
      transaction.restoreSeen(from: object["seen"])
    }
    var state = State.waiting
    if case .integer(let transactionID)? = object["tx-id"], Self.numbers.contains(transactionID) {
      // The time of the confirmation is on the clock of the other process, so it has no meaning
      // here.
      state = .confirmed(transactionID: Int(transactionID), at: 0)
    }
    self.init(
      transaction, id: MutationID(id), order: Int(order), created: created, state: state,
      mayHaveArrived: true, staging: staging)
  }
}

extension Transaction {
  /// Restores the values that the user saw before making the change, from their stored form.
  mutating func restoreSeen(from json: Value?) {
    guard case .object(let places)? = json else { return }
    for member in places.members {
      if let place = Int(member.key), steps.indices.contains(place) { seen[place] = member.value }
    }
  }
}
