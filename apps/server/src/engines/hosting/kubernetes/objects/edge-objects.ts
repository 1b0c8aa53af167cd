import { type KubeObject, kinds, objectOf, type ResourceKind } from '../api/resources.ts'
import { names, namespaceOf, projectLabels } from './names.ts'

/** The operator's proxy, which sends visitors to the sites instead of our gateway (decision 90). */
export type Edge =
  /** Without a class, the default one of the cluster. */
  | { kind: 'ingress'; className: string | undefined }
  /** The Gateway to which the routes belong. */
  | { kind: 'gateway'; namespace: string; name: string }

/** The kind of object that names the hosts of a site to the edge. */
export const routeKind = ({ kind }: Edge): ResourceKind =>
  kind === 'ingress' ? kinds.Ingress : kinds.HTTPRoute

export const edgeKinds = (edge: Edge | undefined): readonly ResourceKind[] =>
  edge ? [kinds.Service, routeKind(edge)] : []

const port = 80

function routeSpec(edge: Edge, hosts: readonly string[]): object {
  if (edge.kind === 'gateway')
    return {
      parentRefs: [{ name: edge.name, namespace: edge.namespace }],
      hostnames: hosts,
      rules: [{ backendRefs: [{ name: names.site, port }] }],
    }
  const backend = { service: { name: names.site, port: { number: port } } }
  const paths = [{ path: '/', pathType: 'Prefix', backend }]
  return {
    ...(edge.className === undefined ? {} : { ingressClassName: edge.className }),
    rules: hosts.map((host) => ({ host, http: { paths } })),
  }
}

/** How an edge reaches a site: a Service, and an Ingress or HTTPRoute with its hosts. */
export function edgeObjects(
  { key, hosts }: { key: string; hosts: readonly string[] },
  installation: string,
  edge: Edge,
): KubeObject[] {
  const metadata = {
    name: names.site,
    namespace: namespaceOf(installation, key),
    labels: projectLabels(installation, key),
  }
  const service = {
    type: 'ClusterIP',
    selector: projectLabels(installation, key),
    // Names the port: pods of two releases may listen on different ports, and other pods have none.
    ports: [{ name: 'http', port, protocol: 'TCP', targetPort: 'http' }],
  }
  return [
    { ...objectOf(kinds.Service, metadata), spec: service },
    { ...objectOf(routeKind(edge), metadata), spec: routeSpec(edge, hosts) },
  ]
}
