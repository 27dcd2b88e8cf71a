#if os(Linux)
  import CExecutor
  import Glibc
#else
  import Darwin
  import Synchronization
  // Dispatch sources may be used from any thread, but are not all marked so.
  @preconcurrency import Dispatch
#endif

/// Says when a file or something in a folder changed, without looking while nothing does.
///
/// Linux reports through inotify to a thread that sleeps in the system; elsewhere the path, and of a
/// folder the files in it, are each watched by a vnode source. One `Void` stands for any number of
/// changes: the reader looks for itself.
package struct PathWatcher: Sendable {
  /// When a change is reported.
  enum Telling: Sendable {
    /// Once nothing has changed for a while: writers of files seldom write just once.
    case atRest
    /// At once, and some times at rest: a commit is readable a little later than its bytes are
    /// written, on a slow disk by seconds, and the system does not tell of that.
    case atOnceAndAtRest

    /// The quiet times after which a change is reported, and reported again, in milliseconds.
    var rests: [Int32] {
      switch self {
      case .atRest: [settling]
      case .atOnceAndAtRest: [settling, 100, 500, 2_500]
      }
    }
  }

  /// Changes since the stream was made; the newest one that was not yet read is kept.
  package let changes: AsyncStream<Void>

  /// How long nothing may change before that is rest, in milliseconds.
  private static let settling: Int32 = 20

  /// Watches a file, and that another one of its name takes its place.
  /// - Throws: The system's error number when it cannot be watched.
  init(file path: String) throws(SystemError) {
    let path = Files.resolved(path)
    try self.init(Subject(paths: [path], folder: Files.folder(of: path)), .atRest)
  }

  /// Watches an SQLite database: what is written to it and its logs, and that one of them comes,
  /// goes, or is replaced by another file of its name.
  /// - Throws: The system's error number when it cannot be watched.
  init(database path: String) throws(SystemError) {
    let path = Files.resolved(path)
    let paths = ["", "-wal", "-journal"].map { path + $0 }
    try self.init(Subject(paths: paths, folder: Files.folder(of: path)), .atOnceAndAtRest)
  }

  /// Watches a folder, some in it, and the files elsewhere that links in them lead to; all of them may
  /// come and go.
  /// - Throws: The system's error number when it cannot be watched, as where the folder above is missing.
  package init(folder: String, within: [String]) throws(SystemError) {
    let folder = Files.named(folder)
    let folders = [folder] + within.map { folder + "/" + $0 }
    // What is not there has nothing in it.
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
    try Self.watch(subject, telling, reportingTo: continuation)
  }

  /// What is watched.
  struct Subject: Sendable {
    /// What is written to these, or in these if they are folders.
    let paths: [String]
    /// Where the paths may come and go.
    let folder: String

    var names: Set<String> { Set(paths.map(Files.name(of:))) }
  }
}

#if os(Linux)
  extension PathWatcher {
    private static func watch(
      _ subject: Subject, _ telling: Telling,
      reportingTo continuation: AsyncStream<Void>.Continuation
    ) throws(SystemError) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { throw SystemError(errno: errno) }
      do throws(SystemError) {
        guard let reports = PathReports(descriptor, subject) else {
          throw SystemError(errno: errno)
        }
        let stop = try makePipe()
        do throws(SystemError) {
          try startThread {
            follow(reports, telling, until: stop.read) { continuation.yield() }
            close(stop.read)
            // The system may take twenty milliseconds over this, and a program that ends right now
            // would have to wait for it.
            _ = poll(nil, 0, 100)
            close(descriptor)
          }
        } catch {
          for end in [stop.read, stop.write] { close(end) }
          throw error
        }
        // Closing the writer's end wakes the thread for the last time.
        continuation.onTermination = { _ in close(stop.write) }
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

    /// Sleeps until there are reports, tells when it shall; returns when `stopping` is closed.
    private static func follow(
      _ reports: PathReports, _ telling: Telling, until stopping: Int32, tell: () -> Void
    ) {
      var rests: ArraySlice<Int32> = []
      while true {
        var waits = [
          pollfd(fd: reports.descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: stopping, events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&waits, 2, rests.first ?? -1)
        if ready < 0, errno != EINTR { return }
        if waits[1].revents != 0 { return }
        if waits[0].revents != 0 {
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

    /// Runs `body` on a thread of its own, which no signal reaches.
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
      // Each report moves the telling on, until there are no more for a while.
      let timer = DispatchSource.makeTimerSource(queue: queue)
      // The queue runs one at a time.
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
      // The folder's names; a file that comes is then looked at, though not reported of.
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
