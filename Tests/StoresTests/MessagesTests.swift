import DataSources
import Testing

@testable import Stores

@Suite("Messages of stores")
struct MessagesTests {
  @Test(
    "a read-only store says what to do instead",
    arguments: [
      (ReadOnlyReason.backup, "A backup is read-only. Import it into a .sonde file to change it."),
      (
        ReadOnlyReason.dump,
        "A triple dump is read-only. Import it into a .sonde file to change it."
      ),
      (
        ReadOnlyReason.pipedData,
        "Piped data is read-only. Import it into a .sonde file to change it."
      ),
      (
        ReadOnlyReason.server,
        "The server's data was opened read-only. To change it, start sonde with --write."
      ),
      (
        ReadOnlyReason.folder("data"),
        "Sonde does not write to the folder data. Edit its files in another program; changes appear "
          + "here."
      ),
      (
        ReadOnlyReason.file("a.json"),
        "Sonde does not write to the file a.json. Edit it in another program; changes appear here."
      ),
      (
        ReadOnlyReason.tooManyChanges(9, of: "data"),
        "The folder data has reached the limit of 9 unsaved changes in memory. "
          + "Import it into a .sonde file."
      ),
      (
        ReadOnlyReason.storeFile("a.sonde"),
        "a.sonde is read-only. Open it with --write to change it."
      ),
      (
        ReadOnlyReason.database("a.db"),
        "The database a.db is read-only. Open it with --write to change it."
      ),
      (
        ReadOnlyReason.postgres("shop"),
        "The PostgreSQL database shop is read-only. Open it with --write to change it."
      ),
      (
        ReadOnlyReason.instantApp("1f"),
        "The database of an Instant server is read-only. Change the app through the server: "
          + "sonde wss://HOST/1f"
      ),
    ])
  func readOnly(reason: String, expected: String) { #expect(reason == expected) }

  @Test(
    "outdated data says why",
    arguments: [
      (StaleReason.backup, "it is the snapshot of a backup"),
      (StaleReason.unwatched, "changes by other programs are not detected"),
      (StaleReason.unwatchedFolder, "changes in the folder are not detected"),
      (
        StaleReason.unreadableLog,
        "the folder is read-only, so the write-ahead log cannot be read"
      ),
      (
        StaleReason.dropped(1),
        "an unsaved change conflicted with the changed files and was discarded"
      ),
      (
        StaleReason.dropped(2),
        "2 unsaved changes conflicted with the changed files and were discarded"
      ),
    ])
  func stale(reason: String, expected: String) { #expect(reason == expected) }

  @Test(
    "a failed request says what failed",
    arguments: [
      (
        DataSourceError.locked("a.db"),
        "a.db is locked by another program. Nothing was written; try again later."
      ),
      (
        DataSourceError(StoreError.unreadable(path: "a.db", reason: "set another sslmode.")),
        "Cannot read a.db: set another sslmode."
      ),
      (.noAnswer("the connection timed out"), "The connection timed out."),
      (
        .noAnswer("Cannot reach ws://host: connection refused."),
        "Cannot reach ws://host: connection refused."
      ),
      (.queryCanceled, "The query was canceled."),
      (
        .serverIncomplete("offline"),
        "Cannot read all data from the server: offline. Try again when the server is reachable."
      ),
      (.serverUnreachable, "The server is unreachable, so its data cannot be read."),
      (
        .entitiesMissing(2, of: 3, "beds"),
        "The server reports 3 entities in beds but sent 2, so nothing was exported."
      ),
      (
        .alreadySent,
        "The change cannot be undone: the server may already have it, and the previous values are "
          + "not known."
      ),
      (.undoneBeforeSending, "The change was undone before it was sent."),
    ])
  func failed(error: DataSourceError, expected: String) { #expect(error.message == expected) }
}
