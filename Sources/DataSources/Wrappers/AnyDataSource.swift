/// Any source of objects that can be read, written and deleted, where a type must be named.
///
/// `any DataSource<Object>` does the same wherever no generic type asks for a source, which an
/// existential does not satisfy.
public struct AnyDataSource<Object: Sendable>: DataSourceWrapper, LiveDataSource {
  public let base: DataSourceAssembler<Object>

  /// A source that cannot be watched ends its watches with `notImplemented`.
  public init(_ base: any DataSource<Object>) {
    self.base =
      (base as? AnyDataSource<Object>)?.base
      ?? DataSourceAssembler(get: base, put: base, delete: base, as: Self.self)
  }
}

/// Any source that can be read.
public struct AnyGetDataSource<Object: Sendable>: DataSourceWrapper, GetDataSource,
  WatchDataSource
{
  public let base: DataSourceAssembler<Object>

  /// A source that cannot be watched ends its watches with `notImplemented`.
  public init(_ base: any GetDataSource<Object>) {
    self.base =
      (base as? AnyGetDataSource<Object>)?.base ?? DataSourceAssembler(get: base, as: Self.self)
  }
}

/// Any source that can be written.
public struct AnyPutDataSource<Object: Sendable>: DataSourceWrapper, PutDataSource {
  public let base: DataSourceAssembler<Object>

  public init(_ base: any PutDataSource<Object>) {
    self.base = (base as? AnyPutDataSource<Object>)?.base ?? DataSourceAssembler(put: base)
  }
}

/// Any source from which things can be removed.
public struct AnyDeleteDataSource: DataSourceWrapper, DeleteDataSource {
  public let base: DataSourceAssembler<Never>

  public init(_ base: any DeleteDataSource) {
    self.base = (base as? AnyDeleteDataSource)?.base ?? DataSourceAssembler(delete: base)
  }
}
