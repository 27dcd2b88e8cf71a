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

  @Test("the two default themes exist")
  func present() {
    #expect(Self.files.contains("sonde-dark.toml") && Self.files.contains("sonde-light.toml"))
  }

  static func theme(_ file: String) throws -> Theme {
    try Theme(toml: text(of: folder + "/" + file), file: file) { name, _ in
      (try? text(of: folder + "/" + name + ".toml")).map {
        Theme.File(path: name + ".toml", toml: $0)
      }
    }
  }

  @Test("text is readable on every possible ground", arguments: files)
  func contrast(file: String) throws {
    let theme = try Self.theme(file)
    for ground in Self.grounds {
      for ink in Self.inks where ground == .text || !Self.badges.contains(ink) {
        let style = theme[Paint(ink, on: ground)]
        for screen in Self.screens(theme.appearance) {
          guard let front = luminance(style.foreground, screen, theme.appearance),
            let back = luminance(style.background, screen, nil)
          else { continue }
          let ratio = ratio(front, back)
          #expect(ratio >= 4.5, "\(ink.name) on \(ground.name) over \(screen): \(ratio)")
        }
      }
    }
  }

  @Test("the background of the row at the cursor differs from that of other rows", arguments: files)
  func cursorRow(file: String) throws {
    let theme = try Self.theme(file)
    let other = theme[Paint(.text, on: .text)].background
    for (role, least) in [(Role.selection, 1.3), (.selectionUnfocused, 1.1)] {
      for screen in Self.screens(theme.appearance) {
        guard let row = luminance(theme.style(role).background, screen, nil),
          let back = luminance(other, screen, nil)
        else { continue }
        #expect(ratio(row, back) >= least, "\(role.name) over \(screen)")
      }
    }
  }

  @Test(
    "a theme defines every role without an obvious parent",
    arguments: ["sonde-dark.toml", "sonde-light.toml"])
  func complete(file: String) throws {
    let toml = try text(of: Self.folder + "/" + file)
    for role in Role.allCases {
      #expect(toml.contains("\n\(role.name) ="), "\(file) says nothing about \(role.name)")
    }
  }

  @Test(
    "success, pending and error colors differ for color-blind users",
    arguments: ["colorblind-dark.toml", "colorblind-light.toml"], ColorVision.allCases)
  func colorBlind(file: String, vision: ColorVision) throws {
    let theme = try Self.theme(file)
    func colors(_ roles: [Role], _ color: (Style) -> Color?) -> [Color] {
      roles.compactMap { color(theme.style($0)) }
    }
    let sets = [
      colors([.success, .warning, .error], \.foreground),
      colors([.live, .stale, .offline], \.foreground),
      colors([.inserted, .changed, .deleted], \.background),
    ]
    for set in sets {
      #expect(set.count == 3)
      for (index, one) in set.enumerated() {
        for other in set[..<index] {
          let difference = try #require(vision.difference(one, other))
          #expect(difference >= 20, "\(one) and \(other)")
        }
      }
    }
  }

  @Test("the standard theme's success and error colors are similar to some users")
  func standardColors() throws {
    let theme = try Self.theme("sonde-dark.toml")
    let (good, bad) = (theme.style(.inserted).background, theme.style(.deleted).background)
    let difference = try #require(ColorVision.deuteranopia.difference(good, bad))
    #expect(difference < 20)
  }

  /// Roles of lines and tracks, which are not text or are dim on purpose.
  static let drawn: Set<Role> = [
    .border, .borderFocused, .separator, .treeGuide, .scrollbar, .scrollbarThumb, .shadow,
    .chartTrack, .progressTrack, .diagramBox, .diagramLine, .dialogBorder,
  ]
  /// Roles with their own background, which appear on no other.
  static let badges = Set(Role.allCases.filter(\.isHighlight) + [.tabActive])
  static let inks = Role.allCases.filter { !drawn.contains($0) }
  static let grounds: [Role] = [
    .text, .titleBar, .statusBar, .selection, .selectionUnfocused, .cursorCell, .marked, .match,
    .matchCurrent, .changed, .inserted, .deleted, .errorBanner, .storeLabel, .dialog, .completion,
    .completionSelected, .button, .buttonFocused,
  ]

  /// Common terminal backgrounds.
  static func screens(_ appearance: Theme.Appearance) -> [Color] {
    switch appearance {
    case .dark: ["#000000", "#1e1e1e", "#1e1e2e"].compactMap { Color($0) }
    case .light: ["#ffffff", "#fafafa", "#f2f2f2"].compactMap { Color($0) }
    }
  }

  /// The contrast ratio of two luminances, as WCAG defines it.
  private func ratio(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  /// Nil for colors that the terminal determines.
  private func luminance(_ color: Color?, _ screen: Color, _ writing: Theme.Appearance?) -> Double?
  {
    switch color {
    case .rgb(let red, let green, let blue)?:
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    case .standard?: return writing == nil ? luminance(screen, screen, nil) : nil
    case .ansi?, nil: return nil
    }
  }

}

/// The linear light of an sRGB channel.
private func linear(_ channel: UInt8) -> Double {
  let value = Double(channel) / 255
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
}

/// The color vision of users who lack one of the three kinds of cones.
///
/// - Source: Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision
///   Deficiency (2009), severity 1, on linear light.
enum ColorVision: CaseIterable {
  case protanopia, deuteranopia, tritanopia

  private var rows: [[Double]] {
    switch self {
    case .protanopia:
      [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
      ]
    case .deuteranopia:
      [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
      ]
    case .tritanopia:
      [
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
      ]
    }
  }

  /// The distance of two colors in CIELAB; nil for a color that the terminal determines.
  func difference(_ one: Color?, _ other: Color?) -> Double? {
    guard let one = seen(one), let other = seen(other) else { return nil }
    return sqrt(zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) })
  }

  private func seen(_ color: Color?) -> [Double]? {
    guard case .rgb(let red, let green, let blue)? = color else { return nil }
    let light = [linear(red), linear(green), linear(blue)]
    let seen = rows.map { row in
      min(1, max(0, zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }))
    }
    func curve(_ value: Double) -> Double {
      value > 0.008856 ? cbrt(value) : 7.787 * value + 16 / 116
    }
    let x = curve((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047)
    let y = curve(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2])
    let z = curve((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
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
