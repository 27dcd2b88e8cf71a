#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file of named entries that several sources and several processes can share.
///
/// Text, one entry a line in the order of the keys, after a line that says what the file is:
///
///     {"changes":12,"format":"data-sources 1"}
///     {"key":"theme","one":"dark"}
///     {"key":"recent","many":["world","goals"]}
///     {"key":"w1","one":{"columns":80},"table":"windows"}
///
/// A write reads, changes and replaces the whole file under a lock, so that no process loses what
/// another wrote, and a crash leaves the file as it was before or after. The file is for its owner
/// alone. A file that cannot be understood is never written over.
///
/// A write is on the disk when its call returns. Calls that come while the disk is busy are written
/// together: a thousand at once cost a few writes, not a thousand.
public actor StateFile {
  /// Whether a file that others can read is accepted.
  public enum Privacy: Sendable, Hashable {
    /// For settings and history: readable by others if its owner made it so.
    case relaxed
    /// For secrets: refused when anybody else can read it, as ssh does with keys.
    case strict
  }

  public nonisolated let path: String
  public nonisolated let privacy: Privacy

  /// Rung after each write of this process, and when a read meets another process's write.
  public nonisolated let changes = ChangeSignal()

  private let disk: Disk
  private let batch = WriteBatch<[StateContent.Edit]>()
  private let wait: @Sendable () async throws -> Void
  private let patience: Int
  private var isSwept = false
  private var known: (stamp: FileStamp, content: StateContent)?

  /// Does not touch the disk; the file and its folder are made by the first write.
  ///
  /// - Parameter clock: What writers wait by, 5 ms at a time and 2 seconds in all, while another
  ///   process holds the lock.
  public init(
    path: String, privacy: Privacy = .relaxed,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.init(path: path, privacy: privacy, disk: Disk(), clock: clock)
  }

  package init(
    path: String, privacy: Privacy, disk: Disk, clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.path = path
    self.privacy = privacy
    self.disk = disk
    wait = { try await clock.sleep(for: .milliseconds(5)) }
    patience = 400
  }

  /// The content as it is now.
  func read() throws(DataSourceError) -> StateContent {
    guard let stamp = try disk.stamp(of: path) else {
      if known != nil { changes.ring() }
      known = nil
      return StateContent()
    }
    try checkPrivacy(stamp)
    if let known, known.stamp == stamp { return known.content }
    let content = try StateContent(
      parsing: try disk.read(path) ?? [], path: path, known: known?.content ?? StateContent())
    let isForeign = known.map { $0.content.changes != content.changes } ?? false
    known = (stamp, content)
    if isForeign { changes.ring() }
    return content
  }

  /// Carries out `edits`, all of them or none: none when the call is cancelled or the disk refuses.
  ///
  /// What other calls of this process wait to write is written with them.
  nonisolated func update(_ edits: [StateContent.Edit]) async throws(DataSourceError) {
    if edits.isEmpty { return }
    let ticket = batch.enter(edits)
    do throws(DataSourceError) {
      try await writeBatch(with: ticket)
    } catch {
      // Cancelled while it waited, or refused; unless another call wrote it in the meantime.
      if batch.withdraw(ticket) { throw error }
    }
  }

  private func writeBatch(with ticket: WriteBatch<[StateContent.Edit]>.Ticket)
    async throws(DataSourceError)
  {
    guard batch.isWaiting(ticket) else { return }
    let lock = try await lock()
    // From here on nothing is awaited while the lock is held.
    guard batch.isWaiting(ticket) else { return }
    try DataSourceError.checkCancellation()
    try sweepOnce()
    let writes = batch.all()
    do throws(DataSourceError) {
      try write(writes.flatMap(\.write))
      for write in writes { batch.withdraw(write.ticket) }
    } catch {
      // One call's write must not fail because another's was too large for the disk.
      guard writes.count > 1, let own = writes.first(where: { $0.ticket == ticket }) else {
        throw error
      }
      try write(own.write)
      batch.withdraw(ticket)
    }
    _ = consume lock
  }

  private func write(_ edits: [StateContent.Edit]) throws(DataSourceError) {
    var content = try read()
    let before = content
    for edit in edits { content.apply(edit) }
    if content == before { return }
    content.changes += 1
    try disk.replace(path, with: content.bytes)
    known = try disk.stamp(of: path).map { ($0, content) }
    changes.ring()
  }

  /// Gives the file another name beside its own, so that the next write begins a new one: for a file
  /// that cannot be understood.
  ///
  /// - Returns: The name that it has now; it takes the place of no other file.
  /// - Throws: `system` when there is no file, or when the system refuses.
  public func setAside() async throws(DataSourceError) -> String {
    let lock = try await lock()
    var number = 1
    while try disk.stamp(of: path + ".damaged-\(number)") != nil { number += 1 }
    let aside = path + ".damaged-\(number)"
    try disk.move(path, to: aside)
    known = nil
    changes.ring()
    _ = consume lock
    return aside
  }

  /// Takes the lock, waiting for other processes as long as patience lasts.
  private func lock() async throws(DataSourceError) -> FileLock {
    try disk.makeFolder(path.folder)
    var patience = patience
    while true {
      if let lock = try FileLock(beside: path) { return lock }
      guard patience > 0 else {
        throw .system(errno: EWOULDBLOCK, "\(path) is locked by another program; try again.")
      }
      patience -= 1
      do { try await wait() } catch { throw .cancelled }
    }
  }

  /// Removes the drafts of programs that were killed while they wrote; nobody else writes now.
  private func sweepOnce() throws(DataSourceError) {
    if isSwept { return }
    isSwept = true
    let name = path.split(separator: "/").last.map(String.init) ?? path
    for other in try disk.names(in: path.folder) ?? []
    where other.hasPrefix(name + ".") && other.hasSuffix(".draft") {
      try disk.remove(path.folder + "/" + other)
    }
  }

  private func checkPrivacy(_ stamp: FileStamp) throws(DataSourceError) {
    if privacy == .strict { try stamp.checkPrivate(path, holding: "secrets") }
  }
}
