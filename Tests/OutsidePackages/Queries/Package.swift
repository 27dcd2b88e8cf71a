// swift-tools-version: 6.2
import PackageDescription

// Tests of the libraries for SQLite, HTTP and queries in a package that uses them as other projects
// do: they see only their public symbols. `make test-libraries` runs them.
let package = Package(
  name: "queries-user",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "sonde", path: "../../..", traits: ["SQLite", "Network"]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .testTarget(
      name: "UserTests",
      dependencies: [
        .product(name: "DataSources", package: "sonde"),
        .product(name: "DataSourcesTesting", package: "sonde"),
        .product(name: "SQLDataSources", package: "sonde"),
        .product(name: "HTTPDataSources", package: "sonde"),
        .product(name: "Triples", package: "sonde"),
        .product(name: "InstaQL", package: "sonde"),
        .product(name: "LiveQueries", package: "sonde"),
        .product(name: "Stores", package: "sonde"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ])
  ]
)
