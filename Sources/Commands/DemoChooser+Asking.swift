import Explorer
import Ncurses
import TerminalUI

extension DemoChooser {
  /// Asks in the terminal.
  ///
  /// - Parameter theme: What to show it in, given what is shown first.
  /// - Throws: A failure when there is no terminal that can be used.
  static func ask(
    _ options: NcursesTerminal.Options, isLinear: Bool,
    theme: (NcursesTerminal, Frame) -> Theme
  ) throws(Failure) -> Outcome {
    do {
      return try NcursesTerminal.open(options) { terminal in
        var chooser = DemoChooser(StoreLocation.demoNames, isLinear: isLinear)
        let theme = theme(terminal, chooser.view(terminal.size))
        while true {
          terminal.draw(chooser.view(terminal.size), theme: theme)
          for event in terminal.wait(until: nil) {
            switch chooser.handle(event, on: terminal.size) {
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
