import NIOCore
import Sync
import Synchronization

/// The connections of a listener, up to a maximum number. They are closed with the listener.
final class Connections: Sendable {
  private struct State {
    var all: [ObjectIdentifier: any Channel] = [:]
    /// The connections that have a session. Their sessions close them, because they must send close
    /// frames.
    var busy: Set<ObjectIdentifier> = []
    /// The connections without a session when they were accepted, oldest first. By now, some may
    /// have a session or be closed.
    var opening: [ObjectIdentifier] = []
    var open: Set<ObjectIdentifier> = []
    /// Whether connections are no longer accepted.
    var isClosing = false
    var whenEmpty: [CheckedContinuation<Void, Never>] = []
    var whenRoom: (@Sendable () -> Void)?
  }

  private let max: Int
  /// The maximum number of connections without an open session. If there are more, the oldest one
  /// is closed.
  private let maxOpening: Int
  private let state = Mutex(State())

  init(max: Int, maxOpening: Int) {
    self.max = max
    self.maxOpening = maxOpening
  }

  var count: Int { state.withLock { $0.all.count } }

  /// Returns whether another connection may be accepted. If not, `action` is called once, as soon
  /// as that is possible.
  func hasRoom(orElse action: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if state.all.count < max { return true }
      state.whenRoom = action
      return false
    }
  }

  /// The number of closed connections after which memory is returned to the system.
  private static let manyConnections = 256

  func enter(_ channel: any Channel) -> Bool {
    let id = ObjectIdentifier(channel)
    let (isIn, oldest) = state.withLock { state -> (Bool, (any Channel)?) in
      guard !state.isClosing, state.all.count < max + AcceptGate.maxAtOnce else {
        return (false, nil)
      }
      state.all[id] = channel
      state.opening.append(id)
      guard state.opening.count > maxOpening else { return (true, nil) }
      let (all, open) = (state.all, state.open)
      state.opening.removeAll { all[$0] == nil || open.contains($0) }
      guard state.opening.count > maxOpening else { return (true, nil) }
      return (true, state.all[state.opening.removeFirst()])
    }
    oldest?.close(promise: nil)
    if isIn { channel.closeFuture.whenComplete { _ in self.leave(id) } }
    return isIn
  }

  func markBusy(_ channel: any Channel) {
    state.withLock { _ = $0.busy.insert(ObjectIdentifier(channel)) }
  }

  /// Records that the session of a connection is open. The connection is then no longer closed when
  /// too many connections have no session.
  func markOpen(_ channel: any Channel) {
    state.withLock { _ = $0.open.insert(ObjectIdentifier(channel)) }
  }

  private func leave(_ id: ObjectIdentifier) {
    let (waiting, whenRoom, count) = state.withLock { state in
      state.all[id] = nil
      state.busy.remove(id)
      state.open.remove(id)
      let action = state.all.count < max ? state.whenRoom : nil
      if action != nil { state.whenRoom = nil }
      let count = state.all.count
      guard count == 0 else { return ([CheckedContinuation<Void, Never>](), action, count) }
      defer { state.whenEmpty = [] }
      return (state.whenEmpty, action, count)
    }
    if count % Self.manyConnections == 0 { FreedMemory.giveBackSoon() }
    whenRoom?()
    for continuation in waiting { continuation.resume() }
  }

  /// Stops accepting connections, including waiting ones, and closes those without a session.
  func closeIdle() {
    let idle = state.withLock { state in
      state.isClosing = true
      return state.all.filter { !state.busy.contains($0.key) }.map(\.value)
    }
    for channel in idle { channel.close(promise: nil) }
  }

  func closeAll() {
    for channel in state.withLock({ Array($0.all.values) }) { channel.close(promise: nil) }
  }

  func waitUntilEmpty() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.all.isEmpty { return true }
        state.whenEmpty.append(continuation)
        return false
      }
      if isEmpty { continuation.resume() }
    }
  }
}

/// Stops accepting connections at the maximum number. More connections wait in the system's queue,
/// without waking the server.
final class AcceptGate: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias OutboundIn = any Channel

  /// The maximum number of connections accepted in one step.
  static let maxAtOnce = 16

  private let connections: Connections

  init(_ connections: Connections) {
    self.connections = connections
  }

  func read(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    let hasRoom = connections.hasRoom {
      loop.execute { bound.value.0.read(context: bound.value.1) }
    }
    if hasRoom { context.read() }
  }
}
