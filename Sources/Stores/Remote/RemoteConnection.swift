import LiveQueries
import Sync

/// A connection to a server. Queued messages are sent in order.
struct RemoteConnection: Sendable {
  private let outbox: AsyncStream<String>.Continuation
  private let task: Task<Void, Never>

  /// Connects, and reports success or failure to the store.
  init(_ id: ConnectionID, of store: RemoteStore, by connector: @escaping RemoteStore.Connector) {
    let (texts, outbox) = AsyncStream.makeStream(of: String.self)
    self.outbox = outbox
    task = Task { [weak store] in
      var reason = "the connection was closed"
      do {
        let channel = try await connector()
        let sending = Task { await Self.send(texts, over: channel) }
        await store?.opened(id)
        for await text in channel.incoming {
          let messages = await Self.messages(in: text)
          await store?.received(messages, from: id)
        }
        sending.cancel()
        reason = channel.endReason ?? reason
        await channel.close()
      } catch let error as ChannelClosed {
        reason = error.reason
      } catch {
        reason = "\(error)"
      }
      await store?.closed(id, reason: reason)
    }
  }

  func send(_ text: String) { outbox.yield(text) }

  /// Disconnects after sending the queued messages.
  func cancel() {
    outbox.finish()
    task.cancel()
  }

  /// Sends messages until the channel fails; the channel's incoming stream then ends with the
  /// reason.
  private static func send(_ texts: AsyncStream<String>, over channel: any MessageChannel) async {
    for await text in texts {
      do throws(ChannelClosed) { try await channel.send(text) } catch { return }
    }
  }

  /// Parses a message, outside the store's actor.
  @concurrent
  private static func messages(in text: String) async -> Result<[ServerEnvelope], MessageFault> {
    do throws(MessageFault) {
      return .success(try MessageCoding.serverMessages(in: text))
    } catch {
      return .failure(error)
    }
  }
}
