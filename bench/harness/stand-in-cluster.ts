// A stand-in of a Kubernetes API server with the objects of many sites, in a separate process. It
// stores objects, notifies watches, and gives each Deployment its pod at once. Its arguments are
// the numbers of all sites and of awake ones, and its version. It sends its port, and replies to
// each message `count` with the number of requests since the previous one.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Instance } from '../../apps/server/src/engines/hosting/engine.ts'
import {
  type KubeObject,
  kinds,
  type ManagedFields,
  type ResourceKind,
} from '../../apps/server/src/engines/hosting/kubernetes/api/resources.ts'
import {
  toAnnotation,
  withoutSecrets,
} from '../../apps/server/src/engines/hosting/kubernetes/applied-record.ts'
import {
  nameOf,
  viewOfObject,
} from '../../apps/server/src/engines/hosting/kubernetes/object-state.ts'
import {
  annotations,
  labels,
  names,
} from '../../apps/server/src/engines/hosting/kubernetes/objects/names.ts'
import { projectObjects } from '../../apps/server/src/engines/hosting/kubernetes/objects/project-objects.ts'
import { settingsDigest } from '../../apps/server/src/engines/hosting/kubernetes/objects/settings-digest.ts'
import { defaultSize } from '../../apps/server/src/engines/hosting/kubernetes/objects/size.ts'
import { imageRuntime } from '../../apps/server/src/engines/hosting/kubernetes/runtimes/image.runtime.ts'
import { clusterSettings, exampleImage, exampleKey } from './cluster-example.ts'

/** `bytes` is the size of all objects as JSON. */
export type StandInCluster = { port: number; bytes: number }

const [sites = 0, awake = 0] = process.argv.slice(2, 4).map(Number)
const gitVersion = process.argv[4] ?? 'v1.33.1'

type Labels = KubeObject['metadata']['labels']
/** Objects as JSON with their labels, by the path of their kind and their namespace and name. */
const stored = new Map<string, Map<string, { json: string; labels: Labels }>>(
  Object.values(kinds).map(({ path }) => [path, new Map()]),
)
/** Open watches with their selectors of labels, by the path of their kind. */
const watches = new Map<string, Map<ServerResponse, Selector>>()
let version = 1
let requests = 0

const pathOf = ({ apiVersion, kind }: KubeObject) => {
  const found = Object.values(kinds).find(
    (each) => each.kind === kind && each.apiVersion === apiVersion,
  )
  if (!found) throw new Error(`there is no ${apiVersion} ${kind}`)
  return found.path
}
const idOf = ({ metadata: { namespace = '', name } }: KubeObject) => `${namespace}/${name}`

/** Labels that an object must have, with a value or, where it is undefined, with any. */
type Selector = (readonly [label: string, value: string | undefined])[]

const selectorOf = (query: URLSearchParams): Selector =>
  (query.get('labelSelector') ?? '')
    .split(',')
    .filter((term) => term !== '')
    .map((term) => {
      const [label = '', value] = term.split('=')
      return [label, value]
    })

const isSelected = (labelsOfObject: Labels, selector: Selector) =>
  selector.every(([label, value]) => {
    const actual = labelsOfObject?.[label]
    return actual !== undefined && (value === undefined || actual === value)
  })

/** As Kubernetes does, reports an object that no longer has the labels of a watch as deleted. */
function notifyWatches(before: KubeObject | undefined, now: KubeObject | undefined) {
  const object = now ?? before
  if (!object) return
  for (const [response, selector] of watches.get(pathOf(object)) ?? []) {
    const [was, is] = [before, now].map(
      (each) => each !== undefined && isSelected(each.metadata.labels, selector),
    )
    if (!was && !is) continue
    const type = is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED'
    response.write(`${JSON.stringify({ type, object })}\n`)
  }
}

function put(object: KubeObject): KubeObject {
  const all = stored.get(pathOf(object))
  const previous = find(pathOf(object), idOf(object))
  version += 1
  const { metadata } = object
  const updated: KubeObject = {
    ...object,
    metadata: {
      ...previous?.metadata,
      ...metadata,
      annotations: { ...previous?.metadata.annotations, ...metadata.annotations },
      uid: previous?.metadata.uid ?? `uid-${version}`,
      resourceVersion: String(version),
      creationTimestamp: previous?.metadata.creationTimestamp ?? new Date().toISOString(),
    },
  }
  all?.set(idOf(object), { json: JSON.stringify(updated), labels: updated.metadata.labels })
  notifyWatches(previous, updated)
  return updated
}

function find(path: string, id: string): KubeObject | undefined {
  const object = stored.get(path)?.get(id)
  return object === undefined ? undefined : (JSON.parse(object.json) as KubeObject)
}

function remove(object: KubeObject) {
  stored.get(pathOf(object))?.delete(idOf(object))
  version += 1
  notifyWatches(object, undefined)
}

type Container = {
  image?: string
  lifecycle?: { preStop?: { sleep?: object } }
  ports?: { name: string; containerPort: number }[]
  volumeMounts?: { name: string }[]
}

type PodSpec = {
  hostUsers?: boolean
  initContainers?: Container[]
  containers?: Container[]
  volumes?: { name: string }[]
}

type Deployment = {
  spec: {
    replicas: 0 | 1
    template: { metadata: { labels: Record<string, string> }; spec?: PodSpec }
  }
}

const podSpecOf = (object: KubeObject | undefined): PodSpec =>
  object?.kind === kinds.Deployment.kind
    ? ((object as unknown as Deployment).spec.template.spec ?? {})
    : {}

/** What a Deployment must not have, in the words of the API server. */
function invalidPart(object: KubeObject): string | undefined {
  const { containers = [], initContainers = [], volumes = [] } = podSpecOf(object)
  const portNames = containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))
  if (new Set(portNames).size < portNames.length) return 'Duplicate value: "http"'
  const volumeNames = new Set(volumes.map(({ name }) => name))
  const mounts = [...initContainers, ...containers].flatMap((each) => each.volumeMounts ?? [])
  const missing = mounts.find(({ name }) => !volumeNames.has(name))
  return missing && `volumeMounts[0].name: Not found: "${missing.name}"`
}

/** An update of a pod template owns its fields: an application does not remove them. */
const ownTemplate: ManagedFields = {
  operation: 'Update',
  fieldsV1: { 'f:spec': { 'f:template': {} } },
}

function patched(before: KubeObject, patch: KubeObject, manager: string | null): KubeObject {
  const object = merged(before, patch) as KubeObject
  const isOfTemplate = (patch as { spec?: { template?: unknown } }).spec?.template !== undefined
  if (!isOfTemplate || manager === null) return object
  return {
    ...object,
    metadata: { ...object.metadata, managedFields: [{ ...ownTemplate, manager }] },
  }
}

function appliedTo(before: KubeObject | undefined, object: KubeObject): KubeObject {
  if (!before?.metadata.managedFields?.some(({ operation }) => operation === 'Update'))
    return object
  const { spec } = object as unknown as Deployment
  const { initContainers, containers = [] } = podSpecOf(before)
  const ports = (all: Container[] = []) => all[0]?.ports ?? []
  const kept = ports(containers).filter(
    ({ containerPort }) =>
      !ports(spec.template.spec?.containers).some((each) => each.containerPort === containerPort),
  )
  const podSpec = {
    ...(initContainers ? { initContainers } : {}),
    ...spec.template.spec,
    containers: spec.template.spec?.containers?.map((each) => ({
      ...each,
      ports: [...ports([each]), ...kept],
    })),
  }
  return { ...object, spec: { ...spec, template: { ...spec.template, spec: podSpec } } }
}

/**
 * Server-side apply rejects fields that it does not know: `hostUsers` exists since 1.25, and
 * `preStop.sleep` since 1.30.
 */
function unknownField(object: KubeObject | undefined): string | undefined {
  const minor = Number(gitVersion.split('.')[1])
  const { hostUsers, containers = [] } = podSpecOf(object)
  if (minor < 25 && hostUsers !== undefined) return '.spec.template.spec.hostUsers'
  const sleeps = containers.some(({ lifecycle }) => lifecycle?.preStop?.sleep !== undefined)
  return minor < 30 && sleeps
    ? '.spec.template.spec.containers[0].lifecycle.preStop.sleep'
    : undefined
}

/** As an admission webhook would, rejects the pods of one registry. */
const isRejected = ({ spec }: Deployment) =>
  spec.template.spec?.containers?.some(({ image }) => image?.startsWith('rejected.example/'))

function rejectPods(deployment: KubeObject) {
  const message =
    'admission webhook "images" denied the request: pods "site" is forbidden: the registry is not allowed'
  const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }]
  put({ ...deployment, status: { conditions } } as KubeObject)
}

/** Acts as the controllers of a cluster: the pods of a Deployment, ready at once. */
function runPods(deployment: KubeObject, replicas: number) {
  const { spec } = deployment as unknown as Deployment
  if (replicas > 0 && isRejected({ spec })) return rejectPods(deployment)
  const { namespace = '', name } = deployment.metadata
  const launch = spec.template.metadata.labels[labels.launch] ?? ''
  const owner = `${namespace}/${name}`
  const id = `${owner}-${launch}`
  const pods = stored.get(kinds.Pod.path)
  const before = podOf.get(owner)
  if (before !== undefined && (before !== id || replicas === 0)) {
    const pod = find(kinds.Pod.path, before)
    if (pod) remove(pod)
    podOf.delete(owner)
  }
  if (replicas === 0 || pods?.has(id)) return
  podOf.set(owner, id)
  put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${name}-${launch}`, namespace, labels: spec.template.metadata.labels },
    spec: {
      nodeName: 'node',
      containers: [{ name: names.site, ports: [{ containerPort: sitePort }] }],
    },
    status: {
      podIP: '127.0.0.1',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        { name: names.site, ready: true, restartCount: 0, state: { running: {} } },
      ],
    },
  } as KubeObject)
}
/** The pod of each Deployment. */
const podOf = new Map<string, string>()

/** The address on which all pods listen. */
const site = createServer((_, response) => void response.end('ok'))
site.listen(0, '127.0.0.1')
await once(site, 'listening')
const sitePort = (site.address() as AddressInfo).port

/** The objects of a site, as the engine has applied them. */
async function seed(index: number) {
  const instance: Instance = {
    key: exampleKey(index),
    name: `Example ${index}`,
    regionId: 'eu',
    cluster: 'default',
    runtime: 'image',
    artifact: 'a'.repeat(64),
    image: exampleImage,
    registry: null,
    environment: {},
    hosts: [`${exampleKey(index)}.localhost`],
    power: 'running',
    restarts: 0,
    signIn: { issuer: 'http://localhost', clientId: exampleKey(index), clientSecret: 'example' },
  }
  const program = await imageRuntime.program?.(instance, null)
  if (!program) throw new Error('the runtime of images returned no program')
  const settings = { ...clusterSettings, pods: { ...clusterSettings.pods, size: defaultSize } }
  const replicas = index < awake ? 1 : 0
  const { namespace, objects, launch } = projectObjects(instance, program, null, replicas, settings)
  const record = {
    instance: withoutSecrets(instance),
    launch,
    objects: Object.fromEntries(
      objects.map((object) => {
        const intent = object.metadata.annotations?.[annotations.intent] ?? ''
        const name = nameOf({ kind: object.kind, name: object.metadata.name })
        return [name, { intent, content: viewOfObject(object).content }]
      }),
    ),
    settings: settingsDigest(settings, { node: undefined, php: undefined }),
    hasData: false,
    staged: null,
    archiveUntil: null,
  }
  const applied = { [annotations.applied]: toAnnotation(record) }
  put({ ...namespace, metadata: { ...namespace.metadata, annotations: applied } })
  for (const object of objects) {
    const updated = put(object)
    if (object.kind === kinds.Deployment.kind) runPods(updated, replicas)
  }
}
for (let index = 0; index < sites; index++) await seed(index)

const merged = (object: unknown, patch: unknown): unknown => {
  if (typeof object !== 'object' || object === null) return patch
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, unknown> = { ...object }
  for (const [name, value] of Object.entries(patch)) result[name] = merged(result[name], value)
  return result
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return parts.length === 0 ? undefined : JSON.parse(Buffer.concat(parts).toString())
}

const send = (response: ServerResponse, text: string, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)

/** A page of a list, in the order of the insertions; shorter where a selector leaves some out. */
function sendList(response: ServerResponse, path: string, query: URLSearchParams) {
  const all = [...(stored.get(path)?.values() ?? [])]
  const first = Number(query.get('continue') ?? 0)
  const limit = Number(query.get('limit') ?? all.length)
  const next = first + limit < all.length ? String(first + limit) : ''
  const selector = selectorOf(query)
  const items = all
    .slice(first, first + limit)
    .filter((object) => isSelected(object.labels, selector))
    .map(({ json }) => json)
    .join(',')
  const metadata = JSON.stringify({ resourceVersion: String(version), continue: next })
  send(response, `{"items":[${items}],"metadata":${metadata}}`)
}

function startWatch(response: ServerResponse, path: string, query: URLSearchParams) {
  const openWatches = watches.get(path) ?? new Map<ServerResponse, Selector>()
  watches.set(path, openWatches.set(response, selectorOf(query)))
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  response.once('close', () => openWatches.delete(response))
}

/** The kind and the names in a path: `/api/v1/namespaces/NAMESPACE/secrets/NAME`. */
function parsePath(pathname: string): { kind: ResourceKind; id: string } | undefined {
  const match = /^(.*?)\/namespaces\/([^/]+)(?:\/([^/]+)\/([^/]+))?$/.exec(pathname)
  if (!match) return undefined
  const [, root, namespace = '', plural, name] = match
  if (plural === undefined) return { kind: kinds.Namespace, id: `/${namespace}` }
  const kind = Object.values(kinds).find(({ path }) => path === `${root}/${plural}`)
  return kind && { kind, id: `${namespace}/${name}` }
}

const server = createServer(async (request, response) => {
  requests += 1
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost')
  const body = (await bodyOf(request)) as KubeObject | undefined
  if (pathname === '/version') return void send(response, JSON.stringify({ gitVersion }))
  if (pathname === '/apis') {
    const apiVersions = Object.values(kinds).map(({ apiVersion }) => apiVersion)
    const groups = apiVersions.map((groupVersion) => ({ versions: [{ groupVersion }] }))
    return void send(response, JSON.stringify({ groups }))
  }
  const field = unknownField(body)
  if (field !== undefined) {
    const message = `failed to create typed patch object: ${field}: field not declared in schema`
    return void send(response, JSON.stringify({ kind: 'Status', message }), 500)
  }
  if (pathname.endsWith('/log')) {
    response.writeHead(200).flushHeaders()
    return
  }
  if (pathname === kinds.StorageClass.path) {
    const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' }
    const metadata = { name: 'standard', annotations: isDefault }
    return void send(response, JSON.stringify({ items: [{ metadata }] }))
  }
  if (stored.has(pathname) && request.method === 'GET')
    return query.get('watch') === 'true'
      ? startWatch(response, pathname, query)
      : sendList(response, pathname, query)
  const named = parsePath(pathname)
  // Reviews of access: everything is permitted.
  if (!named) return void send(response, JSON.stringify({ status: { allowed: true } }), 201)
  const { kind, id } = named
  const before = find(kind.path, id)
  const respond = (object: KubeObject | undefined) =>
    object ? send(response, JSON.stringify(object)) : send(response, '{"code":404}', 404)
  if (request.method === 'GET' || query.has('dryRun')) return void respond(before ?? body)
  if (request.method === 'DELETE') {
    if (before) remove(before)
    if (before && kind === kinds.Deployment) runPods(before, 0)
    return void respond(before)
  }
  const isMerge = request.headers['content-type']?.includes('merge-patch')
  // An object that was deleted meanwhile.
  if (isMerge && !before) return void respond(before)
  const written =
    isMerge && before
      ? patched(before, body as KubeObject, query.get('fieldManager'))
      : appliedTo(before, body as KubeObject)
  const invalid = invalidPart(written)
  if (invalid !== undefined) {
    const message = `Deployment.apps "site" is invalid: spec.template.spec: ${invalid}`
    return void send(response, JSON.stringify({ kind: 'Status', message }), 422)
  }
  const object = put(written)
  if (kind === kinds.Deployment) runPods(object, (object as unknown as Deployment).spec.replicas)
  return void respond(object)
})
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1')
await once(server, 'listening')

// Kubernetes sends bookmarks at this interval.
setInterval(() => {
  for (const [path, openWatches] of watches) {
    const kind = Object.values(kinds).find((each) => each.path === path)
    const object = { ...kind, metadata: { resourceVersion: String(version) } }
    const line = `${JSON.stringify({ type: 'BOOKMARK', object })}\n`
    for (const response of openWatches.keys()) response.write(line)
  }
}, 60_000)

/** Ends all watches as outdated, so that the engine lists everything again. */
function expireWatches() {
  const line = `${JSON.stringify({ type: 'ERROR', object: { code: 410, message: 'too old' } })}\n`
  for (const openWatches of watches.values())
    for (const response of openWatches.keys()) response.end(line)
}

process.on('message', (message) => {
  if (message === 'expire') return expireWatches()
  process.send?.(requests)
  requests = 0
})
process.once('disconnect', () => process.exit())
const bytes = [...stored.values()]
  .flatMap((objects) => [...objects.values()])
  .reduce((sum, { json }) => sum + json.length, 0)
process.send?.({ port: (server.address() as AddressInfo).port, bytes } satisfies StandInCluster)
