import Triples

/// Presence and broadcasts, as much as clients need to be well.
extension SyncServer {
  func tellPresence(in room: String) {
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

  func tell(_ broadcast: Broadcast, from id: String, _ eventID: String?) {
    var told = broadcast
    told.data = Rooms.peer(id, broadcast.data)
    let text = MessageCoding.text(ServerEnvelope(.broadcast(told)))
    for other in rooms.sessions(in: broadcast.room) where other != id {
      offer(text, to: other)
    }
    send(ServerEnvelope(.broadcastDone(told), eventID: eventID), to: id)
  }
}
