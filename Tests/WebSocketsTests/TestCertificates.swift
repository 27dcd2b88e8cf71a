/// A certificate and its key for tests only: they prove nothing to anybody.
enum TestCertificates {
  /// Signs the one below; its key is lost.
  static let authority = """
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
  static let good = """
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

  /// The key of the one above.
  static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5/fvpVwKYODkA+xM
    6g/rzl0osyFRtIMVn/EVUkBtjCKhRANCAATH8IkqooCJkTaHze759dXGXpZvpXRu
    U+kL8U0vhZMH3hrMpG9xNMCEF7ggk2tKhvmf7VCczO5PAMtlosqx7W8T
    -----END PRIVATE KEY-----
    """
}
