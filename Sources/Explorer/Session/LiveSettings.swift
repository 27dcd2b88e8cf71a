/// Settings that can change while the screen is open.
package struct LiveSettings: Sendable, Equatable {
  let screen: ExplorerSettings
  /// The label of the store in the header; nil if there is none.
  let label: String?
  /// The theme to show; nil to keep the current one.
  let theme: String?
  /// Whether the mouse is captured; nil to leave that unchanged.
  let isMouseOn: Bool?
  /// A message about the new settings; nil if there is none.
  let remark: Notice?

  package init(
    _ screen: ExplorerSettings = ExplorerSettings(), label: String? = nil, theme: String? = nil,
    isMouseOn: Bool? = nil, remark: Notice? = nil
  ) {
    self.screen = screen
    self.label = label
    self.theme = theme
    self.isMouseOn = isMouseOn
    self.remark = remark
  }
}
