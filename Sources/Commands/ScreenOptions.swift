import ArgumentParser
import Ncurses

/// What the screen looks like.
struct ScreenOptions: ParsableArguments {
  @Option(help: "The theme's name, as `sonde themes` lists them; else one for the background.")
  var theme: String?

  @Option(help: "never, 8, 16, 256 or truecolor; else what the terminal can.")
  var color: ColorDepth?

  @Flag(help: "Draw lines and signs with ASCII.")
  var ascii = false

  @Flag(help: "Begin at the first namespace, not where you were the last time.")
  var fresh = false

  @Flag(name: .customLong("no-mouse"), help: "Leave the mouse to the terminal.")
  var noMouse = false
}

extension ColorDepth: ExpressibleByArgument {
  public init?(argument: String) {
    self.init(rawValue: argument == "never" ? "none" : argument)
  }
}
