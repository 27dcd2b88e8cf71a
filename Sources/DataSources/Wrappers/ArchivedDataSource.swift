/// Stores the last answer to each query in an archive, and returns it while the source is
/// unreachable.
///
/// - If a read fails because the source is unreachable (by default: after a temporary failure), it
///   returns the archived answer after applying `mark` to it. Without an archived answer, and for
///   all other errors, it throws the source's error.
/// - A watch begins with the archived answer and continues with the source's answers. When the
///   source fails, the watch ends with its error, so put a ``RetryDataSource`` inside the archived
///   source.
/// - An answer is archived before it is delivered, so everything that was displayed is available
///   offline.
/// - Writes go only to the source.
///
/// A failure to write the archive is passed to `onArchiveFailure`. The answer is still delivered.
public struct ArchivedDataSource<
  Base: GetDataSource, Archive: GetDataSource<Base.Object> & PutDataSource<Base.Object>
>: DataSourceWrapper {
  /// The type of the objects in the base and in the archive.
  public typealias Object = Base.Object

  /// The source whose answers are archived.
  public let base: Base
  private let archive: Archive
  private let mark: @Sendable (Object) -> Object
  private let isAbsence: @Sendable (DataSourceError) -> Bool
  private let onArchiveFailure: @Sendable (DataSourceError) -> Void

  /// Creates a source with an archive.
  /// - Parameters:
  ///   - archive: The source that stores the answers. It must support the archived queries; a
  ///     key/value source supports queries with keys.
  ///   - mark: Marks an archived object, to distinguish it from a live one.
  ///   - isAbsence: Returns whether an error means that the source is unreachable.
  public init(
    _ base: Base, archive: Archive,
    marking mark: @escaping @Sendable (Object) -> Object = { $0 },
    when isAbsence: @escaping @Sendable (DataSourceError) -> Bool = RetryPolicy.isPassing,
    onArchiveFailure: @escaping @Sendable (DataSourceError) -> Void = { _ in }
  ) {
    self.base = base
    self.archive = archive
    self.mark = mark
    self.isAbsence = isAbsence
    self.onArchiveFailure = onArchiveFailure
  }

  private func writeToArchive(_ body: () async throws(DataSourceError) -> Void) async {
    do throws(DataSourceError) { try await body() } catch { onArchiveFailure(error) }
  }

  /// Returns the archived object, marked as archived; nil when it is missing or cannot be read.
  private func archived(_ query: any Query) async -> Object? {
    do throws(DataSourceError) {
      return mark(try await archive.get(query))
    } catch {
      if error.code != .notFound { onArchiveFailure(error) }
      return nil
    }
  }

  private func archivedAll(_ query: any Query) async -> [Object]? {
    do throws(DataSourceError) {
      return try await archive.getAll(query).map(mark)
    } catch {
      if error.code != .notFound { onArchiveFailure(error) }
      return nil
    }
  }
}

extension ArchivedDataSource: GetDataSource {
  /// Returns the object from the base and archives it.
  ///
  /// - Returns: The archived object, marked, if the base is unreachable.
  /// - Throws: The error of the base, if the archive has no answer or the base can be reached.
  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    do throws(DataSourceError) {
      let object = try await base.get(query)
      await writeToArchive { () throws(DataSourceError) in
        _ = try await archive.put(object, in: query)
      }
      return object
    } catch {
      guard isAbsence(error), let object = await archived(query) else { throw error }
      return object
    }
  }

  /// Returns the objects from the base and archives them.
  ///
  /// - Returns: The archived objects, each marked, if the base is unreachable.
  /// - Throws: The error of the base, if the archive has no answer or the base can be reached.
  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    do throws(DataSourceError) {
      let objects = try await base.getAll(query)
      await writeToArchive { () throws(DataSourceError) in
        _ = try await archive.putAll(objects, in: query)
      }
      return objects
    } catch {
      guard isAbsence(error), let objects = await archivedAll(query) else { throw error }
      return objects
    }
  }
}

extension ArchivedDataSource: PutDataSource where Base: PutDataSource {}

extension ArchivedDataSource: DeleteDataSource where Base: DeleteDataSource {}

extension ArchivedDataSource: WatchDataSource where Base: WatchDataSource<Object> {
  /// Returns a stream of the archived object, if there is one, then of the objects from the base.
  ///
  /// The stream ends with the error of the base, even if the base is only unreachable.
  public func watch(_ query: any Query) -> DataStream<Object> {
    .filled { continuation throws(DataSourceError) in
      if let object = await archived(query) { continuation.yield(object) }
      try DataSourceError.checkCancellation()
      var objects = base.watch(query).makeAsyncIterator()
      while let object = try await objects.next(isolation: nil) {
        await writeToArchive { () throws(DataSourceError) in
          _ = try await archive.put(object, in: query)
        }
        continuation.yield(object)
      }
    }
  }

  /// Returns a stream of the archived objects, if there are any, then of the objects from the base.
  ///
  /// The stream ends with the error of the base, even if the base is only unreachable.
  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    .filled { continuation throws(DataSourceError) in
      // Before the first answer is archived, an archive may return an empty array.
      if let objects = await archivedAll(query), !objects.isEmpty { continuation.yield(objects) }
      try DataSourceError.checkCancellation()
      var answers = base.watchAll(query).makeAsyncIterator()
      while let objects = try await answers.next(isolation: nil) {
        await writeToArchive { () throws(DataSourceError) in
          _ = try await archive.putAll(objects, in: query)
        }
        continuation.yield(objects)
      }
    }
  }
}

extension ArchivedDataSource: DataSource where Base: DataSource {}

extension ArchivedDataSource: LiveDataSource where Base: LiveDataSource {}

extension GetDataSource {
  /// Returns this source with its last answers archived, for use while it is unreachable.
  public func archived<Archive: GetDataSource<Object> & PutDataSource<Object>>(
    in archive: Archive, marking mark: @escaping @Sendable (Object) -> Object = { $0 },
    when isAbsence: @escaping @Sendable (DataSourceError) -> Bool = RetryPolicy.isPassing,
    onArchiveFailure: @escaping @Sendable (DataSourceError) -> Void = { _ in }
  ) -> ArchivedDataSource<Self, Archive> {
    ArchivedDataSource(
      self, archive: archive, marking: mark, when: isAbsence, onArchiveFailure: onArchiveFailure)
  }
}
