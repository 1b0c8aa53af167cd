import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContainerImage } from '@slipway/contract/container-images'
import { expect } from 'vitest'
import { createArtifactLayout } from '../artifacts/artifact-layout.ts'
import { listen } from '../db/notifications.ts'
import type { HostingEngine, Instance } from '../engines/hosting/engine.ts'
import { createCluster } from '../engines/hosting/kubernetes/api/cluster.ts'
import { createConnection } from '../engines/hosting/kubernetes/api/connection.ts'
import { readKubeconfig } from '../engines/hosting/kubernetes/api/kubeconfig.ts'
import {
  createKubernetesEngine,
  type KubernetesEngineOptions,
} from '../engines/hosting/kubernetes/kubernetes-engine.ts'
import type { ObjectSettings } from '../engines/hosting/kubernetes/objects/project-objects.ts'
import { defaultSize } from '../engines/hosting/kubernetes/objects/size.ts'
import type { Env } from '../env/env.ts'
import type { SiteRoute } from '../gateway/exchange.ts'
import { createGateway } from '../gateway/gateway.ts'
import { createLogs } from '../logs/logs.ts'
import { channel } from '../modules/instances/instances.store.ts'
import { createInstanceTables } from '../modules/instances/instances.table.ts'
import { createPackageArchives } from '../modules/release-archives/release-archives.packages.ts'
import * as archives from '../modules/release-archives/release-archives.service.ts'
import { emailAccess } from '../modules/site-emails/site-emails.tokens.ts'
import { lacksOf } from './cluster-lacks.ts'
import { createEngineAccount, removeEngineAccount } from './engine-account.ts'
import { freePort } from './free-port.ts'
import { type HttpReply, httpGet } from './http-get.ts'
import { createWorld } from './world.ts'

/** The cluster that the tests run on, and the images in it: of `fixtures/test-site`, and ours. */
const {
  KUBECONFIG: kubeconfig,
  /** A second cluster, with the same images in it. */
  KUBERNETES_SECOND_KUBECONFIG: secondKubeconfig,
  KUBERNETES_TEST_IMAGE: reference,
  KUBERNETES_NODE_IMAGE: nodeImage,
  KUBERNETES_PHP_IMAGE: phpImage,
  /** Whether the network of the cluster enforces NetworkPolicy. */
  KUBERNETES_TEST_NETWORK_POLICY: networkPolicy = 'not_enforced',
} = process.env

/** The reasons why tests cannot run, which `npm run test:kubernetes` prints. */
export const {
  cluster: lack,
  runtimes: runtimeLack,
  secondCluster: secondLack,
  networkTrial: trialLack,
} = lacksOf(process.env)

/** An address of this machine that pods reach. */
export const hostAddress = () =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'

/**
 * A service whose sites run on the cluster, with the rights of the shipped role. `name` differs in
 * each test file.
 */
export async function createServiceOnCluster(name: string, changes: Partial<Env> = {}) {
  const port = await freePort()
  const host = hostAddress()
  const accountName = `engine-${testCluster(name).installation}`
  const folder = await mkdtemp(join(tmpdir(), 'slipway-account-'))
  const accountFile = join(folder, 'kubeconfig')
  await writeFile(accountFile, await createEngineAccount(accountName, kubeconfig), { mode: 0o600 })
  const env: Partial<Env> = {
    ENGINE: ['kubernetes'],
    KUBECONFIG: accountFile,
    KUBERNETES_INSTALLATION: testCluster(name).installation,
    KUBERNETES_NETWORK_POLICY: 'trusted',
    KUBERNETES_NODE_IMAGE: nodeImage,
    KUBERNETES_PHP_IMAGE: phpImage,
    KUBERNETES_SERVICE_URL: `http://${host}:${port}`,
    KUBERNETES_SERVICE_NETWORKS: [`${host}/32`],
    // Sites in pods reach the login provider there.
    PUBLIC_URL: `http://${host}:${port}`,
    PORT: port,
    SLEEP_AFTER: 0,
    ...changes,
  }
  // The sites compare the times of its tokens with their own clock.
  const world = await createWorld(env, new Date())
  // Pods fetch the files of releases from it.
  await world.app.server.app.listen({ host, port })
  await world.host()
  await world.startWorkers()
  return {
    ...world,
    async close() {
      await world.close()
      await removeEngineAccount(accountName)
      await rm(folder, { recursive: true })
    },
  }
}

/** Different in each run, so that objects of a killed run do not affect the next one. */
const run = `${process.pid.toString(36)}${Date.now().toString(36).slice(-5)}`

/** The name of an installation of this run. */
export const installationName = (name: string) => `t${name}${run}`

/** The cluster, the image, and the name of an installation of this run. */
export const testCluster = (name: string) => ({
  kubeconfig,
  secondKubeconfig,
  reference: reference ?? '',
  installation: installationName(name),
})

/** Small sites of an installation. */
export const objectSettings = (installation: string): ObjectSettings => ({
  installation,
  pods: {
    size: { ...defaultSize, memoryMiB: 96 },
    runtimeClassName: undefined,
    userNamespaces: false,
    imagePullPolicy: 'IfNotPresent',
  },
  network: { gateways: [], closed: [], service: [], servicePorts: [] },
  storageClass: undefined,
  edge: undefined,
})

export const image = (changes: Partial<ContainerImage> = {}): ContainerImage => ({
  reference: reference ?? '',
  port: 8080,
  healthPath: '/',
  userId: 1000,
  dataPath: null,
  ...changes,
})

export const instance = (name: string, changes: Partial<Instance> = {}): Instance => ({
  key: name,
  name,
  regionId: 'eu',
  cluster: 'default',
  runtime: 'image',
  artifact: 'a'.repeat(64),
  image: image(),
  registry: null,
  environment: {},
  hosts: [`${name}.localhost`],
  power: 'running',
  restarts: 0,
  signIn: { issuer: 'http://localhost', clientId: name, clientSecret: 'a secret' },
  ...changes,
})

/** The cluster without an engine: the inputs of its check, and the finding to expect. */
export function createBareCluster(name: string) {
  const access = { file: kubeconfig, context: undefined }
  const cluster = createCluster({
    connection: createConnection(() => readKubeconfig(access)),
    closing: new AbortController().signal,
  })
  const { installation } = testCluster(name)
  return {
    cluster,
    settings: objectSettings(installation),
    images: { node: nodeImage, php: phpImage },
    networkPolicy: `network_policy_${networkPolicy}`,
  }
}

export type ClusterWorld = Awaited<ReturnType<typeof createClusterWorld>>

/**
 * An engine on the cluster, or on that of another `kubeconfig`, with a database and a gateway, all
 * closed after the test file.
 */
export async function createClusterWorld({
  kubeconfig: file = kubeconfig,
  ...changes
}: Partial<KubernetesEngineOptions> & { installation?: string; kubeconfig?: string } = {}) {
  const world = await createWorld()
  const { ctx } = world
  const notifications = await listen(world.database.options, [channel], ctx.log)
  const tables = await createInstanceTables(ctx, notifications)
  // Those of the service have no lines of instances without a project.
  const logs = createLogs(ctx.env.DATA_DIR, ctx.log)
  const routes = new Map<string, SiteRoute>()
  /** What the projects want: as it was applied last. */
  const desired = new Map<string, Instance>()
  const installation = changes.installation ?? testCluster('').installation
  const access = { file, context: undefined }
  const { sleepAfterMs = 0 } = changes
  const gateway = createGateway({
    routes: { find: (host) => routes.get(host) },
    addressOf: ({ key }) => engine.addressOf(key),
    artifactFiles: createArtifactLayout(ctx.env.DATA_DIR).artifact,
    host: '127.0.0.1',
    port: 0,
    sitesDomain: 'localhost',
    log: ctx.log,
    sleep:
      sleepAfterMs > 0
        ? {
            wake: ({ key }) => engine.wake(key),
            leaseMs: sleepAfterMs,
            isAsleep: ({ key }) => tables.of('default').find(key)?.state === 'asleep',
          }
        : undefined,
  })
  const { port } = await gateway.listen()

  const engineOptions: KubernetesEngineOptions = {
    clusterName: 'default',
    connection: createConnection(() => readKubeconfig(access)),
    tables,
    gateway: { host: '127.0.0.1', port },
    settings: objectSettings(installation),
    images: { node: undefined, php: undefined },
    artifactFiles: createArtifactLayout(ctx.env.DATA_DIR).artifact,
    prepareArchive: (artifact) => archives.prepare(ctx, artifact),
    packages: createPackageArchives(() => ctx),
    emailAccess: (key) => emailAccess(ctx, key),
    desiredInstance: async (key) => desired.get(key) ?? null,
    output: logs,
    now: () => ctx.clock.now().getTime(),
    networkPolicy: 'trusted',
    missingForPrograms: async () => null,
    sleepAfterMs,
    log: ctx.log,
    ...changes,
  }
  const startEngine = async (options: KubernetesEngineOptions): Promise<HostingEngine> => {
    const started = createKubernetesEngine(options)
    await started.start()
    const apply: HostingEngine['apply'] = (instance, options) => {
      desired.set(instance.key, instance)
      return started.apply(instance, options)
    }
    return { ...started, apply }
  }
  const engine = await startEngine(engineOptions)
  /** Calls beside the engine, as another user of the cluster. */
  const cluster = createCluster({
    connection: createConnection(() => readKubeconfig(access)),
    closing: new AbortController().signal,
  })

  const route = ({ key, cluster, hosts }: Instance, state: SiteRoute['state'] = 'ready') => {
    for (const host of hosts) routes.set(host, { key, cluster, state })
  }
  const visit = (key: string, path = '/'): Promise<HttpReply> =>
    httpGet({ port }, path, { host: `${key}.localhost` })

  return {
    ...world,
    engine,
    engineOptions,
    /** Starts the engine of another worker. */
    startOther: (
      times: KubernetesEngineOptions['times'],
      settings: ObjectSettings = engineOptions.settings,
      images: KubernetesEngineOptions['images'] = engineOptions.images,
    ) =>
      startEngine({
        ...engineOptions,
        connection: createConnection(() => readKubeconfig(access)),
        times,
        settings,
        images,
      }),
    cluster,
    table: tables.of('default'),
    installation,
    route,
    visit,
    /** Applies an instance, routes its hosts to it, and waits until it responds. */
    async applyUntilHealthy(desired: Instance) {
      route(desired)
      await engine.apply(desired, { mayCreate: true })
      await expect
        .poll(() => engine.isHealthy(desired), { timeout: 90_000, interval: 50 })
        .toBe(true)
    },
    async close() {
      const all = await engine.list()
      await Promise.all(all.map(({ key }) => engine.remove(key)))
      await gateway.close()
      await engine.close()
      await logs.close()
      await cluster.close()
      await notifications.close()
      await world.close()
    },
  }
}
