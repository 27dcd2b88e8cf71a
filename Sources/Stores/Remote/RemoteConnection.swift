import LiveQueries
import Sync

/// One connection to a server while it lasts: what is to be sent goes into its outbox, in order.
struct RemoteConnection: Sendable {
  private let outbox: AsyncStream<String>.Continuation
  private let task: Task<Void, Never>

  /// Dials, and tells the store what comes of it.
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

  /// Hangs up; what was given to it before is still sent.
  func cancel() {
    outbox.finish()
    task.cancel()
  }

  /// A channel that takes no more ends its incoming texts too, which tells why.
  private static func send(_ texts: AsyncStream<String>, over channel: any MessageChannel) async {
    for await text in texts {
      do throws(ChannelClosed) { try await channel.send(text) } catch { return }
    }
  }

  /// Reads a text away from the store, which has others to serve.
  @concurrent
  private static func messages(in text: String) async -> Result<[ServerEnvelope], MessageFault> {
    do throws(MessageFault) {
      return .success(try MessageCoding.serverMessages(in: text))
    } catch {
      return .failure(error)
    }
  }
}
