import DataSources
import InstaQL
import LiveQueries
import Testing
import Triples

@Suite("The archive of answers")
struct AnswerArchiveTests {
  private let source = InMemoryDataSource<[UInt8]>()

  private func document(_ limit: Int) -> QueryDocument {
    QueryDocument(QueryPlan("trees", page: Page(limit: limit)))
  }

  private func rows(_ count: Int) -> ServedRows {
    let rows = (0..<count).map {
      ServedRows.Row(
        Orchard.id($0), Orchard.attribute("trees.age"), ["years": .integer(Int64($0))],
        createdAt: 7)
    }
    let edge = ServedAnswer.Edge(
      entity: Orchard.id(0), attribute: Orchard.attribute("trees.id"), value: .null, createdAt: 7)
    let page = ServedAnswer.Page(start: edge, end: nil, hasNext: true, hasPrevious: false)
    return ServedRows(
      rows, processed: 12, served: ServedAnswer(pages: ["trees": page], counts: ["fruits": 3]))
  }

  @Test("an answer and the schema are restored unchanged, also after a restart")
  func keeping() async throws {
    let archive = AnswerArchive(source)
    try await archive.save(Orchard.schema)
    try await archive.save([document(3): rows(3)], at: 99, watched: [])
    let later = AnswerArchive(source)
    let answer = try #require(await later.answer(to: document(3)))
    #expect(answer.rows == rows(3))
    #expect(answer.saved == 99)
    #expect(await later.schema() == Orchard.schema)
    #expect(await later.answer(to: document(4)) == nil)
  }

  @Test("beyond the limits the oldest answers are removed, except watched ones")
  func bounds() async throws {
    let archive = AnswerArchive(source, limits: .init(answers: 3, triples: 1_000))
    for number in 1...5 {
      try await archive.save(
        [document(number): rows(2)], at: Int64(number), watched: [document(1)])
    }
    var kept: [Int] = []
    for number in 1...5 where await archive.answer(to: document(number)) != nil {
      kept.append(number)
    }
    #expect(kept == [1, 4, 5])
    try await archive.save([document(6): rows(999)], at: 6, watched: [document(1)])
    #expect(await archive.answer(to: document(5)) == nil)
    #expect(await archive.answer(to: document(1)) != nil)
    let reopened = AnswerArchive(source, limits: .init(answers: 1, triples: 1_000))
    try await reopened.save([document(7): rows(1)], at: 7, watched: [])
    #expect(await reopened.answer(to: document(1)) == nil)
    #expect(await reopened.answer(to: document(6)) == nil)
    #expect(await reopened.answer(to: document(7)) != nil)
  }

  @Test(
    "damaged files and files of another version are ignored",
    arguments: [#"{"version":2,"saved":1}"#, "no JSON", #"{"version":1,"triples":[[1]]}"#])
  func foreign(content: String) async throws {
    let archive = AnswerArchive(source)
    try await archive.save([document(1): rows(1), document(2): rows(1)], at: 1, watched: [])
    try await source.put(Array(content.utf8), id: document(1).canonicalJSON)
    try await source.put(Array(content.utf8), id: "index")
    let later = AnswerArchive(source)
    #expect(await later.answer(to: document(1)) == nil)
    try await later.save([document(3): rows(1)], at: 2, watched: [])
    #expect(await later.answer(to: document(2)) == nil)
    #expect(await later.answer(to: document(3)) != nil)
  }
}
