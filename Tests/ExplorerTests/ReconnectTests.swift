import DataSources
import Explorer
import TerminalUI
import Testing
import Triples

@Suite("Offline server on the screen")
struct ReconnectTests {
  private static let start = ContinuousClock.now

  /// A screen whose server has been away since a minute ago, and is called again in so long.
  private func workspace(
    nextTry: Duration?, reason: String = "connection refused", columns: Int = 110
  ) throws -> Workspace {
    var workspace = Workspace(StoreListing(typed: "far"), size: Size(columns: columns, rows: 20))
    let time = WallClock.Instant(sinceEpoch: .seconds(1_000_000))
    let freshness = StoreSnapshot.Freshness.offline(
      since: 999_940_000,
      nextTry: nextTry.map { 1_000_000_000 + Int64($0 / .milliseconds(1)) },
      reason: reason)
    _ = workspace.update(.serverAway(ReconnectStatus(freshness, at: time, Self.start)))
    _ = workspace.update(.snapshot(StoreSnapshot(try Garden.store(), freshness: freshness)))
    _ = workspace.update(.tick(Self.start))
    return workspace
  }

  @Test("shows since when, why, and the next attempt")
  func words() throws {
    let waiting = try workspace(nextTry: .milliseconds(2_300)).view().text
    #expect(waiting.contains("✕ offline since "))
    #expect(waiting.contains("connection refused: reconnecting in 3 s"))
    #expect(waiting.contains(" R reconnect "))
    let calling = try workspace(nextTry: nil).view().text
    #expect(calling.contains("connection refused: reconnecting"))
  }

  @Test("a long reason is cut before the next attempt")
  func long() throws {
    let reason = "no answer from a.very.long.name.of.a.server.example.org:8888: connection refused"
    var workspace = try workspace(nextTry: .milliseconds(2_300), reason: reason, columns: 60)
    _ = workspace.update(.terminal(.key(.escape)))
    let line = workspace.view().text.split(separator: "\n").first { $0.contains("no answer") }
    #expect(line?.contains("…") == true, "\(workspace.view().text)")
    #expect(line?.hasSuffix("refused: reconnecting in 3 s") == true, "\(workspace.view().text)")
  }

  @Test("the reason disappears when the server is back")
  func back() throws {
    let reason = "no answer from a.very.long.name.of.a.server.example.org:8888: connection refused"
    var workspace = try workspace(nextTry: .milliseconds(2_300), reason: reason, columns: 60)
    #expect(workspace.notice?.text.hasPrefix(reason) == true)
    _ = workspace.update(.serverAway(nil))
    _ = workspace.update(.snapshot(StoreSnapshot(try Garden.store())))
    #expect(workspace.notice == nil)
  }

  @Test("the countdown wakes only when its text changes")
  func countdown() throws {
    var absence = ReconnectStatus(since: "then", nextTry: Self.start + .milliseconds(2_300))
    #expect(absence.isTimed && absence.deadline == nil)
    absence.tick(Self.start)
    #expect(absence.outlook == "reconnecting in 3 s")
    #expect(absence.deadline == Self.start + .milliseconds(300))
    absence.tick(Self.start + .milliseconds(300))
    #expect(absence.outlook == "reconnecting in 2 s")
    #expect(absence.deadline == Self.start + .milliseconds(1_300))
    absence.tick(Self.start + .milliseconds(2_400))
    #expect(absence.outlook == "reconnecting in a moment")
    #expect(absence.deadline == nil && !absence.isTimed)
    let calling = ReconnectStatus(since: "then", nextTry: nil)
    #expect(calling.deadline == nil && !calling.isTimed)
  }

  @Test("a key reconnects at once, or reports that nothing is offline")
  func callNow() throws {
    var away = try workspace(nextTry: .seconds(9))
    #expect(away.update(.terminal(.key(.character("R")))) == [.callServer])
    _ = away.update(.serverAway(nil))
    _ = away.update(.snapshot(StoreSnapshot(try Garden.store())))
    #expect(away.update(.terminal(.key(.character("R")))) == [])
    #expect(away.notice == .alreadyConnected)
  }

  @Test("after a day, the outage is counted in days")
  func days() {
    let time = WallClock.Instant(sinceEpoch: .seconds(1_000_000))
    let freshness = StoreSnapshot.Freshness.offline(
      since: 1_000_000_000 - 3 * 86_400_000, nextTry: nil, reason: "gone")
    #expect(ReconnectStatus(freshness, at: time, Self.start)?.since == "for 3 days")
    #expect(ReconnectStatus(.live, at: time, Self.start) == nil)
  }
}
