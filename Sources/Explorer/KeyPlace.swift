/// A pane in one of the tabs.
struct KeyPlace: Sendable, Equatable {
  let tab: Int
  let focus: PaneTraits
}
