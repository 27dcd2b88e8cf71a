/// A source that throws `notValid` when it reads invalid objects. Writes are not checked.
public struct DataSourceValidator<Base: GetDataSource>: DataSourceWrapper {
  /// The source whose objects are validated.
  public let base: Base
  private let validator: Validator<Base.Object>

  /// Creates a source that checks what it reads with `validator`.
  public init(_ base: Base, _ validator: Validator<Base.Object>) {
    self.base = base
    self.validator = validator
  }
}

extension DataSourceValidator: GetDataSource {
  /// Returns the object if it is valid.
  ///
  /// - Throws: `notValid` with the reason; the errors of the base.
  public func get(_ query: any Query) async throws(DataSourceError) -> Base.Object {
    let object = try await base.get(query)
    try await validator.check(object)
    return object
  }

  /// Returns the objects if all of them are valid.
  ///
  /// - Throws: `notValid` with the index of the first invalid object; the errors of the base.
  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Base.Object] {
    let objects = try await base.getAll(query)
    try await validator.check(all: objects)
    return objects
  }
}

extension DataSourceValidator: PutDataSource where Base: PutDataSource {}

extension DataSourceValidator: DeleteDataSource where Base: DeleteDataSource {}

/// Watches that validate each answer. A watch ends with `notValid` at the first invalid answer.
extension DataSourceValidator: WatchDataSource where Base: WatchDataSource {
  /// Returns a stream of valid objects, which ends with `notValid` at the first invalid one.
  public func watch(_ query: any Query) -> DataStream<Base.Object> {
    .filled { continuation throws(DataSourceError) in
      var objects = base.watch(query).makeAsyncIterator()
      while let object = try await objects.next(isolation: nil) {
        try await validator.check(object)
        continuation.yield(object)
      }
    }
  }

  /// Returns a stream of valid lists, which ends with `notValid` at the first invalid object.
  public func watchAll(_ query: any Query) -> DataStream<[Base.Object]> {
    .filled { continuation throws(DataSourceError) in
      var answers = base.watchAll(query).makeAsyncIterator()
      while let objects = try await answers.next(isolation: nil) {
        try await validator.check(all: objects)
        continuation.yield(objects)
      }
    }
  }
}

extension DataSourceValidator: DataSource where Base: DataSource {}

extension DataSourceValidator: LiveDataSource where Base: LiveDataSource {}

extension GetDataSource {
  /// Returns this source, with objects validated when they are read.
  public func validated(by validator: Validator<Object>) -> DataSourceValidator<Self> {
    DataSourceValidator(self, validator)
  }
}
