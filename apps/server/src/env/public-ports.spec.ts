import { describe, expect, it } from 'vitest'
import { publicPorts } from './public-ports.ts'

describe('the ports of visitors', () => {
  it.each([
    ['http://localhost:8080', undefined, { http: 8080, https: 443 }],
    ['http://localhost:8080', 8443, { http: 8080, https: 8443 }],
    ['https://localhost:8443', 8443, { http: 8080, https: 8443 }],
    // A proxy or systemd has the default ports.
    ['https://sites.example.com', undefined, { http: 80, https: 443 }],
    ['https://sites.example.com', 8443, { http: 80, https: 443 }],
    ['http://sites.example.com', 443, { http: 80, https: 443 }],
  ])('are derived from SITES_URL %s, with TLS on port %s', (SITES_URL, SITES_TLS_PORT, ports) => {
    expect(publicPorts({ SITES_URL, SITES_PORT: 8080, SITES_TLS_PORT })).toEqual(ports)
  })
})
