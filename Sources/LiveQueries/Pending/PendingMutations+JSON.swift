package import Triples

/// The form that is kept on disk: a list of objects, in order.
extension PendingMutations {
  package var json: Value { .array(mutations.map(\.json)) }

  /// Reads what was kept. What was not confirmed then may have arrived since.
  ///
  /// - Returns: nil when it is no such list. Single mutations that make no sense are left out and
  ///   counted: they must not hold back the others.
  package static func restored(
    from json: Value
  ) -> (mutations: PendingMutations, unreadable: Int)? {
    guard case .array(let items) = json else { return nil }
    var pending = PendingMutations()
    pending.mutations = items.compactMap(PendingMutation.init(json:)).sorted { $0.order < $1.order }
    for place in pending.mutations.indices { pending.mutations[place].mayHaveArrived = true }
    return (pending, items.count - pending.mutations.count)
  }
}

extension PendingMutation {
  var json: Value {
    var object = JSONObject()
    object["id"] = .text(id.text)
    object["order"] = .integer(Int64(order))
    object["created"] = .integer(created)
    if case .confirmed(let transactionID, let moment) = state {
      object["tx-id"] = .integer(Int64(transactionID))
      object["confirmed"] = .integer(moment)
    }
    object["tx-steps"] = transaction.json
    return .object(object)
  }

  init?(json: Value) {
    guard case .object(let object) = json, let id = object["id"]?.textValue,
      case .integer(let order)? = object["order"], case .integer(let created)? = object["created"],
      let steps = object["tx-steps"], let transaction = try? Transaction(json: steps)
    else { return nil }
    var state = State.waiting
    if case .integer(let transactionID)? = object["tx-id"],
      case .integer(let moment)? = object["confirmed"]
    {
      state = .confirmed(transactionID: Int(transactionID), at: moment)
    }
    self.init(
      transaction, id: MutationID(id), order: Int(order), created: created, state: state)
  }
}
