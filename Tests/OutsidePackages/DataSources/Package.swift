// swift-tools-version: 6.2
import PackageDescription

// Tests of DataSources in a package that uses it as other projects do: they see only its public
// symbols, and no other package is fetched. `make test-libraries` runs them.
let package = Package(
  name: "data-sources-user",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "sonde", path: "../../..", traits: [])],
  targets: [
    // a second process on the data of a test
    .executableTarget(
      name: "second-process", dependencies: [.product(name: "DataSources", package: "sonde")]),
    .testTarget(
      name: "UserTests",
      dependencies: [
        "second-process",
        .product(name: "DataSources", package: "sonde"),
        .product(name: "DataSourcesTesting", package: "sonde"),
      ]),
  ]
)
