import DataSourcesTesting
import TerminalUI
import Testing
import TestSupport

@Suite struct FrameTests {
  @Test("text is written at its position and cut at the edge")
  func writing() {
    var frame = Frame(size: Size(columns: 8, rows: 2))
    frame.write("Paris", row: 0, column: 1)
    frame.write("Marseille", row: 1, column: 2)
    #expect(frame.text == " Paris\n  Marse…")
  }

  @Test(
    "a width cuts with an ellipsis, or silently on request",
    arguments: [
      (Overflow.ellipsis, "Mars…|"), (.clip, "Marse|"),
    ])
  func width(overflow: Overflow, expected: String) {
    var frame = Frame(size: Size(columns: 6, rows: 1))
    frame.write("|", row: 0, column: 5)
    frame.write("Marseille", row: 0, column: 0, width: 5, overflow: overflow)
    #expect(frame.text == expected)
  }

  @Test(
    "text is aligned within its width",
    arguments: [
      (Alignment.leading, "42"), (.trailing, "    42"), (.center, "  42"),
    ])
  func alignment(alignment: Alignment, expected: String) {
    var frame = Frame(size: Size(columns: 10, rows: 1))
    frame.write("42", row: 0, column: 0, width: 6, alignment: alignment)
    #expect(frame.text == expected)
  }

  @Test("a wide glyph that does not fit leaves a blank, not a half")
  func wideAtEdge() {
    var frame = Frame(size: Size(columns: 5, rows: 2))
    frame.write("漢字漢", row: 0, column: 0, overflow: .clip)
    frame.write("漢字漢", row: 1, column: 0)
    #expect(frame.text == "漢字\n漢字…")
  }

  @Test("writing on one half of a wide glyph blanks the other")
  func halves() {
    var frame = Frame(size: Size(columns: 6, rows: 2))
    frame.write("漢字", row: 0, column: 0)
    frame.write("x", row: 0, column: 1)
    frame.write("漢字", row: 1, column: 0)
    frame.write("x", row: 1, column: 2)
    #expect(frame.text == " x字\n漢x")
  }

  @Test("a copied frame looks as if it were drawn in place")
  func copying() {
    let text = "a漢e\u{301}שb"
    var line = Frame(size: Size(columns: 8, rows: 1))
    line.write(text, row: 0, column: 1)
    var copied = Frame(size: Size(columns: 12, rows: 2))
    copied.write("漢字漢字漢字", row: 1, column: 0)
    var drawn = copied
    copied.copy(line, row: 1, column: 3)
    drawn.fill(Rect(row: 1, column: 3, rows: 1, columns: 8))
    drawn.write(text, row: 1, column: 4)
    #expect(copied == drawn)
  }

  @Test("a copy is cut at the edges, without halves of wide glyphs")
  func cutCopy() {
    var line = Frame(size: Size(columns: 6, rows: 1))
    line.write("a漢b", row: 0, column: 0)
    var frame = Frame(size: Size(columns: 4, rows: 4))
    frame.copy(line, row: 0, column: -2)
    frame.copy(line, row: 1, column: 2)
    frame.copy(line, row: 2, column: -9)
    frame.copy(line, row: 4, column: 0)
    #expect(frame.text == " b\n  a\n\n")
  }

  @Test("text that begins left of the screen shows its visible part")
  func leftOfScreen() {
    var frame = Frame(size: Size(columns: 6, rows: 2))
    frame.write("abcdef", row: 0, column: -2)
    frame.write("漢字x", row: 1, column: -1)
    #expect(frame.text == "cdef\n 字x")
  }

  @Test("rows and areas outside the screen are ignored")
  func outside() {
    var frame = Frame(size: Size(columns: 3, rows: 2))
    let blank = frame
    frame.write("abc", row: -1, column: 0)
    frame.write("abc", row: 2, column: 0)
    frame.write("abc", row: 0, column: 3)
    frame.fill(Rect(row: 5, column: 5, rows: 2, columns: 2), Paint(.error), with: "x")
    frame.repaint(Rect(row: -4, column: 0, rows: 2, columns: 9), ground: .selection)
    frame.box(Rect(row: 10, column: 10, rows: 3, columns: 3))
    #expect(frame == blank)
  }

  @Test("a clip limits drawing to an area")
  func clip() {
    var frame = Frame(size: Size(columns: 6, rows: 3))
    frame.clipped(to: Rect(row: 1, column: 1, rows: 1, columns: 3)) { frame in
      for row in 0..<3 { frame.write("abcdef", row: row, column: 0, overflow: .clip) }
    }
    frame.write("z", row: 2, column: 5)
    #expect(frame.text == "\n bcd\n     z")
  }

  @Test("a box has round corners, a title and a detail")
  func box() {
    var frame = Frame(size: Size(columns: 24, rows: 4))
    frame.box(frame.bounds, title: "Results", detail: "20 of 41")
    frame.divider(row: 2, of: frame.bounds, title: "cities")
    #expect(
      frame.text == """
        ╭─ Results ─ 20 of 41 ─╮
        │                      │
        ├─ cities ─────────────┤
        ╰──────────────────────╯
        """)
  }

  @Test("boxes of any size fit", arguments: 0...6)
  func smallBoxes(size: Int) {
    var frame = Frame(size: Size(columns: size, rows: size))
    frame.box(frame.bounds, title: "A long title", detail: "detail")
    #expect(frame.size.rows == size)
  }

  @Test("repainting changes ground or ink and leaves the text")
  func repaint() {
    var frame = Frame(size: Size(columns: 8, rows: 1))
    frame.write("12", row: 0, column: 0, paint: Paint(.number))
    frame.write("Lyon", row: 0, column: 3, paint: Paint(.string))
    frame.repaint(Rect(row: 0, column: 0, rows: 1, columns: 8), ground: .selection)
    frame.repaint(Rect(row: 0, column: 3, rows: 1, columns: 2), ink: .match)
    #expect(
      frame.paintedText
        == "{number/selection}12{text/selection} {match/selection}Ly{string/selection}on{text/selection} "
    )
  }

  @Test("frames that look the same are equal, whatever was drawn before")
  func equality() {
    var first = Frame(size: Size(columns: 6, rows: 1))
    first.write("e\u{301}漢", row: 0, column: 0)
    first.write("abcdef", row: 0, column: 0)
    var second = Frame(size: Size(columns: 6, rows: 1))
    second.write("abcdef", row: 0, column: 0)
    #expect(first == second)
    second.write("e\u{301}", row: 0, column: 0)
    #expect(first != second)
    first.write("e\u{300}", row: 0, column: 0)
    #expect(first.changedColumns(since: second, row: 0) == 0..<6)
  }

  @Test("the changed columns of a row cover whole glyphs")
  func changedColumns() {
    func frame(_ text: String) -> Frame {
      var frame = Frame(size: Size(columns: 8, rows: 2))
      frame.write(text, row: 1, column: 0)
      return frame
    }
    func changed(_ before: String, _ after: String) -> Range<Int> {
      frame(after).changedColumns(since: frame(before), row: 1)
    }
    #expect(changed("abcdef", "abcdef").isEmpty)
    #expect(changed("abcdef", "abXdYf") == 2..<5)
    #expect(changed("abcdef", "abcdeX") == 5..<6)
    #expect(changed("a漢b", "a字b") == 1..<3)
    #expect(changed("a漢b", "abcb") == 1..<3)
    #expect(changed("abcb", "a漢b") == 1..<3)
    #expect(changed("漢字", "a漢b") == 0..<4)
    #expect(changed("e\u{301}bc", "e\u{301}bd") == 0..<8)
    #expect(changed("e\u{301}bc", "e\u{301}bc").isEmpty)
    var painted = frame("a漢b")
    painted.repaint(Rect(row: 1, column: 2, rows: 1, columns: 1), ground: .selection)
    #expect(painted.changedColumns(since: frame("a漢b"), row: 1) == 1..<3)
    #expect(painted.changedColumns(since: frame("a漢b"), row: 0).isEmpty)
  }

  @Test("letters are found in an area of a row, ignoring case")
  func finding() {
    var frame = Frame(size: Size(columns: 12, rows: 1))
    frame.write("Abc 漢aBx ab", row: 0, column: 0)
    func columns(_ text: String, from column: Int = 0, to end: Int = 12) -> Range<Int>? {
      let area = Rect(row: 0, column: 0, rows: 1, columns: end)
      return frame.columns(of: Array(text.unicodeScalars), from: column, in: area)
    }
    #expect(columns("ab") == 0..<2)
    #expect(columns("ab", from: 1) == 6..<8)
    #expect(columns("ab", from: 7) == 10..<12)
    #expect(columns("ab", from: 7, to: 11) == nil)
    #expect(columns("漢a") == 4..<7)
    #expect(columns("y") == nil)
    #expect(columns("a", from: 12) == nil)
  }

  @Test("cells outside of the changed columns look the same")
  func changedColumnsOfRandomRows() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var before = Frame(size: Size(columns: 17, rows: 1))
      before.write(randomText(&generator), row: 0, column: 0)
      var after = before
      after.write(
        randomText(&generator), row: 0, column: Int.random(in: 0...16, using: &generator), width: 4)
      let changed = after.changedColumns(since: before, row: 0)
      for column in 0..<17 where !changed.contains(column) {
        #expect(
          before.cell(row: 0, column: column) == after.cell(row: 0, column: column)
            && before.marks(row: 0, column: column) == after.marks(row: 0, column: column),
          "seed \(seed)")
      }
      if let first = changed.first, let last = changed.last {
        for frame in [before, after] {
          #expect(!frame.cell(row: 0, column: first).isSecondHalf, "seed \(seed)")
          #expect(!frame.cell(row: 0, column: last).isWide, "seed \(seed)")
        }
      }
    }
  }

  @Test("right-to-left text is isolated from its neighbor")
  func rightToLeft() {
    var frame = Frame(size: Size(columns: 12, rows: 1))
    frame.write("שלום", row: 0, column: 0, width: 6)
    frame.write("│", row: 0, column: 6)
    #expect(frame.marks(row: 0, column: 3) == ["\u{200E}"])
    #expect(frame.text == "שלום  │")
  }

  @Test("right-to-left text stays isolated when a box covers its end or its middle")
  func coveredRightToLeft() {
    for end in [5, 12] {
      var frame = Frame(size: Size(columns: 12, rows: 1))
      frame.write("שלום 12 עולם", row: 0, column: 0)
      frame.fill(Rect(row: 0, column: 2, rows: 1, columns: end - 2))
      #expect(frame.marks(row: 0, column: 1) == ["\u{200E}"], "\(end)")
    }
    var isolated = Frame(size: Size(columns: 12, rows: 1))
    isolated.write("שלום", row: 0, column: 0)
    let before = isolated
    isolated.fill(Rect(row: 0, column: 6, rows: 1, columns: 2))
    #expect(isolated == before)
  }

  @Test("random drawing leaves no half glyph and no mark without a cell")
  func random() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    var frame = Frame(size: Size(columns: 17, rows: 3))
    for _ in 0..<3_000 {
      let row = Int.random(in: -1...3, using: &generator)
      let column = Int.random(in: -5...18, using: &generator)
      let width = Int.random(in: 0...12, using: &generator)
      if Bool.random(using: &generator) {
        frame.write(randomText(&generator), row: row, column: column, width: width)
      } else {
        frame.fill(Rect(row: row, column: column, rows: 2, columns: width), .dim, with: ".")
      }
      #expect(isSound(frame), "seed \(seed)")
    }
  }

  private func isSound(_ frame: Frame) -> Bool {
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let cell = frame.cell(row: row, column: column)
        let isCovered = column > 0 && frame.cell(row: row, column: column - 1).isWide
        if cell.isSecondHalf != isCovered { return false }
        if cell.isWide && column + 1 == frame.size.columns { return false }
        if cell.hasMarks == frame.marks(row: row, column: column).isEmpty { return false }
      }
    }
    return true
  }
}

@Suite struct RectTests {
  @Test("areas split, shrink and never become negative")
  func areas() {
    let area = Rect(row: 1, column: 2, rows: 5, columns: 10)
    #expect(area.split(rows: 2).bottom == Rect(row: 3, column: 2, rows: 3, columns: 10))
    #expect(area.split(columns: 99).right.isEmpty)
    #expect(area.inset(by: 1) == Rect(row: 2, column: 3, rows: 3, columns: 8))
    #expect(area.inset(by: 4).rows == 0)
    #expect(
      area.centered(Size(columns: 4, rows: 99)) == Rect(row: 1, column: 5, rows: 5, columns: 4))
    #expect(area.contains(row: 5, column: 11) && !area.contains(row: 6, column: 2))
  }
}
