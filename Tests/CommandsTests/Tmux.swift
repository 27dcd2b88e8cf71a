import Foundation

/// A real terminal for tests: a separate tmux server with one window, driven in control mode.
///
/// tmux reports each output of the window, so waiting for a text reads reports and never sleeps.
final class Tmux {
  private let client: Child
  private let socket: String
  /// What programs in this window remember from one run to the next: nothing of other tests.
  /// Where the program keeps what it remembers.
  let state: URL
  private var unread: [UInt8] = []
  /// The timeout for a screen, far longer than any takes.
  private static let timeout = Duration.seconds(90)
  /// What the programs in the window have sent so far, as tmux reports it: control characters as their
  /// octal numbers behind a backslash.
  private(set) var sent = ""

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Opens a window that runs a plain shell with nothing but these variables added.
  init(columns: Int = 100, rows: Int = 30, environment: [String: String] = [:]) throws {
    socket = "sonde-\(UUID().uuidString)"
    state = FileManager.default.temporaryDirectory.appending(path: socket)
    var variables: [String: String?] = environment
    let own: [String: String?] = [
      "TMUX": nil, "ENV": nil, "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": state.path,
    ]
    variables.merge(own) { given, _ in given }
    client = try Child(
      [
        "tmux", "-L", socket, "-f", "/dev/null", "-C", "new-session", "-x", "\(columns)", "-y",
        "\(rows)", "env PS1='$ ' sh",
      ], environment: variables)
    // What comes before the session is there has no window to go to.
    let deadline = ContinuousClock.now + Self.timeout
    while !(try nextLine(by: deadline).hasPrefix("%session-changed")) {}
    try send("refresh-client -C \(columns)x\(rows)")
  }

  deinit {
    if let killer = try? Child(["tmux", "-L", socket, "kill-server"]) { _ = killer.finish() }
    try? FileManager.default.removeItem(at: state)
  }

  /// Types text, as it is.
  func type(_ text: String) throws {
    let hex = text.utf8.map { String($0, radix: 16) }.joined(separator: " ")
    try send("send-keys -H \(hex)")
  }

  /// Presses keys by tmux's names: `Enter`, `C-z`, `Down`.
  func press(_ keys: String...) throws {
    try send("send-keys " + keys.joined(separator: " "))
  }

  /// Makes the window another size.
  func resize(columns: Int, rows: Int) throws {
    try send("refresh-client -C \(columns)x\(rows)")
  }

  /// What the window shows now, without trailing blanks.
  func screen() throws -> String {
    try answer(to: "capture-pane -p").joined(separator: "\n")
  }

  /// A value that tmux knows of the window: `alternate_on`, `cursor_flag`, `mouse_any_flag` …
  func value(_ name: String) throws -> String {
    try answer(to: "display-message -p '#{\(name)}'").joined()
  }

  /// Allows programs in the window to set the clipboard.
  func allowClipboard() throws {
    _ = try answer(to: "set-option -g set-clipboard on")
  }

  /// What was copied last.
  func clipboard() throws -> String {
    try answer(to: "show-buffer").joined(separator: "\n")
  }

  /// Reads reports until the screen is as `holds` asks, and answers with it.
  ///
  /// - Throws: What the screen shows when it does not become so.
  @discardableResult
  func wait(until holds: (String) -> Bool) throws -> String {
    let deadline = ContinuousClock.now + Self.timeout
    while true {
      let screen = try screen()
      if holds(screen) { return screen }
      try waitForOutput(beside: screen, by: deadline)
    }
  }

  @discardableResult
  func wait(for text: String) throws -> String {
    try wait { $0.contains(text) }
  }

  /// Waits for something that is not on the screen, such as a file.
  func wait(for name: String, elsewhere holds: () -> Bool) throws {
    let deadline = ContinuousClock.now + Self.timeout
    while !holds() {
      guard ContinuousClock.now < deadline else {
        throw Failure(description: "\(name) did not come in \(Self.timeout)")
      }
      try rest()
    }
  }

  /// Reads reports until none arrives for a moment, when there is no specific text to wait for.
  func rest(_ moment: Duration = .milliseconds(80)) throws {
    while let more = client.read(by: .now + moment) {
      guard !more.isEmpty else { throw Failure(description: "tmux ended") }
      unread += more
    }
    while unread.contains(UInt8(ascii: "\n")) { _ = try nextLine(by: .now) }
  }

  /// Runs a command line in the shell and waits for what it prints.
  func run(_ line: String) throws {
    try type(line + "\n")
  }
}

// What was sent.
extension Tmux {
  /// The same as the bytes that they were.
  var sentBytes: [UInt8] {
    var bytes: [UInt8] = []
    var rest = sent.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let number = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(number)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// Whether the program has sent a color.
  var hasSentColors: Bool { sent.contains(/\\033\[[0-9;]*(3[0-7]|38|4[0-7]|48)[;m]/) }

  /// How `text` was written each time: what was sent of its style last before it.
  func styles(of text: String) -> [String] {
    var styles: [String] = []
    var rest = sent[...]
    var before = sent.startIndex
    while let place = rest.firstRange(of: text) {
      let style = sent[before..<place.lowerBound].matches(of: /\\033\[[0-9;]*m/).last
      styles.append(style.map { String($0.output) } ?? styles.last ?? "")
      before = place.upperBound
      rest = sent[before...]
    }
    return styles
  }
}

// What is often done in the explorer.
extension Tmux {
  /// Gives the chosen cell of the results another text.
  func edit(_ attribute: String, to text: String) throws {
    try press("4")
    try type("e")
    try wait(for: "Edit \(attribute)")
    try type("\u{15}" + text)
    try press("Enter")
    try wait { !$0.contains("Edit \(attribute)") }
  }
}

// The control protocol.
extension Tmux {
  private func send(_ command: String) throws {
    try client.write(command + "\n")
  }

  /// The lines that a command answers with; reports that come before are passed over.
  private func answer(to command: String) throws -> [String] {
    try send("display-message -p sonde-mark")
    try send(command)
    let deadline = ContinuousClock.now + Self.timeout
    while try nextLine(by: deadline) != "sonde-mark" {}
    var lines: [String] = []
    while !(try nextLine(by: deadline).hasPrefix("%begin")) {}
    while true {
      let line = try nextLine(by: deadline)
      if line.hasPrefix("%end") { return lines }
      if line.hasPrefix("%error") { throw Failure(description: lines.joined(separator: "\n")) }
      lines.append(line)
    }
  }

  private func waitForOutput(
    beside screen: String, by deadline: ContinuousClock.Instant
  ) throws {
    while true {
      do {
        if try nextLine(by: deadline).hasPrefix("%output") { return }
      } catch {
        throw Failure(description: "\(error). The screen was:\n\(screen)")
      }
    }
  }

  private func nextLine(by deadline: ContinuousClock.Instant) throws -> String {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        // After the word comes the window's number, then what was sent.
        if line.hasPrefix("%output ") {
          sent += line.split(separator: " ", maxSplits: 2).last ?? ""
        }
        return line
      }
      guard let more = client.read(by: deadline) else {
        throw Failure(description: "Nothing came of it in \(Self.timeout)")
      }
      guard !more.isEmpty else { throw Failure(description: "tmux ended") }
      unread += more
    }
  }
}
