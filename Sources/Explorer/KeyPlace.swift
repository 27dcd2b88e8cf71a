/// A pane of a tab.
struct KeyPlace: Sendable, Equatable {
  let tab: Int
  let focus: PaneTraits
}
