import DataSourcesTesting
import Ncurses
import TerminalUI
import Testing
import TestSupport

@Suite struct KeyDecoderTests {
  static let keys: [(bytes: String, keys: [Key])] = [
    ("a", ["a"]), ("G/", ["G", "/"]), ("ä漢", [.character("ä"), .character("漢")]),
    ("😀", [.character("😀")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
    ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]), ("\0", ["ctrl-space"]),
    ("\u{1}", ["ctrl-a"]), ("\u{4}", ["ctrl-d"]), ("\u{1A}", ["ctrl-z"]), ("\u{1C}", ["ctrl-\\"]),
    ("\u{1D}", ["ctrl-]"]), ("\u{1F}", ["ctrl-_"]),
    ("\u{1B}[A", [.up]), ("\u{1B}OA", [.up]), ("\u{1B}[B\u{1B}[B", [.down, .down]),
    ("\u{1B}[C", [.right]), ("\u{1B}[D", [.left]), ("\u{1B}[H", [.home]), ("\u{1B}OF", [.end]),
    ("\u{1B}[1~", [.home]), ("\u{1B}[7~", [.home]), ("\u{1B}[4~", [.end]), ("\u{1B}[8~", [.end]),
    ("\u{1B}[2~", [.insert]), ("\u{1B}[3~", [.delete]), ("\u{1B}[5~", [.pageUp]),
    ("\u{1B}[6~", [.pageDown]), ("\u{1B}[Z", [.backTab]),
    ("\u{1B}OP", ["F1"]), ("\u{1B}OS", ["F4"]), ("\u{1B}[11~", ["F1"]), ("\u{1B}[15~", ["F5"]),
    ("\u{1B}[17~", ["F6"]), ("\u{1B}[24~", ["F12"]), ("\u{1B}[[A", ["F1"]), ("\u{1B}[[E", ["F5"]),
    ("\u{1B}[1;5A", ["ctrl-up"]), ("\u{1B}[1;2D", ["shift-left"]), ("\u{1B}[1;3C", ["alt-right"]),
    ("\u{1B}[1;8F", ["ctrl-alt-shift-end"]), ("\u{1B}[3;5~", ["ctrl-delete"]),
    ("\u{1B}[1;2P", ["shift-F1"]), ("\u{1B}[1;2R", ["shift-F3"]), ("\u{1B}[3^", ["ctrl-delete"]),
    ("\u{1B}[a", ["shift-up"]), ("\u{1B}Oa", ["ctrl-up"]), ("\u{1B}O5A", ["ctrl-up"]),
    ("\u{1B}OM", [.enter]), ("\u{1B}Oq", ["1"]), ("\u{1B}Ok", ["+"]),
    ("\u{1B}x", ["alt-x"]), ("\u{1B}\r", ["alt-enter"]), ("\u{1B}\u{7F}", ["alt-backspace"]),
    ("\u{1B}ä", [.alt("ä")]), ("\u{1B}\u{4}", ["ctrl-alt-d"]),
    ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}\u{1B}x", [.escape, "alt-x"]),
    // kitty
    ("\u{1B}[27u", [.escape]), ("\u{1B}[97u", ["a"]), ("\u{1B}[97;5u", ["ctrl-a"]),
    ("\u{1B}[97:65;2u", ["A"]), ("\u{1B}[97;2u", ["A"]), ("\u{1B}[97;1:3u", []),
    ("\u{1B}[13;3u", ["alt-enter"]), ("\u{1B}[9;2u", [.backTab]), ("\u{1B}[57399u", ["0"]),
    ("\u{1B}[57423u", [.home]), ("\u{1B}[57376u", ["F13"]), ("\u{1B}[57441u", []),
    ("\u{1B}[47:63;2;63u", ["?"]), ("\u{1B}[1;1:3A", []), ("\u{1B}[27;5;105~", ["ctrl-i"]),
    ("\u{1B}[49;1;49:65039:8419u", [.character("1️⃣")]),
    // Unknown sequences are dropped completely.
    ("\u{1B}[?62;22c", []), ("\u{1B}[24;80R", []), ("\u{1B}[1;2;3R", []), ("\u{1B}[0n", []),
    ("\u{1B}[8;24;80t", []),
    ("\u{1B}[?2026;2$y", []), ("\u{1B}]11;rgb:0000/0000/0000\u{7}", []),
    ("\u{1B}]11;rgb:0/0/0\u{1B}\\x", ["x"]), ("\u{1B}P>|xterm(370)\u{1B}\\", []),
    ("\u{1B}_Gi=1;OK\u{1B}\\", []), ("\u{1B}[999z", []), ("\u{1B}[12\u{3}", ["ctrl-c"]),
  ]

  @Test("bytes decode to the keys of the terminal", arguments: keys)
  func table(row: (bytes: String, keys: [Key])) {
    #expect(decode([Array(row.bytes.utf8)]) == row.keys.map { .key($0) })
  }

  @Test("keys are the same wherever the bytes are split", arguments: keys)
  func splits(row: (bytes: String, keys: [Key])) {
    let bytes = Array(row.bytes.utf8)
    for cut in 0...bytes.count {
      let events = decode([Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(events == row.keys.map { .key($0) }, "cut at \(cut)")
    }
    #expect(decode(bytes.map { [$0] }) == row.keys.map { .key($0) })
  }

  @Test("a lone escape becomes a key after its timeout")
  func loneEscape() {
    let start = ContinuousClock.now
    var decoder = KeyDecoder()
    var events: [TerminalEvent] = []
    decoder.feed([0x1B], at: start, into: &events)
    #expect(decoder.deadline == start + KeyDecoder.escapeTimeout)
    decoder.expire(at: start + .milliseconds(24), into: &events)
    #expect(events.isEmpty)
    decoder.expire(at: start + .milliseconds(25), into: &events)
    #expect(events == [.key(.escape)])
    #expect(decoder.deadline == nil)
  }

  @Test(
    "late bytes are not part of a sequence",
    arguments: [
      ("\u{1B}[", [Key.alt("[")]), ("\u{1B}O", [.alt("O")]), ("\u{1B}[12;", []), ("\u{E4}", []),
    ])
  func late(bytes: String, keys: [Key]) {
    let input = bytes == "\u{E4}" ? [0xE6] : Array(bytes.utf8)
    #expect(decode([input]) == keys.map { .key($0) })
  }

  @Test("invalid UTF-8 is replaced, and decoding continues")
  func invalid() {
    let bytes: [UInt8] = [0xFF, 0x61, 0xC3, 0x62, 0xED, 0xA0, 0x80, 0x63]
    let keys = decode([bytes])
    #expect(keys.first == .key(.character("\u{FFFD}")))
    #expect(keys.contains(.key("a")) && keys.contains(.key("b")) && keys.last == .key("c"))
  }

  @Test(
    "the terminal's background is dark or light with any number of digits",
    arguments: [
      ("11;rgb:0000/0000/0000", Theme.Appearance.dark), ("11;rgb:ff/ff/ff", .light),
      ("11;rgb:fdfd/f6f6/e3e3", .light), ("11;rgba:1e1e/1e1e/2e2e/ffff", .dark),
      ("11;rgb:f/f/f", .light), ("11;nonsense", nil), ("10;rgb:ffff/ffff/ffff", nil),
    ])
  func background(answer: String, appearance: Theme.Appearance?) {
    var decoder = KeyDecoder()
    var events: [TerminalEvent] = []
    decoder.feed(Array("\u{1B}]\(answer)\u{1B}\\a".utf8), at: .now, into: &events)
    #expect(decoder.appearance == appearance)
    #expect(!decoder.hasIdentified)
    decoder.feed(Array("\u{1B}[?62;22cb".utf8), at: .now, into: &events)
    #expect(decoder.hasIdentified)
    #expect(events == [.key("a"), .key("b")])
  }

  @Test("a click that gives focus to the window is ignored")
  func focusingClick() {
    var decoder = KeyDecoder()
    let start = ContinuousClock.now
    func feed(_ text: String, after milliseconds: Int) -> [TerminalEvent] {
      var events: [TerminalEvent] = []
      decoder.feed(Array(text.utf8), at: start + .milliseconds(milliseconds), into: &events)
      return events.filter { if case .focus = $0 { false } else { true } }
    }
    let press = "\u{1B}[<0;4;3M"
    let release = "\u{1B}[<0;4;3m"
    let drag = "\u{1B}[<32;5;3M"
    // A focus report at the start is unrelated to a click.
    #expect(feed("\u{1B}[I" + press + release, after: 0).count == 2)
    #expect(feed("\u{1B}[O", after: 1_000).isEmpty)
    #expect(feed("\u{1B}[I" + press, after: 2_000).isEmpty)
    #expect(feed(drag + release, after: 2_500).isEmpty)
    // The next click counts as the first.
    #expect(
      feed(press + release, after: 2_550) == [
        .mouse(Mouse(.press(.left, clicks: 1), row: 2, column: 3)),
        .mouse(Mouse(.release(.left), row: 2, column: 3)),
      ])
    // Focus by keyboard, with a click later.
    #expect(feed("\u{1B}[O\u{1B}[I", after: 4_000).isEmpty)
    #expect(feed(press + release, after: 4_200).count == 2)
    // A wheel event is never ignored.
    #expect(feed("\u{1B}[O\u{1B}[I\u{1B}[<65;4;3M", after: 5_000).count == 1)
  }

  @Test("focus is reported")
  func focus() {
    #expect(decode([Array("\u{1B}[I\u{1B}[O".utf8)]) == [.focus(true), .focus(false)])
  }

  @Test("random bytes in random pieces decode without a crash and the same as at once")
  func fuzz() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let bytes = randomBytes(&generator)
      let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
      let portions = [
        bytes[..<cuts[0]], bytes[cuts[0]..<cuts[1]], bytes[cuts[1]..<cuts[2]], bytes[cuts[2]...],
      ]
      #expect(decode(portions.map(Array.init)) == decode([bytes]), "seed \(seed): \(bytes)")
    }
  }

  private func randomBytes(_ generator: inout SeededGenerator) -> [UInt8] {
    let pieces = [
      "\u{1B}", "[", "O", "<", ";", "M", "m", "~", "200~", "\u{1B}[201~", "1", "27", "u", "?", ":",
    ]
    return (0..<Int.random(in: 0...24, using: &generator)).flatMap { _ -> [UInt8] in
      if Bool.random(using: &generator) {
        return Array((pieces.randomElement(using: &generator) ?? "").utf8)
      }
      return [UInt8.random(in: 0...255, using: &generator)]
    }
  }
}

@Suite struct PasteTests {
  @Test(
    "a paste is one event with line feeds",
    arguments: [
      ("one", "one"), ("a\r\nb\rc\nd", "a\nb\nc\nd"), ("\u{1B}[A q", "\u{1B}[A q"),
      ("x\u{1B}[20y", "x\u{1B}[20y"), ("\u{1B}\u{1B}", "\u{1B}\u{1B}"),
    ])
  func paste(text: String, expected: String) {
    let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~z".utf8)
    for cut in 0...bytes.count {
      #expect(
        decode([Array(bytes[..<cut]), Array(bytes[cut...])]) == [.paste(expected), .key("z")])
    }
  }

  @Test("a paste without an end is delivered after a timeout without further input")
  func unfinished() {
    #expect(decode([Array("\u{1B}[200~ab".utf8), []]) == [.paste("ab")])
  }

  @Test("a paste that is too long is cut between characters, and input continues")
  func bound() {
    let text = String(repeating: "漢", count: TerminalLimits.pasteBytes / 3 + 1_000)
    let events = decode([Array("\u{1B}[200~\(text)\u{1B}[201~q".utf8)])
    guard case .paste(let pasted)? = events.first else {
      Issue.record("no paste")
      return
    }
    #expect(pasted.utf8.count <= TerminalLimits.pasteBytes)
    #expect(!pasted.contains("\u{FFFD}"))
    #expect(events.last == .key("q"))
  }

  @Test("a paste whose end is lost is delivered after a timeout")
  func lostEnd() {
    #expect(decode([Array("\u{1B}[200~abc".utf8)]) == [.paste("abc")])
  }
}

@Suite struct MouseTests {
  static let reports: [(bytes: String, mouse: Mouse?)] = [
    ("\u{1B}[<0;11;6M", Mouse(.press(.left, clicks: 1), row: 5, column: 10)),
    ("\u{1B}[<0;11;6m", Mouse(.release(.left), row: 5, column: 10)),
    ("\u{1B}[<2;300;6M", Mouse(.press(.right, clicks: 1), row: 5, column: 299)),
    ("\u{1B}[<32;11;6M", Mouse(.drag(.left), row: 5, column: 10)),
    ("\u{1B}[<35;11;6M", nil),
    ("\u{1B}[<64;11;6M", Mouse(.scrollUp, row: 5, column: 10)),
    ("\u{1B}[<65;11;6M", Mouse(.scrollDown, row: 5, column: 10)),
    ("\u{1B}[<69;1;1M", Mouse(.scrollDown, row: 0, column: 0, modifiers: .shift)),
    ("\u{1B}[<16;1;1M", Mouse(.press(.left, clicks: 1), row: 0, column: 0, modifiers: .control)),
    ("\u{1B}[<128;1;1M", nil), ("\u{1B}[<0;1M", nil),
    ("\u{1B}[M !!", Mouse(.press(.left, clicks: 1), row: 0, column: 0)),
    ("\u{1B}[M`0%", Mouse(.scrollUp, row: 4, column: 15)),
  ]

  @Test("mouse reports are decoded", arguments: reports)
  func table(row: (bytes: String, mouse: Mouse?)) {
    let expected: [TerminalEvent] = row.mouse.map { [.mouse($0)] } ?? []
    #expect(decode([Array(row.bytes.utf8)]) == expected)
    #expect(decode(row.bytes.utf8.map { [$0] }) == expected)
  }

  @Test("quick clicks at one position are counted, and start again elsewhere or later")
  func clicks() {
    var decoder = KeyDecoder()
    let start = ContinuousClock.now
    func press(_ column: Int, after milliseconds: Int) -> Int {
      var events: [TerminalEvent] = []
      decoder.feed(
        Array("\u{1B}[<0;\(column);1M\u{1B}[<0;\(column);1m".utf8),
        at: start + .milliseconds(milliseconds), into: &events)
      guard case .mouse(let mouse)? = events.first, case .press(_, let clicks) = mouse.action else {
        return 0
      }
      return clicks
    }
    #expect(press(5, after: 0) == 1)
    #expect(press(5, after: 200) == 2)
    #expect(press(5, after: 400) == 3)
    #expect(press(5, after: 500) == 1)
    #expect(press(6, after: 600) == 1)
    #expect(press(6, after: 1_100) == 1)
  }
}

extension Key: ExpressibleByStringLiteral {
  public init(stringLiteral name: String) { self = Key(named: name) ?? .character("\u{FFFD}") }
}

/// The events of bytes that arrive at once, with nothing after them.
func decode(_ portions: [[UInt8]]) -> [TerminalEvent] {
  var decoder = KeyDecoder()
  var events: [TerminalEvent] = []
  let now = ContinuousClock.now
  for portion in portions { decoder.feed(portion, at: now, into: &events) }
  while let deadline = decoder.deadline { decoder.expire(at: deadline, into: &events) }
  return events
}
