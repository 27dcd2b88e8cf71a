#if os(Linux)
  import Glibc
#else
  import Darwin
  // Dispatch sources may be used from any thread, but are not all marked so.
  @preconcurrency import Dispatch
#endif

/// Says when a file or something in a folder changed, without looking while nothing does.
///
/// Linux reports through inotify to a thread that sleeps in the system; elsewhere the path, and of a
/// folder the files in it, are each watched by a vnode source. One `Void` stands for any number of
/// changes: the reader looks for itself.
struct PathWatcher: Sendable {
  /// When a change is told.
  enum Telling: Sendable {
    /// Once nothing has changed for a while: writers of files seldom write just once.
    case atRest
    /// At once, and again at rest: what is written may be complete only a little later.
    case atOnceAndAtRest
  }

  /// Changes since the stream was made; the newest one that was not yet read is kept.
  let changes: AsyncStream<Void>

  /// How long nothing may change before that is rest, in milliseconds.
  static let settling: Int32 = 20

  /// Watches what stands at `path` until the stream is dropped.
  /// - Throws: The system's error number when it cannot be watched.
  init(_ path: String, telling: Telling) throws(SystemError) {
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    try Self.watch(path, telling, reportingTo: continuation)
  }
}

#if os(Linux)
  extension PathWatcher {
    private static func watch(
      _ path: String, _ telling: Telling, reportingTo continuation: AsyncStream<Void>.Continuation
    ) throws(SystemError) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { throw SystemError(errno: errno) }
      let interest =
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_MODIFY) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)
        | UInt32(IN_DELETE) | UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF)
        | UInt32(IN_DELETE_SELF)
      let isWatching = inotify_add_watch(descriptor, path, interest) >= 0
      var stop: (read: Int32, write: Int32) = (-1, -1)
      let isStoppable = withUnsafeMutableBytes(of: &stop) {
        pipe($0.assumingMemoryBound(to: Int32.self).baseAddress!) == 0
      }
      guard isWatching, isStoppable else {
        let error = SystemError(errno: errno)
        close(descriptor)
        throw error
      }
      let (stopping, stopper) = stop
      for end in [stopping, stopper] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      // Closing the writer's end wakes the thread for the last time.
      continuation.onTermination = { _ in close(stopper) }
      startThread {
        follow(descriptor, telling, until: stopping) { continuation.yield() }
        close(descriptor)
        close(stopping)
      }
    }

    /// Sleeps until there are reports, tells when it shall; returns when `stopping` is closed.
    private static func follow(
      _ descriptor: Int32, _ telling: Telling, until stopping: Int32, tell: () -> Void
    ) {
      var isChanged = false
      while true {
        var waits = [
          pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: stopping, events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&waits, 2, isChanged ? settling : -1)
        if ready < 0, errno != EINTR { return }
        if waits[1].revents != 0 { return }
        if waits[0].revents != 0 {
          drain(descriptor)
          isChanged = true
          if telling == .atOnceAndAtRest { tell() }
        } else if ready == 0 {
          isChanged = false
          tell()
        }
      }
    }

    /// Reads the reports away: which file it was does not matter, the reader looks at all of them.
    private static func drain(_ descriptor: Int32) {
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      }
    }

    private final class Body: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a thread of its own, which no signal reaches.
    private static func startThread(_ body: @escaping @Sendable () -> Void) {
      var all = sigset_t()
      var before = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      var thread = pthread_t()
      let handed = Unmanaged.passRetained(Body(body)).toOpaque()
      let failure = pthread_create(
        &thread, nil,
        { handed in
          handed.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
          return nil
        }, handed)
      if failure == 0 {
        pthread_detach(thread)
      } else {
        Unmanaged<Body>.fromOpaque(handed).release()
      }
    }
  }
#else
  extension PathWatcher {
    private static func watch(
      _ path: String, _ telling: Telling, reportingTo continuation: AsyncStream<Void>.Continuation
    ) throws(SystemError) {
      let queue = DispatchQueue(label: "sonde.path")
      // Each report moves the telling on, until there are no more for a while.
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { continuation.yield() }
      timer.activate()
      var sources: [any DispatchSourceFileSystemObject] = []
      let inside = Files.kind(of: path) == .folder ? try Files.files(in: path) : []
      for path in [path] + inside {
        let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { continue }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .rename, .delete, .extend, .attrib],
          queue: queue)
        source.setEventHandler {
          if telling == .atOnceAndAtRest { continuation.yield() }
          timer.schedule(deadline: .now() + .milliseconds(Int(settling)))
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
