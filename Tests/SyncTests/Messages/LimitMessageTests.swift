import Testing

@testable import Sync

@Suite("Messages about the limits of a server")
struct LimitMessageTests {
  @Test(
    "an exceeded limit is named with what to do",
    arguments: [
      (
        ServerError.tooManyMessages(limit: 9, nil),
        "This message was not processed, because the connection sends more than 9 messages per "
          + "second. Wait a second, then send it again."
      ),
      (
        .tooManySubscriptions(limit: 9, nil),
        "This connection has reached the limit of 9 subscriptions. Remove some before adding others."
      ),
      (
        .queriesTooLarge(limit: 9, nil),
        "The queries of this connection would exceed the limit of 9 bytes. Remove some before adding "
          + "others. Each value counts as at least 20 bytes, and each object as 80."
      ),
      (
        .tooManyQueries(limit: 9, nil),
        "The server has reached the limit of 9 different queries. Remove one, or try again in a "
          + "few seconds."
      ),
      (
        .tooManyConnections(limit: 9),
        "The server has reached the limit of 9 connections. Try again in a few seconds."
      ),
      (
        .roomNameTooLong(limit: 9),
        "The name of the room is longer than 9 bytes. Use a shorter name."
      ),
      (
        .tooManyRooms(limit: 9, entering: "bar", nil),
        "You have reached the limit of 9 rooms. Leave one before entering 'bar'."
      ),
      (
        .presenceTooLarge(10, limit: 9),
        "The presence data of this connection in all rooms would have 10 bytes and exceed the limit of 9. "
          + "Send less, or keep the data in the store."
      ),
      (
        .roomFull("bar", limit: 9),
        "The presence data of all clients in the room 'bar' would exceed the limit of 9 bytes. Send "
          + "less, or keep the data in the store."
      ),
      (
        .roomMessageTooLarge(10, to: "bar", limit: 9),
        "The message to the room 'bar' has 10 bytes and exceeds the limit of 9. Send less, or keep "
          + "the data in the store."
      ),
      (
        .attributesChanging,
        "The change was not applied, because other clients keep changing the schema. Try again in "
          + "a second."
      ),
    ])
  func limits(error: ServerError, expected: String) {
    #expect(error.message == expected)
    #expect(error.status == 429 && error.type == "rate-limited")
  }
}
