import { second } from '@slipway/contract/limits'
import { Counter, Gauge } from 'prom-client'
import { protocols } from './tls-policy.ts'

const reasons = ['timeout', 'closed', 'no_tls', 'parameters', 'certificate', 'other'] as const
export type HandshakeFailure = (typeof reasons)[number]

const handshakes = new Counter({
  name: 'slipway_gateway_tls_handshakes_total',
  help: 'TLS handshakes of the site gateway that succeeded, by protocol.',
  labelNames: ['protocol'],
})

const failures = new Counter({
  name: 'slipway_gateway_tls_handshake_failures_total',
  help: 'TLS handshakes of the site gateway that failed, by reason: timeout (silence), closed (by the client, or because it was too slow), no_tls (the client spoke another protocol), parameters (no version, cipher or protocol in common), certificate (the client rejected it), other.',
  labelNames: ['reason'],
})

const certificateExpiries = new Map<string, Date>()
new Gauge({
  name: 'slipway_certificate_file_left_seconds',
  help: 'Seconds until the certificate of a file expires, by the setting that names the file.',
  labelNames: ['setting'],
  collect() {
    for (const [setting, expiresAt] of certificateExpiries)
      this.set({ setting }, (+expiresAt - Date.now()) / second)
  },
})

// Counters start at 0, so that `rate()` sees their first increase.
for (const protocol of protocols) handshakes.inc({ protocol }, 0)
for (const reason of reasons) failures.inc({ reason }, 0)

export const setCertificateExpiry = (setting: string, expiresAt: Date) =>
  void certificateExpiries.set(setting, expiresAt)
export const countHandshake = (protocol: 'h2' | 'http/1.1') => handshakes.inc({ protocol })
export const countFailure = (reason: HandshakeFailure) => failures.inc({ reason })

const parameters =
  /UNSUPPORTED_PROTOCOL|VERSION|NO_SHARED_CIPHER|NO_APPLICATION_PROTOCOL|NO_SHARED_GROUP|NO_SUITABLE/
const noTls = /HTTP_REQUEST|WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTPS_PROXY_REQUEST/

/** The reason behind an error of OpenSSL or of the connection, by its code. */
export function failureOf({ code = '' }: { code?: string | undefined }): HandshakeFailure {
  if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return 'timeout'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'closed'
  if (noTls.test(code)) return 'no_tls'
  if (/ALERT_(?:UNKNOWN_CA|.*CERTIFICATE)/.test(code)) return 'certificate'
  return parameters.test(code) ? 'parameters' : 'other'
}
