import Triples

/// A message that a slow reader has not received yet. It is created when it is sent, with the
/// newest state.
enum DueItem: Hashable {
  case query(SubscriptionKey)
  case attributes
  case presence(room: String)
}

/// Sends pending messages to readers that were too slow.
extension SyncServer {
  func hasRoom(for bytes: Int, _ id: String) -> Bool {
    clients[id]?.channel.hasRoom(for: bytes) == true
  }

  /// Adds a pending message for a client. It is sent when the client's queue has room for it.
  func markDue(_ item: DueItem, for id: String) {
    guard let client = clients[id] else { return }
    if client.due[item] == nil { clients[id]?.due[item] = makeNumber() }
    if !client.isDraining { waitForRoom(id, bytes: 0) }
  }

  private func waitForRoom(_ id: String, bytes: Int) {
    guard let channel = clients[id]?.channel else { return }
    clients[id]?.isDraining = true
    Task {
      await channel.waitForRoom(for: bytes)
      drain(id)
    }
  }

  /// Sends the pending messages of a client, oldest first, as long as the client's queue has room.
  private func drain(_ id: String) {
    guard let client = clients[id] else { return }
    // Sending may add pending messages. While this is set, they do not start a second task.
    clients[id]?.isDraining = true
    var isWriting = false
    for (item, _) in client.due.sorted(by: { $0.value < $1.value }) {
      guard hasRoom(for: 0, id) else { break }
      switch item {
      case .attributes:
        if clients[id]?.due.removeValue(forKey: item) != nil { sendAttributes(to: id) }
      case .presence(let room):
        guard hasRoom(for: rooms.presenceBytes(in: room), id) else { continue }
        clients[id]?.due[item] = nil
        if rooms.has(id, in: room) { send(presence(in: room), to: id) }
      case .query(let key):
        // If the texts of answers are not kept, only one answer is encoded at a time.
        if isWriting, served[key]?.keptText == nil { continue }
        if deliver(key, to: id) { isWriting = true }
      }
    }
    guard let left = clients[id] else { return }
    clients[id]?.isDraining = false
    if left.due.isEmpty { return }
    if !hasRoom(for: 0, id) {
      waitForRoom(id, bytes: 0)
    } else if !isWriting {
      waitForRoom(id, bytes: .max)
    }
  }

  func sendAttributes(to id: String) {
    send(
      ServerEnvelope(
        .refreshed(Refresh(processed: lastProcessed, attributes: attributes))), to: id)
  }
}
