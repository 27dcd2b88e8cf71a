/// The combinations of scene and state that are impossible, with the reason; all others have a
/// recording.
///
/// If a pane cannot be opened, the record has the notice instead.
enum SceneMatrix {
  static func whyNot(_ scene: Scene, _ state: SceneState) -> String? {
    switch state {
    case .noNamespaces: needsNamespace(scene)
    case .noRows: needsRow(scene)
    case .loading:
      switch scene {
      case .explain: "it asks for a row first"
      case .newEntity, .tree: "a key before it waits for the rows"
      default: needsAnswer(scene) ?? needsRow(scene)
      }
    case .queryRefused: needsAnswer(scene) ?? needsRow(scene)
    case .readOnly: changesSomething(scene)
    case .unfocused: keepsFocus(scene)
    case .usual, .smallest, .larger, .largest, .heard, .heardOffline, .oneRow, .wideText,
      .wideTextSmall, .storeFailed, .rowsGone, .stale, .offline, .archived, .connecting, .pending,
      .paused, .keptBack, .changed, .changedWithoutMotion, .colorless, .onlyASCII:
      nil
    }
  }

  private static func needsNamespace(_ scene: Scene) -> String? {
    switch scene {
    case .typingFilter, .typingOrder, .typingLimit, .typingQuery, .typingName, .explain, .newEntity,
      .relations:
      "there is no namespace"
    default: needsAnswer(scene) ?? needsRow(scene)
    }
  }

  private static func needsRow(_ scene: Scene) -> String? {
    switch scene {
    case .entity, .filterMenu, .deletion, .chooser, .typingValue: "there is no row"
    default: nil
    }
  }

  private static func needsAnswer(_ scene: Scene) -> String? {
    switch scene {
    case .facets, .export, .columns: "there is no answer"
    default: nil
    }
  }

  private static func changesSomething(_ scene: Scene) -> String? {
    switch scene {
    case .deletion, .chooser, .newEntity, .typingValue: "the store is read-only"
    default: nil
    }
  }

  private static func keepsFocus(_ scene: Scene) -> String? {
    switch scene {
    case .namespaces, .schema, .query, .queryAsText, .results, .tree, .json: nil
    case .help, .entity, .copyMenu, .filterMenu, .deletion, .relations, .columns, .changes,
      .thenAndNow, .chooser, .palette, .saved, .explain, .facets, .export, .subscriptions, .diagram,
      .newEntity, .themes, .typingFilter, .typingOrder, .typingLimit, .typingQuery, .typingFind,
      .typingValue, .typingName:
      "an open overlay keeps the focus until it is closed"
    }
  }
}
