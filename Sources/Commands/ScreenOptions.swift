import ArgumentParser
import Explorer
import Ncurses
import Notebooks

/// What the screen looks like.
struct ScreenOptions: ParsableArguments {
  @Option(
    help: "The theme's name, as `sonde themes` lists them; else one for the background.",
    completion: .custom { _, _, _ in Themes().names })
  var theme: String?

  @Option(help: "How many colours to show; else what the terminal can.")
  var color: ColorDepth?

  @Flag(help: "Draw lines and signs with ASCII.")
  var ascii = false

  @Option(help: "How the answer is shown at first; else as it was the last time.")
  var view: AnswerForm?

  @Flag(help: "Begin at the first namespace, not where you were the last time.")
  var fresh = false

  @Flag(
    name: .customLong("screen-reader"),
    help: "For somebody who hears the screen: a pane at a time, no boxes, changes in words.")
  var screenReader = false

  @Flag(name: .customLong("reduced-motion"), help: "Let nothing flash or fade.")
  var reducedMotion = false

  @Flag(name: .customLong("no-mouse"), help: "Leave the mouse to the terminal.")
  var noMouse = false
}

// What a person needs is said once: by an option, a setting, or a variable for all programs to come.
extension ScreenOptions {
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

  /// As they are typed.
  public static var allValueStrings: [String] {
    allCases.map { $0 == .none ? "never" : $0.rawValue }
  }
}
