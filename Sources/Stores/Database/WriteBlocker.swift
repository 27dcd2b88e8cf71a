import DataSources
import Synchronization

/// Reports whether another process locks a file, as a message for the user.
final class WriteBlocker: Sendable {
  /// The file name without its folder.
  private let name: Substring
  private let state = Mutex(false)
  private let changed = ChangeSignal()

  init(of path: String) { name = path.split(separator: "/").last ?? "" }

  var isThere: Bool {
    get { state.withLock { $0 } }
    set {
      let isNew = state.withLock { state in
        defer { state = newValue }
        return state != newValue
      }
      if isNew { changed.ring() }
    }
  }

  /// Emits the message about a process that blocks changes, or nil when no process does. It emits
  /// the current value first, then each change.
  var words: AsyncStream<String?> {
    let rings = changed.rings()
    let (stream, continuation) = AsyncStream.makeStream(
      of: String?.self, bufferingPolicy: .bufferingNewest(1))
    let telling = Task { [weak self] in
      for await _ in rings {
        guard let self else { break }
        continuation.yield(isThere ? "\(name) is locked by another program" : nil)
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in telling.cancel() }
    return stream
  }
}
