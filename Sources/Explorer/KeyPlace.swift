/// The tab and the pane that had the focus.
struct KeyPlace: Sendable, Equatable {
  let tab: Int
  let focus: PaneTraits
}
