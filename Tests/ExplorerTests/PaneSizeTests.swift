import Explorer
import InstaQL
import Notebooks
import Testing

/// Every pane as small as it can be, on the usual screen, on a large one, and for somebody who hears it.
@Suite("Each pane at each size")
struct PaneSizeTests {
  enum Sight: String, CaseIterable {
    case smallest = "40x10"
    case usual = "80x24"
    case large = "200x60"
    case heard

    var size: (columns: Int, rows: Int) {
      switch self {
      case .smallest: (40, 10)
      case .usual: (80, 24)
      case .large: (200, 60)
      case .heard: (60, 14)
      }
    }
  }

  @Test("the screen is as recorded", arguments: Focus.allCases, [Sight.smallest, .usual, .heard])
  func sight(focus: Focus, sight: Sight) throws {
    var screen = try Screen(
      columns: sight.size.columns, rows: sight.size.rows, query: QueryPlan("plants").order("name"),
      isLinear: sight == .heard)
    screen.saved = [
      SavedQuery(name: "Tall", store: "garden", text: "plants filter height > 100"),
      SavedQuery(
        name: "By the water", store: "garden",
        text: "plants filter bed.name = \"By the pond\""),
    ]
    try screen.play(focus.scene)
    // How long answering took is told there.
    let text = focus == .text ? screen.text.withoutTimes : screen.text
    try expectScreen(text, named: "pane-\(focus)-\(sight.rawValue)")
  }

  @Test(
    "much room is used for more of the same",
    arguments: [Focus.results, .entity, .help, .relations, .newEntity])
  func large(focus: Focus) throws {
    var screen = try Screen(columns: 200, rows: 60, query: QueryPlan("plants").order("name"))
    try screen.play(focus.scene)
    try expectScreen(screen.text, named: "pane-\(focus)-200x60")
  }
}

extension Focus {
  /// Keys that lead to the pane with something in it.
  fileprivate var scene: String {
    switch self {
    case .changes: "4 e ' tree' enter down d d U C"
    case .relations: "4 w space down"
    case .palette: ": 'co'"
    case .chooser: "4 $ e 'o'"
    case .newEntity: "4 0 a 'Quince'"
    case .facets: "4 0 l z"
    case .results: "1 4"
    case .namespaces, .schema, .query, .help, .entity, .menu, .columns, .saved, .text,
      .export, .subscriptions, .diagram:
      way
    }
  }
}
