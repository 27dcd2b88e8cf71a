public import DataSources

/// Returns the error that `body` throws; nil when it succeeds.
public func failure<Answer>(
  of body: () async throws(DataSourceError) -> Answer
) async -> DataSourceError? {
  do throws(DataSourceError) {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}
