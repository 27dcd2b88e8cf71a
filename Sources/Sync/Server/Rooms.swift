import Triples

/// The sessions in each room, and their presence data. Presence data is a JSON value that a session
/// shares with all members of the room.
struct Rooms {
  private var people: [String: [String: Value]] = [:]
  /// The size of the presence data in each room, in bytes of JSON.
  private var bytes: [String: Int] = [:]
  private let maxBytes: Int

  /// Creates empty rooms.
  ///
  /// - Parameter maxBytes: The maximum size of the presence data in one room, in bytes of JSON.
  init(maxBytes: Int) {
    self.maxBytes = maxBytes
  }

  /// Adds a session to a room, or updates the session's presence data.
  ///
  /// - Returns: False if the room's presence data would exceed the limit. In that case nothing
  ///   changes.
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

  /// The number of bytes that the id of a member's session takes in a message, which contains the
  /// id twice.
  private static let nameBytes = 100

  /// Removes a session from all rooms that it is in, and returns the names of these rooms.
  mutating func leaveAll(session: String) -> [String] {
    let rooms = people.filter { $0.value[session] != nil }.map(\.key).sorted()
    for room in rooms { leave(room, session: session) }
    return rooms
  }

  func has(_ session: String, in room: String) -> Bool { people[room]?[session] != nil }

  func sessions(in room: String) -> [String] { (people[room] ?? [:]).keys.sorted() }

  /// Returns the approximate size of a message with the presence data of a room, in bytes.
  func presenceBytes(in room: String) -> Int { bytes[room, default: 0] }

  /// Returns the presence data of a room, in the form that clients receive.
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
