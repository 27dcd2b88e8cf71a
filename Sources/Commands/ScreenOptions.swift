import ArgumentParser
import Explorer
import Ncurses
import Notebooks

/// The options for the appearance of the screen.
struct ScreenOptions: ParsableArguments {
  @Option(
    help: "Theme name (see 'sonde themes'); default: one that fits the terminal's background.",
    completion: .custom { _, _, _ in Themes().names })
  var theme: String?

  @Flag(help: "Draw boxes and symbols in plain ASCII.")
  var ascii = false

  @Option(help: "Initial view; default: the one used last.")
  var view: AnswerForm?

  @Flag(help: "Start at the first namespace instead of where you left off.")
  var fresh = false

  @Flag(
    name: .customLong("screen-reader"),
    help: "Screen-reader mode: one pane at a time, no boxes, changes announced in words.")
  var screenReader = false

  @Flag(name: .customLong("reduced-motion"), help: "Turn off animation.")
  var reducedMotion = false

  @Flag(
    name: .customLong("no-mouse"),
    help: "Do not use the mouse, so that the terminal can select text with it.")
  var noMouse = false

  var choices: ScreenChoices {
    ScreenChoices(
      theme: theme, ascii: ascii, view: view, fresh: fresh, screenReader: screenReader,
      reducedMotion: reducedMotion, noMouse: noMouse)
  }
}

/// What the command line says about the appearance of the screen; nil and false by default.
struct ScreenChoices {
  var theme: String?
  var ascii = false
  var view: AnswerForm?
  var fresh = false
  var screenReader = false
  var reducedMotion = false
  var noMouse = false
}

// Accessibility needs are set in one place: an option, a setting, or an environment variable.
extension ScreenChoices {
  func usesASCII(_ settings: Settings) -> Bool {
    ascii || settings.isASCII ?? Self.isSet("SONDE_ASCII")
  }

  func isForScreenReader(_ settings: Settings) -> Bool {
    screenReader || settings.isForScreenReader ?? Self.isSet("SONDE_SCREEN_READER")
  }

  func reducesMotion(_ settings: Settings) -> Bool {
    reducedMotion || settings.reducesMotion ?? Self.isSet("SONDE_REDUCED_MOTION")
  }

  private static func isSet(_ name: String) -> Bool {
    Folders.variable(name).map { $0 != "0" } ?? false
  }
}

extension AnswerForm: ExpressibleByArgument {}

extension ColorDepth: ExpressibleByArgument {
  public init?(argument: String) {
    self.init(rawValue: argument == "never" ? "none" : argument)
  }

  /// The values of `--color` as the user types them.
  public static var allValueStrings: [String] {
    allCases.map { $0 == .none ? "never" : $0.rawValue }
  }
}
