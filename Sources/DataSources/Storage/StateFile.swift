#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file of named entries that several sources and several processes can share.
///
/// It is text with one entry per line, sorted by key, after a header line:
///
///     {"changes":12,"format":"data-sources 1"}
///     {"key":"theme","one":"dark"}
///     {"key":"recent","many":["world","goals"]}
///     {"key":"w1","one":{"columns":80},"table":"windows"}
///
/// A write locks the file, reads it, and replaces it atomically. No process loses changes of
/// another, and a crash leaves either the old or the new file. Only the owner can read the file. A
/// file that cannot be parsed is never overwritten.
///
/// A write is durable when its call returns. Calls that arrive during a write are combined into the
/// next write, so a thousand concurrent calls cost only a few writes.
public actor StateFile {
  /// What happens to a file that other users can read.
  public enum Privacy: Sendable, Hashable {
    /// Accepts a file that its owner made readable for others. This suits settings and history.
    case relaxed
    /// Rejects a file that other users can read, as ssh does with key files. This suits secrets.
    case strict
  }

  /// The path of the file.
  public nonisolated let path: String
  /// What happens to a file that other users can read.
  public nonisolated let privacy: Privacy

  /// Notifies watchers after each write by this process, and when a read finds a write by another
  /// process.
  public nonisolated let changes = ChangeSignal()

  private let disk: FileSystem
  private let batch = WriteBatch<[StateContent.Edit]>()
  private let wait: @Sendable () async throws -> Void
  private let maxLockAttempts: Int
  private var isSwept = false
  private var known: (stamp: FileStamp, content: StateContent)?

  /// Creates a reference to a file. The first write creates the file and its folder.
  ///
  /// - Parameter clock: The clock for waiting while another process holds the lock: 5 ms between
  ///   attempts, 2 seconds in total.
  public init(
    path: String, privacy: Privacy = .relaxed,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.init(path: path, privacy: privacy, disk: FileSystem(), clock: clock)
  }

  package init(
    path: String, privacy: Privacy, disk: FileSystem,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.path = path
    self.privacy = privacy
    self.disk = disk
    wait = { try await clock.sleep(for: .milliseconds(5)) }
    maxLockAttempts = 400
  }

  /// Returns the current content of the file.
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

  /// Applies `edits` atomically: all of them, or none when the call is canceled or writing fails.
  ///
  /// Other waiting calls of this process are written together with this one.
  nonisolated func update(_ edits: [StateContent.Edit]) async throws(DataSourceError) {
    if edits.isEmpty { return }
    let ticket = batch.enter(edits)
    do throws(DataSourceError) {
      try await writeBatch(with: ticket)
    } catch {
      // The call was canceled or failed. It still succeeds if another call has already written its
      // edits.
      if batch.withdraw(ticket) { throw error }
    }
  }

  private func writeBatch(with ticket: WriteBatch<[StateContent.Edit]>.Ticket)
    async throws(DataSourceError)
  {
    guard batch.isWaiting(ticket) else { return }
    let lock = try await lock()
    // From here on, the task must not suspend, because it holds the lock.
    guard batch.isWaiting(ticket) else { return }
    try DataSourceError.checkCancellation()
    try sweepOnce()
    let writes = batch.all()
    do throws(DataSourceError) {
      try write(writes.flatMap(\.write))
      for write in writes { batch.withdraw(write.ticket) }
    } catch {
      // The combined edits may fail because of another call, for example if they are too large for
      // the disk. So this call's own edits are tried alone.
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

  /// Renames the file, for example because it cannot be parsed. The next write then creates a new
  /// file.
  ///
  /// - Returns: The new name, which did not exist before.
  /// - Throws: `system` when there is no file, or when renaming fails.
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

  /// Acquires the lock. While another process holds it, retries up to `maxLockAttempts` times.
  private func lock() async throws(DataSourceError) -> FileLock {
    try disk.makeFolder(path.folder)
    var attemptsLeft = maxLockAttempts
    while true {
      if let lock = try FileLock(beside: path) { return lock }
      guard attemptsLeft > 0 else {
        throw .system(errno: EWOULDBLOCK, "\(path) is locked by another program. Try again later.")
      }
      attemptsLeft -= 1
      do { try await wait() } catch { throw .cancelled }
    }
  }

  /// Removes the draft files of killed processes. It does so once, while the lock excludes other
  /// writers.
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
