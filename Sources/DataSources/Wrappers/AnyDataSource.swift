/// A type-erased source that supports get, put, delete and watch.
///
/// Use it where a generic parameter must be a source, because `any DataSource<Object>` does not
/// conform to the protocol. Otherwise `any DataSource<Object>` suffices.
public struct AnyDataSource<Object: Sendable>: DataSourceWrapper, LiveDataSource {
  /// The source without its type, as an assembled source.
  public let base: DataSourceAssembler<Object>

  /// Erases the type of `base`. If `base` cannot be watched, watches end with `notImplemented`.
  public init(_ base: any DataSource<Object>) {
    self.base =
      (base as? AnyDataSource<Object>)?.base
      ?? DataSourceAssembler(get: base, put: base, delete: base, as: Self.self)
  }
}

/// A type-erased source that can be read.
public struct AnyGetDataSource<Object: Sendable>: DataSourceWrapper, GetDataSource,
  WatchDataSource
{
  /// The source without its type, as an assembled source.
  public let base: DataSourceAssembler<Object>

  /// Erases the type of `base`. If `base` cannot be watched, watches end with `notImplemented`.
  public init(_ base: any GetDataSource<Object>) {
    self.base =
      (base as? AnyGetDataSource<Object>)?.base ?? DataSourceAssembler(get: base, as: Self.self)
  }
}

/// A type-erased source that can be written.
public struct AnyPutDataSource<Object: Sendable>: DataSourceWrapper, PutDataSource {
  /// The source without its type, as an assembled source.
  public let base: DataSourceAssembler<Object>

  /// Erases the type of `base`.
  public init(_ base: any PutDataSource<Object>) {
    self.base = (base as? AnyPutDataSource<Object>)?.base ?? DataSourceAssembler(put: base)
  }
}

/// A type-erased source from which objects can be deleted.
public struct AnyDeleteDataSource: DataSourceWrapper, DeleteDataSource {
  /// The source without its type, as an assembled source.
  public let base: DataSourceAssembler<Never>

  /// Erases the type of `base`.
  public init(_ base: any DeleteDataSource) {
    self.base = (base as? AnyDeleteDataSource)?.base ?? DataSourceAssembler(delete: base)
  }
}
