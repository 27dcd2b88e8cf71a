import Foundation
import Testing

/// The first journey once more: small and without colours, in ASCII, and for somebody who hears it.
@Suite("Journeys for everybody", .timeLimit(.minutes(2)))
struct AccessJourneyTests {
  @Test(
    "choose, filter, order, nest and leave",
    arguments: ["NO_COLOR=1", "SONDE_ASCII=1", "SONDE_SCREEN_READER=1"])
  func journey(_ variable: String) throws {
    let terminal = try Tmux(columns: 80, rows: 24)
    try terminal.run("\(variable) \(Program.path) world; echo le''ft $?")
    try terminal.wait { $0.contains("26 184") && $0.contains("countries") }
    if variable == "SONDE_ASCII=1" {
      let screen = try terminal.screen()
      #expect(screen.unicodeScalars.allSatisfy { $0.isASCII || $0.properties.isAlphabetic })
    }
    try terminal.press("Down", "Down", "Enter")
    try terminal.wait(for: "Shanghai")
    if variable == "SONDE_SCREEN_READER=1" {
      let screen = try terminal.wait(for: "Results, cities")
      #expect(!screen.unicodeScalars.contains { (0x2500...0x259F).contains($0.value) })
    }
    try terminal.type("Fcountry.name = \"France\"")
    try terminal.press("Enter")
    try terminal.wait { $0.contains("Paris") && !$0.contains("Shanghai") }
    try terminal.type("lss")
    try terminal.wait { $0.contains("Paris") && $0.contains("Marseille") }
    try terminal.type("w ")
    try terminal.wait(for: "[x]")
    try terminal.press("Escape")
    try terminal.type(">")
    try terminal.press("Down", "Down", "Enter")
    try terminal.type("q")
    try terminal.wait { $0.contains("Paris") || $0.contains("left") }
    try terminal.type("q")
    try terminal.wait(for: "left 0")
    #expect(try terminal.value("alternate_on") == "0")
  }
}
