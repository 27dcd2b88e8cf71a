// swift-tools-version: 6.2
import PackageDescription

// An example program with the library DataSources. Copy this folder and replace the path with the
// URL of the repository.
let package = Package(
  name: "bookmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "sonde", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Bookmarks", dependencies: [.product(name: "DataSources", package: "sonde")]),
    .testTarget(
      name: "BookmarksTests",
      dependencies: [
        "Bookmarks", .product(name: "DataSources", package: "sonde"),
        .product(name: "DataSourcesTesting", package: "sonde"),
      ]),
  ]
)
