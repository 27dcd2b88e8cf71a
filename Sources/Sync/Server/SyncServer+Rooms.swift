import Triples

/// Sends presence data and broadcasts to clients.
extension SyncServer {
  /// Publishes a client's presence data in a room, unless the room is full.
  func show(
    _ data: Value, of id: String, in room: String, answering answer: ServerMessage,
    _ eventID: String?
  ) {
    guard rooms.set(data, of: id, in: room) else {
      if !rooms.has(id, in: room) { clients[id]?.session.rejected(from: room) }
      let error = ServerError.roomFull(room, limit: limits.roomPresenceBytes)
      return send(ServerEnvelope(.failed(error), eventID: eventID), to: id)
    }
    send(ServerEnvelope(answer, eventID: eventID), to: id)
    sendPresence(in: room)
  }

  func sendPresence(in room: String) {
    let text = MessageCoding.text(presence(in: room))
    for id in rooms.sessions(in: room) {
      if hasRoom(for: text.utf8.count, id) {
        clients[id]?.due[.presence(room: room)] = nil
        offer(text, to: id)
      } else {
        markDue(.presence(room: room), for: id)
      }
    }
  }

  func presence(in room: String) -> ServerEnvelope {
    ServerEnvelope(.presence(room, rooms.presence(in: room)))
  }

  func deliverBroadcast(_ broadcast: Broadcast, from id: String, _ eventID: String?) {
    var message = broadcast
    message.data = Rooms.peer(id, broadcast.data)
    let text = MessageCoding.text(ServerEnvelope(.broadcast(message)))
    for other in rooms.sessions(in: broadcast.room) where other != id {
      offer(text, to: other)
    }
    send(ServerEnvelope(.broadcastDone(message), eventID: eventID), to: id)
  }
}
