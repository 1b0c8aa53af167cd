import { second } from '@slipway/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { ArtifactStore } from './artifacts/artifact-store.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type {
  EmailAccess,
  HostingEngine,
  Instance,
  MissingPart,
  PackageArchives,
  ReleaseArchive,
} from './engines/hosting/engine.ts'
import type { Fleet } from './engines/hosting/fleet/fleet.ts'
import { createFleet } from './engines/hosting/fleet/fleet-engine.ts'
import type { InstanceTables } from './engines/hosting/kubernetes/instance-table.ts'
import type { KubernetesEngineOptions } from './engines/hosting/kubernetes/kubernetes-engine.ts'
import type { NetworkRules } from './engines/hosting/kubernetes/objects/network-policy.ts'
import { defaultSize } from './engines/hosting/kubernetes/objects/size.ts'
import type { SendEmail } from './engines/hosting/local/egress/mail-socket.ts'
import { createLocalEngine } from './engines/hosting/local/local-engine.ts'
import { kubernetesClusters, localCluster } from './env/configured-clusters.ts'
import type { Env } from './env/env.ts'
import { inheritedSocket } from './env/inherited-sockets.ts'
import { publicPorts } from './env/public-ports.ts'
import type { GatewayConsole, LocalConsole } from './gateway/console.ts'
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type GatewayTls,
} from './gateway/gateway.ts'
import { certificateFiles, openCertificateFiles } from './gateway/tls/certificate-files.ts'
import type { Certificates } from './gateway/tls/certificates.ts'
import { createErrorLog } from './logs/error-log.ts'
import type { Logs } from './logs/logs.ts'
import { portOf } from './network.ts'

/** The options of the gateway that come from the modules. */
export type GatewaySources = Pick<
  GatewayOptions,
  'routes' | 'onRequest' | 'onStart' | 'ownPaths' | 'console'
> & {
  /** Needed with `SITES_TLS_PORT`. */
  certificates: Certificates | undefined
  stopping: AbortSignal
}

type HostingParts = {
  artifacts: ArtifactStore
  logs: Logs
  sendEmail: SendEmail
  /** The instances of engines on the network; called once, if there is one. */
  instances: () => Promise<InstanceTables>
  /** Packs the files of a release for machines that run it. */
  prepareArchive: (artifact: string) => Promise<ReleaseArchive>
  /** The packages that machines have installed for releases. */
  packages: PackageArchives
  /** The access with which machines send the emails of a site. */
  emailAccess: (key: string) => Promise<EmailAccess>
  /** The instance that a project wants; null without a project. */
  desiredInstance: (key: string) => Promise<Instance | null>
  /** The part that a cluster lacks for programs of customers, by its last check; null for none. */
  missingForPrograms: (cluster: string) => Promise<MissingPart | null>
  /** The time of the service, in milliseconds. */
  now: () => number
}

/** The engines of the configured clusters, and the site gateway. */
export async function createHosting(
  env: Env,
  parts: HostingParts,
  log: FastifyBaseLogger,
  connections: ConnectionLimits,
): Promise<{ engine: Fleet; gateway: (sources: GatewaySources) => Gateway }> {
  const { artifacts, logs } = parts
  const { SITES_TLS_PORT: tlsPort } = env
  const tables = env.ENGINE.includes('kubernetes') ? await parts.instances() : undefined
  const engines = new Map([
    ...(env.ENGINE.includes('local')
      ? [[localCluster, createLocal(env, parts, log)] as const]
      : []),
    ...(tables ? await createKubernetes(env, tables, parts, log) : []),
  ])
  const engine = createFleet({
    engines,
    addressElsewhere: ({ key, cluster }) => tables?.of(cluster).find(key)?.address ?? null,
    log,
  })
  return {
    engine,
    gateway: ({ certificates, stopping, ...sources }) =>
      createGateway({
        ...gatewayAddress(env),
        fd: inheritedSocket('sites'),
        ...sources,
        log,
        connections,
        onErrorOutput: createErrorLog(logs),
        addressOf: engine.addressOf,
        sleep:
          env.SLEEP_AFTER > 0
            ? {
                wake: engine.wake,
                leaseMs: env.SLEEP_AFTER * second,
                isAsleep: ({ key, cluster }) => tables?.of(cluster).find(key)?.state === 'asleep',
              }
            : undefined,
        artifactFiles: artifacts.filesOf,
        sitesDomain: env.SITES_DOMAIN,
        // If the gateway does not terminate TLS, a proxy in front of it may.
        protocol: tlsPort === undefined && env.SITES_URL.startsWith('https:') ? 'https' : 'http',
        tls: certificates && gatewayTls(env, certificates, log, stopping),
        publicPorts: publicPorts(env),
      }),
  }
}

const gatewayAddress = (env: Env) => ({ host: env.SITES_HOST, port: env.SITES_PORT })

const createLocal = (
  env: Env,
  { logs, sendEmail }: HostingParts,
  log: FastifyBaseLogger,
): HostingEngine =>
  createLocalEngine({
    dataDir: env.DATA_DIR,
    gateway: gatewayAddress(env),
    gatewayPorts: { publicPorts: publicPorts(env), tlsPort: env.SITES_TLS_PORT },
    extraCertificates: env.NODE_EXTRA_CA_CERTS,
    siteLimit: env.SITE_LIMIT,
    withoutSandbox: env.SANDBOX === 'off',
    sleepAfterMs: env.SLEEP_AFTER * second,
    consoleUrl: () => env.PUBLIC_URL,
    nameServers: env.DNS_SERVERS,
    output: logs,
    sendEmail,
    pictures: { browser: env.PICTURES_BROWSER },
    log,
  })

/** The networks of the settings. Sites also sign in at PUBLIC_URL, in the same networks perhaps. */
export const networkRules = (
  env: Pick<
    Env,
    | 'KUBERNETES_GATEWAY_NETWORKS'
    | 'KUBERNETES_CLOSED_NETWORKS'
    | 'KUBERNETES_SERVICE_NETWORKS'
    | 'KUBERNETES_SERVICE_URL'
    | 'PUBLIC_URL'
  >,
): NetworkRules => {
  const urls = [env.KUBERNETES_SERVICE_URL ?? env.PUBLIC_URL, env.PUBLIC_URL]
  return {
    gateways: env.KUBERNETES_GATEWAY_NETWORKS,
    closed: env.KUBERNETES_CLOSED_NETWORKS,
    service: env.KUBERNETES_SERVICE_NETWORKS,
    servicePorts: [...new Set(urls.map((url) => portOf(new URL(url))))],
  }
}

/** The engines of the clusters of Kubernetes. Their code is loaded only if there is one. */
async function createKubernetes(
  env: Env,
  tables: InstanceTables,
  parts: HostingParts,
  log: FastifyBaseLogger,
): Promise<(readonly [string, HostingEngine])[]> {
  const { artifacts, prepareArchive, packages, missingForPrograms, logs, now } = parts
  const [{ createKubernetesEngine }, { createConnection }, { readKubeconfig }] = await Promise.all([
    import('./engines/hosting/kubernetes/kubernetes-engine.ts'),
    import('./engines/hosting/kubernetes/api/connection.ts'),
    import('./engines/hosting/kubernetes/api/kubeconfig.ts'),
  ])
  const common = {
    tables,
    gateway: gatewayAddress(env),
    settings: {
      installation: env.KUBERNETES_INSTALLATION,
      pods: {
        size: {
          ...defaultSize,
          reservedCpuMillis: (defaultSize.cpuMillis * env.KUBERNETES_RESERVED_CPU) / 100,
        },
        runtimeClassName: env.KUBERNETES_RUNTIME_CLASS,
        userNamespaces: env.KUBERNETES_USER_NAMESPACES === 'on',
        imagePullPolicy: env.KUBERNETES_IMAGE_PULL,
      },
      network: networkRules(env),
      storageClass: env.KUBERNETES_STORAGE_CLASS,
      edge: env.KUBERNETES_EDGE,
    },
    images: { node: env.KUBERNETES_NODE_IMAGE, php: env.KUBERNETES_PHP_IMAGE },
    artifactFiles: artifacts.filesOf,
    prepareArchive,
    packages,
    emailAccess: parts.emailAccess,
    desiredInstance: parts.desiredInstance,
    output: logs,
    now,
    networkPolicy: env.KUBERNETES_NETWORK_POLICY,
    missingForPrograms,
    sleepAfterMs: env.SLEEP_AFTER * second,
    log,
  } satisfies Partial<KubernetesEngineOptions>
  return kubernetesClusters(env).map(({ name, context }) => {
    const access = { file: env.KUBECONFIG, context }
    const connection = createConnection(() => readKubeconfig(access))
    return [name, createKubernetesEngine({ clusterName: name, connection, ...common })] as const
  })
}

/** Certificates from files take precedence over ordered ones. */
function gatewayTls(
  env: Env,
  ordered: Certificates,
  log: FastifyBaseLogger,
  stopping: AbortSignal,
): GatewayTls | undefined {
  if (env.SITES_TLS_PORT === undefined) return undefined
  const files = openCertificateFiles(certificateFiles(env), log, stopping)
  return {
    port: env.SITES_TLS_PORT,
    fd: inheritedSocket('sites-tls'),
    certificates: { find: (host) => files.find(host) ?? ordered.find(host) },
  }
}

/**
 * The console behind a gateway that terminates TLS, without a proxy. `local` is its server
 * in this process.
 */
export function gatewayConsole(
  { ROLE, SITES_TLS_PORT, PUBLIC_URL, CONSOLE_ADDRESS }: Env,
  local: LocalConsole,
): GatewayConsole | undefined {
  const { protocol, hostname: host } = new URL(PUBLIC_URL)
  if (SITES_TLS_PORT === undefined || protocol !== 'https:') return undefined
  if (ROLE === 'all') return { host, server: local }
  return CONSOLE_ADDRESS === undefined ? undefined : { host, server: new URL(CONSOLE_ADDRESS) }
}
