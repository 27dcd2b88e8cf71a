/// The combinations of scene and state that are impossible.
enum SceneMatrix {
  /// Returns why a scene cannot be open in a state; nil if it can.
  static func whyNot(_ scene: Scene, _ state: SceneState) -> String? {
    switch state {
    case .noNamespaces: needsNamespace(scene)
    case .noRows: needsRow(scene)
    case .loading:
      switch scene {
      case .explain: "the command needs a row"
      case .newEntity, .tree, .copyMenu: "keys are queued until the rows load"
      default: needsAnswer(scene) ?? needsRow(scene)
      }
    case .queryRefused: needsAnswer(scene) ?? needsRow(scene)
    case .readOnly: changesSomething(scene)
    case .unfocused: keepsFocus(scene)
    case .usual, .smallest, .larger, .largest, .heard, .heardOffline, .oneRow, .wideText,
      .wideTextSmall, .storeFailed, .rowsGone, .stale, .offline, .archived, .connecting, .pending,
      .paused, .keptBack, .changed, .changedWithoutMotion:
      nil
    }
  }

  /// Returns why a state is over once a scene has been opened; nil if it is not.
  static func whyOver(_ scene: Scene, _ state: SceneState) -> String? {
    switch (scene, state) {
    case (.relations, .paused), (.relations, .queryRefused): "its key runs another query"
    case (.changes, .queryRefused), (.thenAndNow, .queryRefused): "a change runs the query again"
    default: nil
    }
  }

  /// Returns why a list has no rows in a state; nil if it has any.
  static func whyEmpty(_ scene: Scene, _ state: SceneState) -> String? {
    scene == .thenAndNow && state == .paused ? "paused results do not differ" : nil
  }

  private static func needsNamespace(_ scene: Scene) -> String? {
    switch scene {
    case .typingFilter, .typingOrder, .typingLimit, .typingQuery, .typingName, .explain, .newEntity,
      .relations, .copyMenu:
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
