import DataSources
import DataSourcesTesting
import Testing

@Suite struct `Key/value contract` {
  @Test(arguments: SourceKind.sources, KeyValueContract.rows)
  func `every source answers every query as the contract says`(
    kind: SourceKind, row: ContractRow
  ) async throws {
    let source = try kind.make()

    let complaints = await row.complaints(about: source)

    #expect(complaints.isEmpty)
  }
}
