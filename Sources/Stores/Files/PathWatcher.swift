#if os(Linux)
  import CExecutor
  import Glibc
#else
  import Darwin
  import Synchronization
  // Dispatch sources are safe to use from any thread, but not all are marked as `Sendable`.
  @preconcurrency import Dispatch
#endif

/// Reports changes of a file or folder without polling.
///
/// On Linux, a thread waits for inotify reports. Elsewhere, vnode sources watch the path and the
/// files of a folder. One emitted `Void` represents any number of changes; the reader has to find
/// out what changed.
package struct PathWatcher: Sendable {
  /// When a ``PathWatcher`` reports a change.
  enum Telling: Sendable {
    /// Reports a change after a quiet period, since programs write a file in several steps.
    case atRest
    /// Reports a change immediately and again after several quiet periods.
    ///
    /// A commit becomes readable slightly after its bytes are written, or seconds later on a slow
    /// disk. The system does not report that moment.
    case atOnceAndAtRest

    /// The quiet periods after which a change is reported, in milliseconds.
    var rests: [Int32] {
      switch self {
      case .atRest: [settling]
      case .atOnceAndAtRest: [settling, 100, 500, 2_500]
      }
    }
  }

  /// Emits when the watched file or folder changes. Changes that were not read yet are combined.
  package let changes: AsyncStream<Void>
  #if os(Linux)
    private let reports: PathReports
  #endif

  /// The minimum quiet period, in milliseconds.
  private static let settling: Int32 = 20

  /// Watches a file, including its replacement.
  ///
  /// - Throws: The system's error if it cannot be watched.
  package init(file path: String) throws(SystemError) {
    let path = Files.resolved(path)
    try self.init(Subject(paths: [path], folder: Files.folder(of: path)), .atRest)
  }

  /// Watches a SQLite database: its file, its logs, and their replacement.
  ///
  /// - Throws: The system's error if it cannot be watched.
  init(database path: String) throws(SystemError) {
    let path = Files.resolved(path)
    let paths = ["", "-wal", "-journal"].map { path + $0 }
    try self.init(Subject(paths: paths, folder: Files.folder(of: path)), .atOnceAndAtRest)
  }

  /// Watches a folder, some of its subfolders, and the targets of symbolic links in them.
  ///
  /// Any of these may be created or removed later.
  ///
  /// - Throws: The system's error if they cannot be watched, for example because the parent folder
  ///   is missing.
  package init(folder: String, within: [String]) throws(SystemError) {
    let folder = Files.named(folder)
    let folders = [folder] + within.map { folder + "/" + $0 }
    // A missing folder counts as an empty folder.
    let linked = folders.flatMap { (try? Files.files(in: $0)) ?? [] }
      .map { (path: $0, target: Files.resolved($0)) }
      .filter { Files.folder(of: $0.target) != Files.resolved(Files.folder(of: $0.path)) }
    try self.init(
      Subject(paths: folders + linked.map(\.target), folder: Files.folder(of: folder)), .atRest)
  }

  private init(_ subject: Subject, _ telling: Telling) throws(SystemError) {
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    #if os(Linux)
      reports = try Self.watch(subject, telling, reportingTo: continuation)
    #else
      try Self.watch(subject, telling, reportingTo: continuation)
    #endif
  }

  /// Returns whether a program finished a change, such as writing a file, since the last call.
  ///
  /// ``changes`` reports the same change a moment later. Only Linux reports that a program finished
  /// writing; other systems return false.
  func takeFinishedChange() -> Bool {
    #if os(Linux)
      reports.takeFinishedChange()
    #else
      false
    #endif
  }

  /// The paths to watch, and the folder that contains them.
  struct Subject: Sendable {
    /// The paths of files, or of folders whose files are watched.
    let paths: [String]
    /// The folder that contains the paths. It is watched because the paths may be created or
    /// removed.
    let folder: String

    var names: Set<String> { Set(paths.map(Files.name(of:))) }
  }
}

#if os(Linux)
  extension PathWatcher {
    private static func watch(
      _ subject: Subject, _ telling: Telling,
      reportingTo continuation: AsyncStream<Void>.Continuation
    ) throws(SystemError) -> PathReports {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { throw SystemError(errno: errno) }
      do throws(SystemError) {
        let wake = try makePipe()
        do throws(SystemError) {
          guard let reports = PathReports(descriptor, subject, waker: wake.write) else {
            throw SystemError(errno: errno)
          }
          try startThread {
            follow(reports, telling, wokenBy: wake.read) { continuation.yield() }
            reports.end()
            close(wake.read)
            // Starting the thread can take twenty milliseconds, which would delay a program that
            // exits immediately.
            _ = poll(nil, 0, 100)
            close(descriptor)
          }
          // This wakes the thread, which then ends.
          continuation.onTermination = { _ in reports.stop() }
          return reports
        } catch {
          for end in [wake.read, wake.write] { close(end) }
          throw error
        }
      } catch {
        close(descriptor)
        throw error
      }
    }

    private static func makePipe() throws(SystemError) -> (read: Int32, write: Int32) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw SystemError(errno: errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }

    /// Waits for reports and emits changes; returns when the other end of the pipe is closed.
    private static func follow(
      _ reports: PathReports, _ telling: Telling, wokenBy waker: Int32, tell: () -> Void
    ) {
      var rests: ArraySlice<Int32> = []
      while true {
        var waits = [
          pollfd(fd: reports.descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&waits, 2, rests.first ?? -1)
        if ready < 0, errno != EINTR { return }
        if waits[1].revents & ~Int16(POLLIN) != 0 { return }
        if waits[1].revents != 0 {
          // Another thread has read reports.
          var bytes: [UInt8] = Array(repeating: 0, count: 64)
          _ = read(waker, &bytes, bytes.count)
          rests = telling.rests[...]
          if telling == .atOnceAndAtRest { tell() }
        } else if waits[0].revents != 0 {
          guard reports.drain() else { continue }
          rests = telling.rests[...]
          if telling == .atOnceAndAtRest { tell() }
        } else if ready == 0 {
          rests = rests.dropFirst()
          tell()
        }
      }
    }

    private final class Body: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a separate thread with all signals blocked.
    private static func startThread(
      _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
      let handed = Unmanaged.passRetained(Body(body))
      let failure = thread_start(
        { handed in
          handed.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
        }, handed.toOpaque(), 1 << 19)
      guard failure == 0 else {
        handed.release()
        throw SystemError(errno: failure)
      }
    }
  }
#else
  extension PathWatcher {
    private static func watch(
      _ subject: Subject, _ telling: Telling,
      reportingTo continuation: AsyncStream<Void>.Continuation
    ) throws(SystemError) {
      let queue = DispatchQueue(label: "sonde.path")
      // Each report restarts the quiet period.
      let timer = DispatchSource.makeTimerSource(queue: queue)
      // All code that uses this runs on the serial queue.
      let left = Mutex<ArraySlice<Int32>>([])
      let rest: @Sendable () -> Void = {
        guard let next = left.withLock({ $0.first }) else { return }
        timer.schedule(deadline: .now() + .milliseconds(Int(next)))
      }
      timer.setEventHandler {
        continuation.yield()
        left.withLock { $0 = $0.dropFirst() }
        rest()
      }
      timer.activate()
      var sources: [any DispatchSourceFileSystemObject] = []
      var paths = subject.paths
      for path in subject.paths where Files.kind(of: path) == .folder {
        paths += try Files.files(in: path)
      }
      // The folder that contains the paths is watched, too, because the paths may be created later.
      paths.append(subject.folder)
      for path in paths {
        let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { continue }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .rename, .delete, .extend, .attrib],
          queue: queue)
        source.setEventHandler {
          if telling == .atOnceAndAtRest { continuation.yield() }
          left.withLock { $0 = telling.rests[...] }
          rest()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        sources.append(source)
      }
      let opened = sources
      continuation.onTermination = { _ in
        timer.cancel()
        opened.forEach { $0.cancel() }
      }
    }
  }
#endif
