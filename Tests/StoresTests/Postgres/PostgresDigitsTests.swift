import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import Synchronization
import TestSupport
import Testing
import Triples

@Suite("Digits of numbers in PostgreSQL", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresDigitsTests {
  private static let numbers = """
    CREATE TABLE nums (
      id int PRIMARY KEY, n numeric, m numeric(6, 2), b bigint, r real, j jsonb, made date, c char(5));
    INSERT INTO nums VALUES (1, 1, 1, 1, 1, '{"k": 12345678901234567890}', NULL, 'x');
    """

  private func stored(_ column: String, _ shop: TestShop) throws -> String {
    try shop.database.run("SELECT \(column) FROM nums")
  }

  @Test(
    "a number and numbers in JSON are stored with all digits, and undo restores them",
    arguments: [
      ("n", "123456789012345678901234567890.124", "123456789012345678901234567890.124"),
      ("n", "18446744073709551617", "18446744073709551617"),
      ("j", #"{"k": 12345678901234567891}"#, #"{"k": 12345678901234567891}"#),
      ("j", "[0.12345678901234567891]", "[0.12345678901234567891]"),
    ])
  func digits(column: String, value: String, expected: String) async throws {
    let shop = try await TestShop(Self.numbers)
    let first = try stored(column, shop)
    let made = try await shop.store.transact(
      Transaction([shop.set(shop.id("nums", 1), column, .text(value), of: "nums")]))
    #expect(try stored(column, shop) == expected)
    try await shop.store.transact(Transaction(undoing: try #require(made.changes), in: made.store))
    #expect(try stored(column, shop) == first)
  }

  @Test("a string of digits in a JSON column stays a string")
  func strings() async throws {
    let shop = try await TestShop(Self.numbers)
    try await shop.store.transact(
      Transaction([shop.set(shop.id("nums", 1), "j", "12345678901234567890", of: "nums")]))
    #expect(try stored("j", shop) == #""12345678901234567890""#)
  }

  @Test("a number beyond the range of a column is rejected with its digits")
  func range() async throws {
    let shop = try await TestShop(Self.numbers)
    let message = await shop.refusal([
      shop.set(shop.id("nums", 1), "b", "9223372036854775808", of: "nums")
    ])
    #expect(
      message.contains("\"9223372036854775808\" is out of range for type bigint"), "\(message)")
  }

  @Test(
    "a change reports the value that the database stored instead",
    arguments: [
      ("m", 1.999, .double(2)), ("m", 1.5, nil), ("m", 2, nil), ("n", "1.50", nil),
      ("n", "123456789012345678901.5", nil), ("r", 0.1, nil), ("c", "y", nil),
      ("made", "2025-01-31", nil), ("j", ["b": 1, "a": [2]], nil),
      ("j", #"{"k":12345678901234567890}"#, nil),
    ] as [(String, Value, Value?)])
  func differing(column: String, value: Value, expected: Value?) async throws {
    let shop = try await TestShop(Self.numbers)
    let staged = StagedStore(shop.store)
    let (reports, continuation) = AsyncStream.makeStream(of: ChangeReport.self)
    staged.listen { report, _ in if let report { continuation.yield(report) } }
    staged.perform(
      .make(
        Transaction([shop.set(shop.id("nums", 1), column, value, of: "nums")]),
        Submission(summary: "")))
    for try await report in reports.awaited("a report") {
      guard case .done(let change, _) = report else {
        Issue.record("\(report)")
        return
      }
      #expect(change.differing.map(\.value) == [expected].compactMap { $0 })
      return
    }
  }

  @Test("the creation of a row reports the value that the database stored instead")
  func differingInNewRow() async throws {
    let shop = try await TestShop(Self.numbers)
    let row = EntityID.random()
    let transaction = Transaction([
      shop.member(row, of: "nums"), shop.set(row, "id", 2, of: "nums"),
      shop.set(row, "m", 1.999, of: "nums"), shop.set(row, "n", 1.5, of: "nums"),
    ])
    let made = try await shop.store.transact(transaction)
    let differing = StoredValue.differing(from: transaction, in: made)
    #expect(differing.map(\.attribute.label) == ["m"])
    #expect(differing.map(\.value) == [.double(2)])
  }
}
