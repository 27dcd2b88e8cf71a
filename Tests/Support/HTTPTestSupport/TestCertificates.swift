/// Certificates and a key for tests only. They were generated for this file and are valid until 2999,
/// except where noted.
package enum TestCertificates {
  /// Signs those below; its key is lost.
  package static let authority = """
    -----BEGIN CERTIFICATE-----
    MIIBVjCB/aADAgECAhR7kaPR08BS11ugmEb9YMq/BRlwXTAKBggqhkjOPQQDAjAg
    MR4wHAYDVQQDDBVUZXN0cyBvbmx5OiBhdXRob3JpdHkwIBcNMjYwMTAxMDAwMDAw
    WhgPMjk5OTAxMDEwMDAwMDBaMCAxHjAcBgNVBAMMFVRlc3RzIG9ubHk6IGF1dGhv
    cml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLD957uQT44Sd9sywa8OjPYn
    1kC2eKgKqOs8smb9AOfKSMegtPIFXvo87F6GEZQhe0pOwG4eRFSjmmy5Ty/RkEOj
    EzARMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAMPdoxSvwDrn
    rFLiMqK4Semlf9h6k55E2a3f7h3/XimhAiAx2AlVo02La5AtlJxD0bJBe2U3li5J
    HY1aXHr6Ws7AmQ==
    -----END CERTIFICATE-----
    """

  /// For localhost and 127.0.0.1.
  package static let good = """
    -----BEGIN CERTIFICATE-----
    MIIBbjCCAROgAwIBAgIUBSLEUIT7n6BIiqu4BuuXsooAQvIwCgYIKoZIzj0EAwIw
    IDEeMBwGA1UEAwwVVGVzdHMgb25seTogYXV0aG9yaXR5MCAXDTI2MDEwMTAwMDAw
    MFoYDzI5OTkwMTAxMDAwMDAwWjAdMRswGQYDVQQDDBJUZXN0cyBvbmx5OiBzZXJ2
    ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATH8IkqooCJkTaHze759dXGXpZv
    pXRuU+kL8U0vhZMH3hrMpG9xNMCEF7ggk2tKhvmf7VCczO5PAMtlosqx7W8Toyww
    KjAMBgNVHRMBAf8EAjAAMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAKBggq
    hkjOPQQDAgNJADBGAiEA5DJ6NPliRsbOH0RLMXihVJFj7DGaFUlj2YtCxpSB58QC
    IQCe+i7iecr6z3AWOjcqJaqjAc9WnEaHVdFIsalzNitA2w==
    -----END CERTIFICATE-----
    """

  /// Valid in 2020 only.
  package static let expired = """
    -----BEGIN CERTIFICATE-----
    MIIBazCCARKgAwIBAgIUK15OZ9B/JRgHnRvwL5PDfgFnKLQwCgYIKoZIzj0EAwIw
    IDEeMBwGA1UEAwwVVGVzdHMgb25seTogYXV0aG9yaXR5MB4XDTIwMDEwMTAwMDAw
    MFoXDTIxMDEwMTAwMDAwMFowHjEcMBoGA1UEAwwTVGVzdHMgb25seTogZXhwaXJl
    ZDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMfwiSqigImRNofN7vn11cZelm+l
    dG5T6QvxTS+FkwfeGsykb3E0wIQXuCCTa0qG+Z/tUJzM7k8Ay2WiyrHtbxOjLDAq
    MAwGA1UdEwEB/wQCMAAwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAoGCCqG
    SM49BAMCA0cAMEQCIG+2LSHOwM+PEt1bX9KX0N8rNVrQG2LqnBZbwl9mXOkNAiBH
    p+rcX3p47WA+lzDp2tvX8SxFQBWBR4Zs3wQ/ox2D6g==
    -----END CERTIFICATE-----
    """

  /// Valid from 2998.
  package static let tooYoung = """
    -----BEGIN CERTIFICATE-----
    MIIBczCCARigAwIBAgIUHXnK75UwCPXLEAplWbcbvsz2E2kwCgYIKoZIzj0EAwIw
    IDEeMBwGA1UEAwwVVGVzdHMgb25seTogYXV0aG9yaXR5MCIYDzI5OTgwMTAxMDAw
    MDAwWhgPMjk5OTAxMDEwMDAwMDBaMCAxHjAcBgNVBAMMFVRlc3RzIG9ubHk6IHRv
    byB5b3VuZzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMfwiSqigImRNofN7vn1
    1cZelm+ldG5T6QvxTS+FkwfeGsykb3E0wIQXuCCTa0qG+Z/tUJzM7k8Ay2WiyrHt
    bxOjLDAqMAwGA1UdEwEB/wQCMAAwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAAB
    MAoGCCqGSM49BAMCA0kAMEYCIQCzlsmR9XhC8nQAixBeTMX0YKarsz4hscCWnDw8
    VzA0hQIhANgDHiVjWvPgvKYTqDeVMPRJr03aUZhn2ONImyOSbBkK
    -----END CERTIFICATE-----
    """

  /// For example.org.
  package static let ofAnotherHost = """
    -----BEGIN CERTIFICATE-----
    MIIBbTCCAROgAwIBAgIUXc3F3+y+8mLx4UQHOkt3FzRSS9YwCgYIKoZIzj0EAwIw
    IDEeMBwGA1UEAwwVVGVzdHMgb25seTogYXV0aG9yaXR5MCAXDTI2MDEwMTAwMDAw
    MFoYDzI5OTkwMTAxMDAwMDAwWjAhMR8wHQYDVQQDDBZUZXN0cyBvbmx5OiBvdGhl
    ciBob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEx/CJKqKAiZE2h83u+fXV
    xl6Wb6V0blPpC/FNL4WTB94azKRvcTTAhBe4IJNrSob5n+1QnMzuTwDLZaLKse1v
    E6MoMCYwDAYDVR0TAQH/BAIwADAWBgNVHREEDzANggtleGFtcGxlLm9yZzAKBggq
    hkjOPQQDAgNIADBFAiEA5+lUnuseOQvE0QoxGwe+TjJb77o4x2cSrYWA7q18030C
    IEz8oSm987WAwbqFtVUnUsRuCPlfr6C7LkSgvK/cXCfj
    -----END CERTIFICATE-----
    """

  /// For localhost and 127.0.0.1, signed by itself.
  package static let selfSigned = """
    -----BEGIN CERTIFICATE-----
    MIIBdTCCARqgAwIBAgIUYmS+3cZmWfnt2u3nzfG94CA0GnMwCgYIKoZIzj0EAwIw
    IjEgMB4GA1UEAwwXVGVzdHMgb25seTogc2VsZi1zaWduZWQwIBcNMjYwMTAxMDAw
    MDAwWhgPMjk5OTAxMDEwMDAwMDBaMCIxIDAeBgNVBAMMF1Rlc3RzIG9ubHk6IHNl
    bGYtc2lnbmVkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEx/CJKqKAiZE2h83u
    +fXVxl6Wb6V0blPpC/FNL4WTB94azKRvcTTAhBe4IJNrSob5n+1QnMzuTwDLZaLK
    se1vE6MsMCowDAYDVR0TAQH/BAIwADAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8A
    AAEwCgYIKoZIzj0EAwIDSQAwRgIhAMgX06MjSztR5fOkEendAvoRfZsfDaRJgH0+
    idFzz9BAAiEA7o4I34WAZRFdaG1Nug4AvTfRkZVBeXKfV815FHpXfkw=
    -----END CERTIFICATE-----
    """

  /// Signed by itself, and not for signatures, which TLS needs. Valid until 2126.
  package static let withoutSignatures = """
    -----BEGIN CERTIFICATE-----
    MIIBijCCAS+gAwIBAgIUSya8EdUFDnirW7c/bwUpcYM6zEYwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTA0MTI1N1oYDzIxMjYxMTA1
    MDQxMjU3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAATH8IkqooCJkTaHze759dXGXpZvpXRuU+kL8U0vhZMH3hrMpG9xNMCE
    F7ggk2tKhvmf7VCczO5PAMtlosqx7W8To10wWzAdBgNVHQ4EFgQUscUGehYL/Yu3
    H5xV9kF/vFTZa5EwHwYDVR0jBBgwFoAUscUGehYL/Yu3H5xV9kF/vFTZa5EwDgYD
    VR0PAQH/BAQDAgMIMAkGA1UdEwQCMAAwCgYIKoZIzj0EAwIDSQAwRgIhAPVygsSm
    2HP+9Nm+X6csTzyMRFenWBUQiVY9lj4ejubEAiEAzRrhVcyj5R/1sCeTOPk4FKxI
    47TWzk16OW73lMdUicI=
    -----END CERTIFICATE-----
    """

  /// A key without a certificate.
  package static let otherKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7t4D0exL1HT0luUy
    XV6cDOm/n9f1Prcz7ONUYBrmlmuhRANCAARgJOQYCiE8D/2UkOPzKPP4EJgILHG/
    ayYGam5U3QVTYhkS8t+eEyj4FDTJGBf+3OgAq77veR3xIiWNX8BnROB0
    -----END PRIVATE KEY-----
    """

  /// The key of every server.
  package static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5/fvpVwKYODkA+xM
    6g/rzl0osyFRtIMVn/EVUkBtjCKhRANCAATH8IkqooCJkTaHze759dXGXpZvpXRu
    U+kL8U0vhZMH3hrMpG9xNMCEF7ggk2tKhvmf7VCczO5PAMtlosqx7W8T
    -----END PRIVATE KEY-----
    """
}
