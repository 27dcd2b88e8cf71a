import Testing
import Widgets

@Suite("Titles of panels")
struct PanelTitleTests {
  @Test(
    "the last parts of a remark are omitted first, then the key",
    arguments: [
      (42, "[4] Results", "1 of 2 · by name · a·b"), (36, "[4] Results", "1 of 2 · by name"),
      (25, "Results", "1 of 2"), (12, "Results", "1 of 2"),
    ])
  func fitting(columns: Int, title: String, remark: String) {
    let section = PanelStack.Section(
      title: "Results", key: "4", remark: "1 of 2 · by name · a·b", isFocused: true, rows: 3)
    let texts = section.texts(within: columns)
    #expect(texts.title == title)
    #expect(texts.remark == remark)
  }

  @Test("a remark without a last part does not end with a gap")
  func gap() {
    let section = PanelStack.Section(
      title: "Results", remark: "3 selected · ", isFocused: true, rows: 3)
    #expect(section.texts(within: 60).remark == "3 selected")
  }
}
