import { describe, expect, it } from 'vitest'
import { objectPath } from '../api/resources.ts'
import { type Edge, edgeObjects } from './edge-objects.ts'
import { projectLabels } from './names.ts'

const instance = { key: 'shop-abc234', hosts: ['shop-abc234.example.com', 'shop.example'] }
const build = (edge: Edge) => edgeObjects(instance, 'slipway', edge)

describe('the objects of a site for an edge of the operator', () => {
  it('are a Service without a port of its own on the nodes, and a route', () => {
    const [service, route] = build({ kind: 'ingress', className: undefined })
    expect(service).toMatchObject({
      kind: 'Service',
      metadata: { name: 'site', namespace: 'slipway-shop-abc234' },
      spec: {
        type: 'ClusterIP',
        selector: projectLabels('slipway', 'shop-abc234'),
        ports: [{ port: 80, targetPort: 'http' }],
      },
    })
    expect(route?.metadata).toEqual(service?.metadata)
  })

  it('name every host in an Ingress, with the class that is set', () => {
    const backend = { service: { name: 'site', port: { number: 80 } } }
    const http = { paths: [{ path: '/', pathType: 'Prefix', backend }] }
    const rules = instance.hosts.map((host) => ({ host, http }))
    expect(build({ kind: 'ingress', className: undefined })[1]).toMatchObject({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      spec: { rules },
    })
    expect(build({ kind: 'ingress', className: 'nginx' })[1]?.spec).toEqual({
      ingressClassName: 'nginx',
      rules,
    })
  })

  it('name every host in an HTTPRoute of the Gateway', () => {
    const [, route] = build({ kind: 'gateway', namespace: 'infra', name: 'public' })
    expect(route).toMatchObject({ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute' })
    expect(route?.spec).toEqual({
      parentRefs: [{ name: 'public', namespace: 'infra' }],
      hostnames: instance.hosts,
      rules: [{ backendRefs: [{ name: 'site', port: 80 }] }],
    })
    expect(route && objectPath(route)).toBe(
      '/apis/gateway.networking.k8s.io/v1/namespaces/slipway-shop-abc234/httproutes/site',
    )
  })
})
