/// Settings that can change while the screen is open.
package struct LiveSettings: Sendable, Equatable {
  let keymap: Keymap
  let commands: CustomCommands
  let usesVi: Bool
  let reducesMotion: Bool
  /// The label of the store in the header; nil if there is none.
  let label: String?
  /// The theme to show; nil to keep the current one.
  let theme: String?
  /// Whether the mouse is captured; nil to leave that unchanged.
  let isMouseOn: Bool?
  /// A message about the new settings; nil if there is none.
  let remark: Notice?

  package init(
    keymap: Keymap = .standard, commands: CustomCommands = CustomCommands(),
    usesVi: Bool = false, reducesMotion: Bool = false, label: String? = nil,
    theme: String? = nil, isMouseOn: Bool? = nil, remark: Notice? = nil
  ) {
    self.keymap = keymap
    self.commands = commands
    self.usesVi = usesVi
    self.reducesMotion = reducesMotion
    self.label = label
    self.theme = theme
    self.isMouseOn = isMouseOn
    self.remark = remark
  }
}
