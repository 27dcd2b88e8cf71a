import Triples

/// Presence and broadcasts, as much as clients need to be well.
extension SyncServer {
  func tellPresence(in room: String) {
    let text = MessageCoding.text(
      ServerEnvelope(.presence(room, rooms.presence(in: room))))
    for id in rooms.sessions(in: room) { offer(text, to: id) }
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
