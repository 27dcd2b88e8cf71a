import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("The way to what is shown")
struct TrailTests {
  @Test("all of a short way is told, of a long one its end")
  func text() {
    let way = ["world", "countries", "cities"]
    #expect(Crumbs.text(of: way, width: 26) == "world › countries › cities")
    #expect(Crumbs.text(of: way, width: 25) == "… › countries › cities")
    #expect(Crumbs.text(of: way, width: 21) == "… › cities")
    // What is shown says more than that something stands before it.
    #expect(Crumbs.text(of: way, width: 9) == "cities")
    #expect(Crumbs.text(of: way, width: -1) == "cities")
    #expect(Crumbs.text(of: ["都市", "国"], width: 9) == "都市 › 国")
    #expect(Crumbs.text(of: ["都市", "国"], width: 8) == "… › 国")
    #expect(Crumbs.text(of: [String](), width: 8).isEmpty)
  }

  @Test("of a long way no more is looked at than there is room for")
  func work() {
    var lookedAt = 0
    let way = (0..<100_000).lazy.map { number in
      lookedAt += 1
      return "n\(number)"
    }
    #expect(Crumbs.text(of: way, width: 30) == "… › n99997 › n99998 › n99999")
    #expect(lookedAt < 10)
  }

  @Test("one comes back as far as anybody wants to, and no farther")
  func length() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    for _ in 0..<210 { screen.press("$ enter") }
    var steps = 0
    while !screen.text.contains("This is where the trail begins"), steps < 300 {
      screen.press("[")
      steps += 1
    }
    #expect(steps == 201)
  }
}
