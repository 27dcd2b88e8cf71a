/// A tab, and the pane that has the focus in it.
struct KeyPlace: Sendable, Equatable {
  let tab: Int
  let focus: PaneTraits
}
