import Explorer
import InstaQL
import Testing
import Triples

@Suite("Broken references")
struct BrokenReferenceTests {
  /// Two books of a database; the author of the second one is missing.
  private static func library() throws -> TripleStore {
    var store = TripleStore()
    var author = Attribute(
      id: AttributeID("author"), namespace: "books", label: "author",
      reverse: Attribute.Name(namespace: "authors", label: "books"), valueType: .ref)
    author.isUnique = false
    var key = Attribute(id: AttributeID("author_id"), namespace: "books", label: "author_id").with {
      $0.checkedType = .number
    }
    key.keyOf = author.id
    let attributes = [
      Attribute(id: AttributeID("book"), namespace: "books", label: "id", constraints: .unique),
      Attribute(id: AttributeID("title"), namespace: "books", label: "title").with {
        $0.checkedType = .string
      },
      key, author,
      Attribute(id: AttributeID("writer"), namespace: "authors", label: "id", constraints: .unique),
      Attribute(id: AttributeID("name"), namespace: "authors", label: "name").with {
        $0.checkedType = .string
      },
    ]
    for attribute in attributes { store.addAttribute(attribute) }
    let (ann, one, two, three) = (
      EntityID("a0000000-0000-4000-8000-000000000001"),
      EntityID("b0000000-0000-4000-8000-000000000001"),
      EntityID("b0000000-0000-4000-8000-000000000002"),
      EntityID("b0000000-0000-4000-8000-000000000003")
    )
    try store.transact(
      Transaction([
        .addTriple(.id(ann), AttributeID("writer"), .text(ann.text)),
        .addTriple(.id(ann), AttributeID("name"), "Ann"),
        .addTriple(.id(one), AttributeID("book"), .text(one.text)),
        .addTriple(.id(one), AttributeID("title"), "First"),
        .addTriple(.id(one), AttributeID("author_id"), 7),
        .addTriple(.id(one), AttributeID("author"), .text(ann.text)),
        .addTriple(.id(two), AttributeID("book"), .text(two.text)),
        .addTriple(.id(two), AttributeID("title"), "Second"),
        .addTriple(.id(two), AttributeID("author_id"), 99),
        .addTriple(.id(three), AttributeID("book"), .text(three.text)),
        .addTriple(.id(three), AttributeID("title"), "Third"),
        .addTriple(.id(three), AttributeID("author_id"), .null),
      ]), rules: .optimistic)
    return store
  }

  @Test("appear in the column of their link with a mark")
  func shown() throws {
    let screen = try Screen(query: QueryPlan("books").order("title"), store: Self.library())
    #expect(screen.line(with: "First")?.contains("Ann →") == true)
    #expect(screen.line(with: "Second")?.contains("99 ✗") == true)
    #expect(screen.line(with: "Third")?.contains("·") == true)
    #expect(screen.line(with: "↑title")?.contains("author_id") == false)
    var asked = try Screen(
      query: QueryPlan("books").fields(["title", "author_id"]).order("title"), store: Self.library()
    )
    #expect(asked.line(with: "Second")?.contains("99") == true)
    asked.press("down enter")
    #expect(asked.text.contains("99 ✗"))
  }

  @Test("a link is unknown until its query is answered, unless its foreign key is NULL")
  func unknownLink() throws {
    var screen = try Screen(
      columns: 110, query: QueryPlan("books").order("title"), store: Self.library(),
      isPartial: true)
    screen.isAway = true
    for (number, title, key) in [(4, "Fourth", 7), (5, "Fifth", nil)] as [(Int, String, Value)] {
      let id = EntityID("b0000000-0000-4000-8000-00000000000\(number)")
      try screen.transact([
        .addTriple(.id(id), AttributeID("book"), .text(id.text)),
        .addTriple(.id(id), AttributeID("title"), .text(title)),
        .addTriple(.id(id), AttributeID("author_id"), key),
      ])
    }
    #expect(screen.line(with: "Fourth")?.contains("…") == true, "\(screen.text)")
    #expect(screen.line(with: "Fifth")?.contains("…") == false, "\(screen.text)")
    #expect(screen.line(with: "Fifth")?.contains("·") == true, "\(screen.text)")
  }

  @Test("a change of a link has the previous target, which another query loaded")
  func previousTarget() throws {
    for (keys, seen) in [
      ("$ e enter", .text("a0000000-0000-4000-8000-000000000001")),
      ("down down $ e enter", .null),
    ] as [(String, Value)] {
      var screen = try Screen(
        columns: 110, query: QueryPlan("books").order("title"), store: Self.library(),
        changeDetection: "watched", isPartial: true)
      screen.press(keys)
      #expect(screen.transactions.map(\.seen) == [[0: seen]], "\(screen.text)")
    }
  }

  @Test("a foreign key has its type in the schema and no inferred link")
  func schema() throws {
    let screen = try Screen(query: QueryPlan("books"), store: Self.library())
    #expect(screen.line(with: "author_id")?.contains("number") == true, "\(screen.text)")
    #expect(screen.line(with: "authors?") == nil)
  }

  @Test("opening one shows the missing key")
  func going() throws {
    var screen = try Screen(query: QueryPlan("books").order("title"), store: Self.library())
    screen.press("down right enter")
    #expect(screen.notice == .brokenReference(to: "authors", key: "99", canEdit: true))
  }
}
