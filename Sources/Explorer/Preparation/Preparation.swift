/// Work that may take longer than a key press. It runs in the background while the user goes on.
package enum Preparation: Sendable, Equatable {
  case text(Rendering, TextSink)
  case deletion(DeletionPreviewRequest)

  /// The notice while the work runs.
  var title: String {
    switch self {
    case .text: Notice.renderingText
    case .deletion: Notice.previewingDeletion
    }
  }
}
