/** An object of the Kubernetes API, as JSON. Times are texts. */
export type KubeObject = {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    namespace?: string | undefined
    uid?: string
    resourceVersion?: string
    generation?: number
    creationTimestamp?: string
    deletionTimestamp?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
    ownerReferences?: (Kind & { name: string; uid: string })[]
    managedFields?: ManagedFields[]
  }
  spec?: unknown
  status?: unknown
}

/** The fields that a manager has set by one kind of write. */
export type ManagedFields = {
  manager?: string
  operation?: string
  subresource?: string
  fieldsV1?: FieldSet
}

/** Names of fields, with the fields in them. */
export type FieldSet = { [name: string]: FieldSet }

export type Kind = Pick<KubeObject, 'apiVersion' | 'kind'>

export type ResourceKind = Kind & { plural: string; path: string; namespaced: boolean }

const resource = (
  apiVersion: string,
  kind: string,
  plural: string,
  namespaced = true,
): ResourceKind => ({
  apiVersion,
  kind,
  plural,
  namespaced,
  path: `${apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`}/${plural}`,
})

/**
 * Every kind that the engine uses. All exist since Kubernetes 1.9, but Ingress since 1.19, and
 * HTTPRoute only where the Gateway API is installed.
 */
export const kinds = {
  Namespace: resource('v1', 'Namespace', 'namespaces', false),
  ResourceQuota: resource('v1', 'ResourceQuota', 'resourcequotas'),
  LimitRange: resource('v1', 'LimitRange', 'limitranges'),
  Secret: resource('v1', 'Secret', 'secrets'),
  PersistentVolumeClaim: resource('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  Pod: resource('v1', 'Pod', 'pods'),
  NetworkPolicy: resource('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies'),
  Deployment: resource('apps/v1', 'Deployment', 'deployments'),
  Service: resource('v1', 'Service', 'services'),
  Ingress: resource('networking.k8s.io/v1', 'Ingress', 'ingresses'),
  HTTPRoute: resource('gateway.networking.k8s.io/v1', 'HTTPRoute', 'httproutes'),
  StorageClass: resource('storage.k8s.io/v1', 'StorageClass', 'storageclasses', false),
} as const

export const objectOf = (
  { apiVersion, kind }: Kind,
  metadata: KubeObject['metadata'],
): KubeObject => ({ apiVersion, kind, metadata })

export function objectPath({ kind, apiVersion, metadata }: KubeObject): string {
  const resource = Object.values(kinds).find(
    (each) => each.kind === kind && each.apiVersion === apiVersion,
  )
  if (!resource) throw new Error(`The engine does not use ${apiVersion} ${kind}`)
  const { name, namespace } = metadata
  if (!resource.namespaced) return `${resource.path}/${name}`
  if (!namespace) throw new Error(`${kind} ${name} needs a namespace`)
  const root = resource.path.slice(0, -resource.plural.length)
  return `${root}namespaces/${namespace}/${resource.plural}/${name}`
}
