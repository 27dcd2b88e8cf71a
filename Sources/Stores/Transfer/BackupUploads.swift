import LiveQueries
import Triples

/// The uploaded files of an app: rows of `$files`, and the attachments that their `location-id`
/// names.
struct BackupUploads {
  static let folder = "files/"
  private static let namespace = "$files"

  /// The attachments that rows reference, sorted by name.
  private(set) var found: [StoreAttachment] = []
  /// Inconsistencies between rows and attachments, each as a sentence.
  private(set) var remarks: [String] = []

  init(_ store: TripleStore, _ attachments: StoreAttachments) {
    let stored = attachments.all.filter { $0.name.hasPrefix(Self.folder) }
    var missing = 0
    var named: Set<String> = []
    if let location = store.schema.attribute(Self.namespace, "location-id") {
      for row in store.rows(of: Self.namespace).handles {
        let name = store.value(row, location.id)?.textValue.map { Self.folder + $0 }
        guard let name, attachments[name] != nil else {
          missing += 1
          continue
        }
        named.insert(name)
      }
    } else {
      missing = store.count(of: Self.namespace)
    }
    found = stored.filter { named.contains($0.name) }
    if missing > 0 {
      remarks.append(ExportRemark.uploadsMissing(missing))
    }
    let unnamed = stored.count - found.count
    if unnamed > 0 {
      remarks.append(
        "\(unnamed) stored \(unnamed == 1 ? "file is" : "files are") not in the backup, because "
          + "no row of $files refers to \(unnamed == 1 ? "it" : "them").")
    }
  }
}

extension Export {
  /// A remark that names the attachments, which only a backup can contain. Empty if there are no
  /// attachments.
  var attachmentRemarks: [String] { attachments.remarks }
}

extension StoreAttachments {
  /// A remark that names the attachments, which only a backup can contain. Empty if there are no
  /// attachments.
  var remarks: [String] {
    var parts: [String] = []
    if let bytes = try? self[BackupConfiguration.name]?.bytes() {
      let original = BackupConfiguration(bytes).original
      for (key, words) in [
        ("rules", "the permission rules"), ("webhooks", "webhooks"),
        ("emailTemplates", "e-mail templates"),
        ("authorizedRedirectOrigins", "redirect origins"),
      ] {
        guard let value = original[key], value != .null, value != [] else { continue }
        parts.append(words)
      }
    }
    let others = all.count { $0.name != BackupConfiguration.name }
    if others > 0 { parts.append("\(others) stored \(others == 1 ? "file" : "files")") }
    if parts.isEmpty { return [] }
    return [
      "Not in this export: \(parts.joined(separator: ", ")). Only a backup (.zip) can contain them."
    ]
  }
}
