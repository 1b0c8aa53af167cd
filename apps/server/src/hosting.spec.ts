import { describe, expect, it } from 'vitest'
import { networkRules } from './hosting.ts'

describe('the ports of web servers that sites reach in KUBERNETES_SERVICE_NETWORKS', () => {
  it.each([
    ['http://10.0.0.5:3000', 'https://console.example.com', [3000, 443]],
    ['http://10.0.0.5', 'http://10.0.0.5', [80]],
    [undefined, 'http://10.0.0.5:8080', [8080]],
  ])('at %s and %s are %j', (serviceUrl, publicUrl, ports) => {
    const settings = {
      KUBERNETES_GATEWAY_NETWORKS: [],
      KUBERNETES_CLOSED_NETWORKS: [],
      KUBERNETES_SERVICE_NETWORKS: ['10.0.0.5/32'],
      KUBERNETES_SERVICE_URL: serviceUrl,
      PUBLIC_URL: publicUrl,
    }
    expect(networkRules(settings).servicePorts).toEqual(ports)
  })
})
