import Explorer
import Ncurses
import TerminalUI

extension DemoChooser {
  /// Lets the user choose a demo in the terminal.
  ///
  /// - Parameter theme: Returns the theme for the first frame.
  /// - Throws: A failure if there is no usable terminal.
  static func ask(
    _ options: NcursesTerminal.Options, _ settings: ExplorerSettings,
    theme: (NcursesTerminal, Frame) -> Theme
  ) throws(Failure) -> Outcome {
    do {
      return try NcursesTerminal.open(options) { terminal in
        var chooser = DemoChooser(
          StoreLocation.demoNames, size: terminal.size, settings: settings)
        let theme = theme(terminal, chooser.view())
        while true {
          terminal.draw(chooser.view(), theme: theme)
          for event in terminal.wait(until: nil) {
            switch chooser.handle(event) {
            case .goOn: break
            case .suspend: terminal.suspend()
            case .redraw: terminal.redraw()
            case .end(let outcome): return outcome
            }
          }
        }
      }
    } catch let error as TerminalError {
      throw Failure(message: error.message, status: ExitStatus.usage)
    } catch {
      throw Failure(message: "\(error)", status: ExitStatus.usage)
    }
  }
}
