import DataSourcesTesting
import Testing
import Triples
import TestSupport

@Suite struct ColumnsRowSetTests {
  @Test("Sets of rows combine like sets of numbers", arguments: [1, 2, 3, 4] as [UInt64])
  func combine(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    func rows() -> Set<UInt32> {
      let spread = numbers.pick([40, 5000, 300_000])
      return Set((0..<numbers.below(400)).map { _ in UInt32(numbers.below(spread)) })
    }
    for _ in 0..<40 {
      let a = rows()
      let b = rows()
      let left = RowSet(a.map(EntityHandle.init(row:)))
      let right = RowSet(b.map(EntityHandle.init(row:)))
      #expect(left.count == a.count)
      #expect(left.handles.map(\.row) == a.sorted())
      #expect(left.map(\.row) == a.sorted())
      #expect(left.union(right).handles.map(\.row) == a.union(b).sorted())
      #expect(left.intersection(right).handles.map(\.row) == a.intersection(b).sorted())
      #expect(left.subtracting(right).handles.map(\.row) == a.subtracting(b).sorted())
      #expect(left.isSubset(of: left.union(right)))
      for row in b.prefix(20) {
        #expect(left.contains(EntityHandle(row: row)) == a.contains(row))
      }
    }
  }

  @Test("A set whose members were removed equals an empty set")
  func emptied() {
    var set = RowSet([EntityHandle(row: 3), EntityHandle(row: 5000)])
    set.remove(EntityHandle(row: 3))
    set.remove(EntityHandle(row: 5000))
    set.remove(EntityHandle(row: 9))
    #expect(set == RowSet())
    #expect(set.isEmpty)
  }

  @Test(
    "A pattern matches as expected",
    arguments: [
      ("a%", "abc", true), ("a%", "bac", false), ("%c", "abc", true), ("a_c", "abc", true),
      ("a_c", "aéc", true), ("a_c", "abbc", false), ("%", "", true), ("", "", true),
      ("_", "", false), ("100\\%", "100%", true), ("100\\%", "1000", false),
      ("%a%b%", "xxaxxbxx", true), ("%ab%ab", "ab", false), ("a%a", "a", false),
      ("%\n%", "a\nb", true), ("\\_", "_", true), ("é%", "Émile", false),
      ("%%%%", "", true), ("a%%%%c", "abc", true), ("a%%%%c", "abcd", false),
    ])
  func patterns(pattern: String, text: String, holds: Bool) {
    #expect(LikePattern(pattern).matches(text) == holds)
  }

  @Test("A case-insensitive pattern folds non-ASCII letters, too")
  func ignoresCase() {
    #expect(LikePattern("ém%", ignoringCase: true).matches("ÉMILE"))
    #expect(LikePattern("%WAR%", ignoringCase: true).matches("a war"))
    #expect(!LikePattern("%WAR%").matches("a war"))
  }
}
