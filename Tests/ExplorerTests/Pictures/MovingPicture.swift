import TerminalUI

/// Frames as an animated SVG picture without scripts.
///
/// Rows that several frames share are drawn once. Viewers that prefer reduced motion see one frame.
struct MovingPicture {
  /// A frame and how long it is shown, in milliseconds.
  typealias Shot = (frame: Frame, duration: Int)

  let shots: [Shot]
  let theme: Theme
  let light: Theme?
  /// The index of the shot that is shown without motion.
  let still: Int

  var svg: String {
    guard let size = shots.first?.frame.size else { return "" }
    var canvas = PictureCanvas(theme: theme, light: light)
    // The drawn rows, by the shots that show them.
    var groups: [[Bool]: [String]] = [:]
    var order: [[Bool]] = []
    for row in 0..<size.rows {
      var shown: [(elements: [String], shots: [Bool])] = []
      for (place, shot) in shots.enumerated() {
        let elements = canvas.elements(of: shot.frame, row: row)
        if let index = shown.firstIndex(where: { $0.elements == elements }) {
          shown[index].shots[place] = true
        } else {
          var isShown = Array(repeating: false, count: shots.count)
          isShown[place] = true
          shown.append((elements, isShown))
        }
      }
      for (elements, isShown) in shown where !elements.isEmpty {
        if groups[isShown] == nil { order.append(isShown) }
        groups[isShown, default: []] += elements
      }
    }
    var rules: [String] = []
    var drawn: [String] = []
    for (number, isShown) in order.enumerated() {
      let elements = groups[isShown] ?? []
      guard isShown.contains(false) else {
        drawn += elements
        continue
      }
      rules.append(rule(number, isShown))
      drawn.append("<g class=\"f\(number)\">")
      drawn += elements
      drawn.append("</g>")
    }
    rules.append("@media (prefers-reduced-motion:reduce){g{animation:none!important}}")
    return canvas.svg(of: size, drawn, rules: rules)
  }

  /// Returns the animation that shows a group during its shots.
  private func rule(_ number: Int, _ isShown: [Bool]) -> String {
    let total = shots.reduce(0) { $0 + $1.duration }
    var (steps, start) = ("", 0)
    for (place, shot) in shots.enumerated() {
      if place == 0 || isShown[place] != isShown[place - 1] {
        steps += "\(percent(start, of: total)){visibility:\(isShown[place] ? "visible" : "hidden")}"
      }
      start += shot.duration
    }
    steps += "100%{visibility:\(isShown[shots.count - 1] ? "visible" : "hidden")}"
    let seconds = "\(total / 1_000).\(total % 1_000 / 100)s"
    let still = isShown[still] ? "visible" : "hidden"
    return "@keyframes k\(number){\(steps)}"
      + ".f\(number){visibility:\(still);animation:k\(number) \(seconds) step-end infinite}"
  }

  /// With two digits after the point.
  private func percent(_ part: Int, of total: Int) -> String {
    let hundredths = part * 10_000 / max(1, total)
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
  }
}
