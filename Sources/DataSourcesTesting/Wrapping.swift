public import DataSources

/// A way to wrap a source without changing its answers. The tests of a source can run once for each
/// wrapping.
public struct Wrapping<Object: Sendable & Hashable>: Sendable, CustomStringConvertible {
  public let description: String
  /// The closure that wraps a source.
  public let wrap: @Sendable (AnyDataSource<Object>) -> any LiveDataSource<Object>

  private init(
    _ description: String,
    _ wrap: @escaping @Sendable (AnyDataSource<Object>) -> any LiveDataSource<Object>
  ) {
    self.description = description
    self.wrap = wrap
  }

  /// All wrappers, configured so that they change nothing.
  public static var all: [Wrapping] {
    [
      Wrapping("mapper") { $0.mapped(to: .identity, from: .identity) },
      Wrapping("validator") { $0.validated(by: .lenient) },
      Wrapping("timed cache") { $0.cached(timeToLive: .seconds(60)) },
      Wrapping("timed cache with a time to live of zero") { $0.cached(timeToLive: .zero) },
      Wrapping("timed cache of at most two answers") {
        $0.cached(timeToLive: .seconds(60), capacity: 2)
      },
      Wrapping("retry") { $0.retrying() },
      Wrapping("debug") { $0.debugged(by: Debug { _ in }) },
      Wrapping("polled") { $0.polled(every: .milliseconds(1)) },
      Wrapping("assembler") { DataSourceAssembler(get: $0, put: $0, delete: $0) },
      Wrapping("type-erased") { AnyDataSource($0) },
      Wrapping("assembler of type-erased parts") {
        DataSourceAssembler(
          get: AnyGetDataSource<Object>($0), put: AnyPutDataSource<Object>($0),
          delete: AnyDeleteDataSource($0))
      },
      Wrapping("query mapper") { $0.mappingQueries { query throws(DataSourceError) in query } },
      Wrapping("archived") { $0.archived(in: InMemoryDataSource<Object>()) },
      Wrapping("several wrappers, nested") {
        $0.debugged(by: Debug { _ in }).retrying().mapped(to: .identity, from: .identity)
          .cached(timeToLive: .seconds(60)).validated(by: .lenient)
      },
    ]
  }
}
