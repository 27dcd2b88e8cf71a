import Triples

/// Presence and broadcasts, as much as clients need to be well.
extension SyncServer {
  func tellPresence(in room: String) async {
    let text = MessageCoding.text(
      ServerEnvelope(.presence(room, rooms.presence(in: room))))
    for id in rooms.sessions(in: room) { await offer(text, to: id) }
  }

  func tell(_ broadcast: Broadcast, from id: String, _ eventID: String?) async {
    var told = broadcast
    told.data = Rooms.peer(id, broadcast.data)
    let text = MessageCoding.text(ServerEnvelope(.broadcast(told)))
    for other in rooms.sessions(in: broadcast.room) where other != id {
      await offer(text, to: other)
    }
    await send(ServerEnvelope(.broadcastDone(told), eventID: eventID), to: id)
  }
}
