/** A certificate with its chain and its key, both as PEM. */
export type Certificate = {
  certificate: string
  key: string
  /** Unique to the certificate. */
  etag: string
}

export type Certificates = {
  /**
   * The certificate for a host, which is lower-case, without port and trailing dot. From memory:
   * called for each handshake and each request without TLS.
   */
  find(host: string): Certificate | undefined
}
