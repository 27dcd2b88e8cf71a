import TerminalUI
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct BundledThemeTests {
  static let folder =
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/themes"

  static let files: [String] = {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".toml") { names.append(name) }
    }
    return names.sorted()
  }()

  @Test("the two themes of the house are there")
  func present() {
    #expect(Self.files.contains("sonde-dark.toml") && Self.files.contains("sonde-light.toml"))
  }

  @Test("text can be read on every ground that it may lie on", arguments: files)
  func contrast(file: String) throws {
    let theme = try Theme(toml: text(of: Self.folder + "/" + file), file: file)
    for ground in Self.grounds {
      for ink in Self.inks where ground == .text || !Self.badges.contains(ink) {
        let style = theme[Paint(ink, on: ground)]
        for screen in Self.screens(theme.appearance) {
          guard let front = luminance(style.foreground, screen, theme.appearance),
            let back = luminance(style.background, screen, nil)
          else { continue }
          let ratio = (max(front, back) + 0.05) / (min(front, back) + 0.05)
          #expect(ratio >= 4.5, "\(ink.name) on \(ground.name) over \(screen): \(ratio)")
        }
      }
    }
  }

  @Test(
    "a theme names every role that has no obvious parent",
    arguments: ["sonde-dark.toml", "sonde-light.toml"])
  func complete(file: String) throws {
    let toml = try text(of: Self.folder + "/" + file)
    for role in Role.allCases {
      #expect(toml.contains("\n\(role.name) ="), "\(file) says nothing about \(role.name)")
    }
  }

  /// Roles that are lines and tracks, not text, or dimmed on purpose.
  static let drawn: Set<Role> = [
    .border, .borderFocused, .separator, .treeGuide, .scrollbar, .scrollbarThumb, .shadow,
    .chartTrack, .progressTrack, .diagramBox, .diagramLine, .dialogBorder,
  ]
  /// Roles that bring their own background and lie on no other.
  static let badges = Set(Role.allCases.filter(\.isHighlight) + [.tabActive])
  static let inks = Role.allCases.filter { !drawn.contains($0) }
  static let grounds: [Role] = [
    .text, .titleBar, .statusBar, .selection, .selectionUnfocused, .cursorCell, .marked, .match,
    .matchCurrent, .changed, .inserted, .deleted, .errorBanner, .dialog, .completion,
    .completionSelected, .button, .buttonFocused,
  ]

  /// Backgrounds that terminals commonly have.
  static func screens(_ appearance: Theme.Appearance) -> [Color] {
    switch appearance {
    case .dark: ["#000000", "#1e1e1e", "#1e1e2e"].compactMap { Color($0) }
    case .light: ["#ffffff", "#fafafa", "#f2f2f2"].compactMap { Color($0) }
    }
  }

  /// Nil for colours that only the terminal knows.
  private func luminance(_ color: Color?, _ screen: Color, _ writing: Theme.Appearance?) -> Double?
  {
    switch color {
    case .rgb(let red, let green, let blue)?:
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    case .standard?: return writing == nil ? luminance(screen, screen, nil) : nil
    case .ansi?, nil: return nil
    }
  }

  private func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}

struct UnreadableFile: Error { let path: String }

func text(of path: String) throws -> String {
  guard let file = fopen(path, "r") else { throw UnreadableFile(path: path) }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
  return String(decoding: bytes, as: UTF8.self)
}
