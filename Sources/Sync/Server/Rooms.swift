import Triples

/// Who is in which room, and what each shows of itself: pure.
struct Rooms {
  private var people: [String: [String: Value]] = [:]

  /// Enters a session, or changes what it shows.
  mutating func set(_ data: Value, of session: String, in room: String) {
    people[room, default: [:]][session] = data
  }

  mutating func leave(_ room: String, session: String) {
    people[room]?[session] = nil
    if people[room]?.isEmpty == true { people[room] = nil }
  }

  /// Leaves all rooms; answers with those.
  mutating func leaveAll(session: String) -> [String] {
    let rooms = people.filter { $0.value[session] != nil }.map(\.key).sorted()
    for room in rooms { leave(room, session: session) }
    return rooms
  }

  func has(_ session: String, in room: String) -> Bool { people[room]?[session] != nil }

  func sessions(in room: String) -> [String] { (people[room] ?? [:]).keys.sorted() }

  /// Everybody in a room, as clients are told.
  func presence(in room: String) -> JSONObject {
    JSONObject(
      (people[room] ?? [:]).sorted { $0.key < $1.key }.map { session, data in
        JSONObject.Member(key: session, value: Self.peer(session, data))
      })
  }

  static func peer(_ session: String, _ data: Value) -> Value {
    ["peer-id": .text(session), "user": .null, "data": data]
  }
}
