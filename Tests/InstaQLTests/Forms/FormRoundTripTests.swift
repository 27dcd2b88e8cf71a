import InstaQL
import TestSupport
import Testing
import Triples

@Suite("The forms of a query convert without loss")
struct FormRoundTripTests {
  @Test("printed text is parsed as the same query")
  func textRoundTrip() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var queries = RandomQueries(seed: seed)
    for round in 0..<2500 {
      let document = queries.document()
      let text = document.text
      do {
        let again = try QueryDocument(text: text)
        guard again == document else {
          Issue.record("seed \(seed), round \(round): \(text)\nbecame \(again.text)")
          return
        }
      } catch {
        Issue.record("seed \(seed), round \(round): \(text)\n\(error.message)")
        return
      }
    }
  }

  @Test("a printed condition is parsed as the same tree")
  func conditionRoundTrip() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var queries = RandomQueries(seed: seed)
    for round in 0..<5_000 {
      let condition = queries.condition()
      let text = condition.text
      do {
        let again = try ConditionNode(parsing: text)
        guard again == condition else {
          Issue.record("seed \(seed), round \(round): \(text)\nbecame \(again)\nfrom \(condition)")
          return
        }
      } catch {
        Issue.record("seed \(seed), round \(round): \(text)\n\(error.message)")
        return
      }
    }
  }

  @Test("every query round-trips in its local form")
  func localRoundTrip() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var queries = RandomQueries(seed: seed)
    for round in 0..<2500 {
      let document = queries.document()
      let json = document.canonicalJSON
      do {
        let again = try QueryDocument(json: json)
        guard again == document, again.canonicalJSON == json else {
          Issue.record("seed \(seed), round \(round): \(json)\nbecame \(again.canonicalJSON)")
          return
        }
      } catch {
        Issue.record("seed \(seed), round \(round): \(json)\n\(error.message)")
        return
      }
    }
  }

  @Test("wire forms round-trip, and both ways of parsing agree")
  func wireRoundTrip() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var queries = RandomQueries(seed: seed, isWireOnly: true)
    for round in 0..<4_000 {
      let document = queries.document()
      do {
        let json = try document.wireJSON()
        let again = try QueryDocument(json: json)
        guard again == document, try again.wireJSON() == json, json == document.canonicalJSON
        else {
          Issue.record("seed \(seed), round \(round): \(json)\nbecame \(again.canonicalJSON)")
          return
        }
        guard !json.contains("$entityIdStartsWith"), !json.contains("\"offset\":0") else {
          continue
        }
        guard try QueryDocument(json: json, reading: .reference) == document else {
          Issue.record("seed \(seed), round \(round): read otherwise by reference: \(json)")
          return
        }
      } catch {
        Issue.record("seed \(seed), round \(round): \(document.canonicalJSON)\n\(error)")
        return
      }
    }
  }

  @Test("any bytes are parsed as a query or an error")
  func randomBytes() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("random bytes with seed \(seed)")
    var queries = RandomQueries(seed: seed)
    let pieces = [
      "cities", " ", "filter", "(", ")", "{", "}", "\"", "'", "\\", "`", "and", "not", "in", "=",
      "<", "1", "-", ".", ",", ";", "with", "order", "any", "json", "'{}'", "é", "\u{301}", "🇫🇷",
      "\n", "\u{0}", "$", "_", "1e9", "after", "between", "is", "null", "date", "field", "\u{1A}",
      "all", "together", "+", "*", "/", "%", "]", "lower", "sum", "matches", "as", "fields",
      "group",
      "having", "[0]", "days", "ago", "\\u{", "limit", "|", "&", "!", "x", "[", ":", "\"where\"",
    ]
    var read = 0
    for _ in 0..<6000 {
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &queries.random) {
        text += queries.random.pick(pieces)
        if queries.random.oneIn(2) { text += " " }
      }
      if (try? QueryDocument(text: text)) != nil { read += 1 }
      if (try? ConditionNode(parsing: text)) != nil { read += 1 }
    }
    for _ in 0..<2000 {
      let bytes = (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &queries.random) }
      if (try? ConditionNode(parsing: String(decoding: bytes, as: UTF8.self))) != nil { read += 1 }
      if (try? QueryDocument(json: bytes)) != nil { read += 1 }
    }
    #expect(read > 0)
  }
}
