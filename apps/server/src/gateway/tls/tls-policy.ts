import { constants } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'

/**
 * Mozilla's intermediate configuration, guideline 6.0 (https://ssl-config.mozilla.org/guidelines/):
 * every browser of the last ten years, nothing without forward secrecy. Clients choose the cipher,
 * because those without AES in hardware prefer ChaCha20.
 */
export const tlsPolicy = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  ecdhCurve: 'X25519MLKEM768:X25519:prime256v1:secp384r1',
  honorCipherOrder: false,
  // A client could make the server repeat the costly part of a handshake (CVE-2011-1473).
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} satisfies SecureContextOptions

/**
 * In order of preference (ALPN). A client that offers only other protocols is rejected; one that
 * offers none at all gets HTTP/1.1.
 */
export const protocols: ('h2' | 'http/1.1')[] = ['h2', 'http/1.1']
