import Triples

/// What a client is to be sent as soon as it has read what was sent before: the newest state of each
/// thing, once, however often it changes meanwhile.
enum DueItem: Hashable {
  case query(QueryKey)
  case attributes
  case presence(room: String)
}

/// Slow readers.
extension SyncServer {
  func hasRoom(for bytes: Int, _ id: String) -> Bool {
    clients[id]?.channel.hasRoom(for: bytes) == true
  }

  /// Notes what a client is to be sent when it has room.
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

  /// Sends what is due, the oldest first, for as long as there is room.
  private func drain(_ id: String) {
    guard let client = clients[id] else { return }
    // Set while it sends, so that nothing that is put off now waits twice.
    clients[id]?.isDraining = true
    var isWriting = false
    for (item, _) in client.due.sorted(by: { $0.value < $1.value }) {
      guard hasRoom(for: 0, id) else { break }
      switch item {
      case .attributes:
        if clients[id]?.due.removeValue(forKey: item) != nil { sendAttributes(to: id) }
      case .presence(let room):
        clients[id]?.due[item] = nil
        if rooms.has(id, in: room) { send(presence(in: room), to: id) }
      case .query(let key):
        // Of long answers one at a time is written.
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
