import Triples

/// Who is in which room, and what each shows of itself: pure.
struct Rooms {
  private var people: [String: [String: Value]] = [:]
  /// What is shown in each room, in bytes of JSON.
  private var bytes: [String: Int] = [:]
  private let maxBytes: Int

  /// - Parameter maxBytes: What may be shown in one room.
  init(maxBytes: Int) {
    self.maxBytes = maxBytes
  }

  /// Enters a session, or changes what it shows.
  /// - Returns: False, and nothing done, when more would be shown in the room than may be.
  mutating func set(_ data: Value, of session: String, in room: String) -> Bool {
    let before = Self.bytes(of: people[room]?[session])
    let after = bytes[room, default: 0] - before + Self.bytes(of: data)
    if after > maxBytes { return false }
    people[room, default: [:]][session] = data
    bytes[room] = after
    return true
  }

  mutating func leave(_ room: String, session: String) {
    let data = people[room]?.removeValue(forKey: session)
    bytes[room, default: 0] -= Self.bytes(of: data)
    guard people[room]?.isEmpty != false else { return }
    people[room] = nil
    bytes[room] = nil
  }

  private static func bytes(of data: Value?) -> Int {
    data.map { JSONWriter.bytes($0).count + nameBytes } ?? 0
  }

  /// What each peer takes beside what it shows: its name, twice.
  private static let nameBytes = 100

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
