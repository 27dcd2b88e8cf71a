import InstaQL
import Testing

@Suite("Differences of lists of rows")
struct RowDifferenceTests {
  @Test("inserted, removed and moved rows are found, and where the others were")
  func changes() {
    let difference = RowDifference(from: Array("abcdefg"), to: Array("axcedfg"))
    #expect(difference.inserted == [1])
    #expect(difference.removed == [1])
    #expect(difference.moved.count == 1)
    #expect((0..<7).map { difference.place(of: $0) } == [0, nil, 2, 4, 3, 5, 6])
  }

  @Test("rows after an insertion or a removal keep their places")
  func shifted() {
    let longer = RowDifference(from: Array("abc"), to: Array("axyzbc"))
    #expect(longer.inserted == [1, 2, 3] && longer.removed.isEmpty && longer.moved.isEmpty)
    #expect((0..<6).map { longer.place(of: $0) } == [0, nil, nil, nil, 1, 2])
    let shorter = RowDifference(from: Array("abcd"), to: Array("ad"))
    #expect(shorter.removed == [1, 2] && shorter.inserted.isEmpty && shorter.moved.isEmpty)
    #expect((0..<2).map { shorter.place(of: $0) } == [0, 3])
  }

  @Test("equal and empty lists have no differences")
  func none() {
    for rows in ["", "abc"] {
      let difference = RowDifference(from: Array(rows), to: Array(rows))
      #expect(difference.inserted.isEmpty && difference.removed.isEmpty)
      #expect(difference.moved.isEmpty)
      #expect((0..<rows.count).map { difference.place(of: $0) } == Array(0..<rows.count))
    }
  }
}
