/// Presents a source of `Inner` as a source of `Outer`.
///
/// Objects are mapped to `Outer` when they are read, and to `Inner` when they are put. The base's
/// answer to a put is mapped to `Outer` again; if that throws, the object is stored nevertheless. A
/// put of nil does not call the mapper, unless the query is an ``ObjectQuery`` that carries the
/// object. If an element of an array cannot be mapped, the call throws the error of the first such
/// element.
public struct DataSourceMapper<Base: Sendable, Inner: Sendable, Outer: Sendable>: DataSourceWrapper
{
  /// The type of the objects after mapping.
  public typealias Object = Outer

  /// What happens to an element of a listing that cannot be mapped.
  public enum ElementErrors: Sendable {
    /// The call throws the error of the element.
    case fail
    /// The result omits the element, and `report` receives its error.
    case skip(report: @Sendable (DataSourceError) -> Void)
  }

  /// The source whose objects are mapped.
  public let base: Base
  private let out: Mapper<Inner, Outer>
  private let `in`: Mapper<Outer, Inner>
  private let elementErrors: ElementErrors

  /// Creates a source of mapped objects.
  /// - Parameters:
  ///   - out: Maps the objects that are read, and the base's answers to puts.
  ///   - in: Maps the objects that are written.
  ///   - onElementError: What happens to an element of a listing for which `out` throws.
  public init(
    _ base: Base, out: Mapper<Inner, Outer> = .unimplemented,
    in: Mapper<Outer, Inner> = .unimplemented, onElementError: ElementErrors = .fail
  ) {
    self.base = base
    self.out = out
    self.in = `in`
    elementErrors = onElementError
  }

  private func mapOut(_ objects: [Inner]) throws(DataSourceError) -> [Outer] {
    guard case .skip(let report) = elementErrors else { return try out.mapAll(objects) }
    var mapped: [Outer] = []
    for object in objects {
      do throws(DataSourceError) { mapped.append(try out.map(object)) } catch { report(error) }
    }
    return mapped
  }
}

extension DataSourceMapper: GetDataSource where Base: GetDataSource<Inner> {
  /// Returns the mapped object.
  ///
  /// - Throws: The errors of the base and of the mapper.
  public func get(_ query: any Query) async throws(DataSourceError) -> Outer {
    try out.map(await base.get(query))
  }

  /// Returns the mapped objects.
  ///
  /// - Throws: The errors of the base; the error of the first object that cannot be mapped, unless
  ///   such objects are skipped.
  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Outer] {
    try mapOut(await base.getAll(query))
  }
}

extension DataSourceMapper: PutDataSource where Base: PutDataSource<Inner> {
  /// Stores the object in the form of the base.
  ///
  /// - Returns: The answer of the base, mapped back.
  /// - Throws: The errors of the mappers and of the base. If only mapping the answer fails, the object
  ///   is stored nevertheless.
  @discardableResult
  public func put(_ object: Outer?, in query: any Query) async throws(DataSourceError) -> Outer {
    let carried = (query as? any AnyObjectQuery)?.anyObject as? Outer
    var inner: Inner?
    if let object = object ?? carried { inner = try `in`.map(object) }
    return try out.map(await base.put(inner, in: query))
  }

  /// Stores the objects in the form of the base. If one cannot be mapped, none is stored.
  ///
  /// - Returns: The answer of the base, mapped back.
  /// - Throws: The errors of the mappers and of the base.
  @discardableResult
  public func putAll(
    _ objects: [Outer], in query: any Query
  ) async throws(DataSourceError) -> [Outer] {
    try out.mapAll(await base.putAll(`in`.mapAll(objects), in: query))
  }
}

extension DataSourceMapper: DeleteDataSource where Base: DeleteDataSource {}

extension DataSourceMapper: WatchDataSource where Base: WatchDataSource<Inner> {
  /// Returns a stream of mapped objects. It ends when an object cannot be mapped.
  public func watch(_ query: any Query) -> DataStream<Outer> {
    base.watch(query).map { inner throws(DataSourceError) in try out.map(inner) }
  }

  /// Returns a stream of mapped objects. It ends when one cannot be mapped, unless such objects are
  /// skipped.
  public func watchAll(_ query: any Query) -> DataStream<[Outer]> {
    base.watchAll(query).map { inner throws(DataSourceError) in try mapOut(inner) }
  }
}

extension DataSourceMapper: DataSource where Base: DataSource<Inner> {}

extension DataSourceMapper: LiveDataSource where Base: LiveDataSource<Inner> {}

extension GetDataSource {
  /// Returns this source with `out` applied to the objects that are read. It cannot be written to.
  public func mapped<Outer: Sendable>(
    to out: Mapper<Object, Outer>,
    onElementError: DataSourceMapper<Self, Object, Outer>.ElementErrors = .fail
  ) -> DataSourceMapper<Self, Object, Outer> {
    DataSourceMapper(self, out: out, onElementError: onElementError)
  }
}

extension GetDataSource where Object == [UInt8] {
  /// Returns this source of JSON as a source of objects. It cannot be written to.
  /// - Parameter coding: How objects are written as JSON.
  public func mappedAsJSON<Outer: Decodable & Sendable>(
    _ type: Outer.Type = Outer.self, coding: JSONCoding = .standard
  ) -> DataSourceMapper<Self, [UInt8], Outer> {
    mapped(to: .json(coding))
  }
}
