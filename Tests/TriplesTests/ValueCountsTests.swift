import Testing
import Triples

@Suite("Counts of values")
struct ValueCountsTests {
  @Test("null is not a distinct value, as in count(distinct …)")
  func distinct() {
    let height = Attribute(id: AttributeID("a1"), namespace: "plants", label: "height")
    var counts = ValueCounts(of: height, along: nil)
    counts.add(.null, count: 3)
    #expect(counts.distinct == 0)
    counts.add(.integer(40), count: 2)
    counts.add(.text("tall"), count: 1)
    #expect(counts.distinct == 2)
    #expect(counts.rows == 6 && counts.empty == 3)
    #expect(counts.frequent.count == 3)
  }
}
