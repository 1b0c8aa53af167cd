import { second } from '@slipway/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { ArtifactStore } from './artifacts/artifact-store.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { HostingEngine } from './engines/hosting/engine.ts'
import type { InstanceTable } from './engines/hosting/kubernetes/instance-table.ts'
import { defaultSize } from './engines/hosting/kubernetes/objects/size.ts'
import type { SendEmail } from './engines/hosting/local/egress/mail-socket.ts'
import { createLocalEngine } from './engines/hosting/local/local-engine.ts'
import type { Env } from './env/env.ts'
import { inheritedSocket } from './env/inherited-sockets.ts'
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

/** What the gateway gets from the modules. */
export type GatewaySources = Pick<
  GatewayOptions,
  'routes' | 'onRequest' | 'ownPaths' | 'console'
> & {
  /** Needed with `SITES_TLS_PORT`. */
  certificates: Certificates | undefined
  stopping: AbortSignal
}

type HostingParts = {
  artifacts: ArtifactStore
  logs: Logs
  sendEmail: SendEmail
  /** The instances of an engine on the network; called once, if there is one. */
  instances: () => Promise<InstanceTable>
}

/** The configured hosting engine, and the site gateway. */
export async function createHosting(
  env: Env,
  { artifacts, logs, sendEmail, instances }: HostingParts,
  log: FastifyBaseLogger,
  connections: ConnectionLimits,
): Promise<{ engine: HostingEngine; gateway: (sources: GatewaySources) => Gateway }> {
  const address = { host: env.SITES_HOST, port: env.SITES_PORT }
  const { SITES_TLS_PORT: tlsPort } = env
  const engine =
    env.ENGINE === 'kubernetes'
      ? await createClusterEngine(env, await instances(), log)
      : createLocalEngine({
          dataDir: env.DATA_DIR,
          gateway: address,
          siteLimit: env.SITE_LIMIT,
          withoutSandbox: env.SANDBOX === 'off',
          sleepAfterMs: env.SLEEP_AFTER * second,
          consoleUrl: () => env.PUBLIC_URL,
          output: logs,
          sendEmail,
          log,
        })
  return {
    engine,
    gateway: ({ certificates, stopping, ...sources }) =>
      createGateway({
        ...address,
        fd: inheritedSocket('sites'),
        ...sources,
        log,
        connections,
        onErrorOutput: createErrorLog(logs),
        addressOf: engine.addressOf,
        sleep:
          env.SLEEP_AFTER > 0
            ? { wake: engine.wake, leaseMs: env.SLEEP_AFTER * second }
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

/** The engine of the configured cluster, whose code is loaded for it alone. */
async function createClusterEngine(
  env: Env,
  table: InstanceTable,
  log: FastifyBaseLogger,
): Promise<HostingEngine> {
  const [{ createKubernetesEngine }, { createConnection }, { readKubeconfig }] = await Promise.all([
    import('./engines/hosting/kubernetes/kubernetes-engine.ts'),
    import('./engines/hosting/kubernetes/api/connection.ts'),
    import('./engines/hosting/kubernetes/api/kubeconfig.ts'),
  ])
  const access = { file: env.KUBECONFIG, context: env.KUBERNETES_CONTEXT }
  return createKubernetesEngine({
    connection: createConnection(() => readKubeconfig(access)),
    table,
    gateway: { host: env.SITES_HOST, port: env.SITES_PORT },
    settings: {
      installation: env.KUBERNETES_INSTALLATION,
      pods: {
        size: defaultSize,
        runtimeClassName: env.KUBERNETES_RUNTIME_CLASS,
        userNamespaces: env.KUBERNETES_USER_NAMESPACES === 'on',
        imagePullPolicy: env.KUBERNETES_IMAGE_PULL,
      },
      network: {
        gateways: env.KUBERNETES_GATEWAY_NETWORKS,
        closed: env.KUBERNETES_CLOSED_NETWORKS,
      },
      storageClass: env.KUBERNETES_STORAGE_CLASS,
    },
    runsPrograms: env.KUBERNETES_NETWORK_POLICY !== undefined,
    sleepAfterMs: env.SLEEP_AFTER * second,
    log,
  })
}

/** Certificates of files come before those that are ordered. */
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

/** The ports that visitors use: `SITES_URL` has one of them, the listeners the other. */
function publicPorts({ SITES_URL, SITES_PORT, SITES_TLS_PORT = 443 }: Env) {
  const { protocol, port } = new URL(SITES_URL)
  return protocol === 'https:'
    ? { http: SITES_PORT, https: Number(port || 443) }
    : { http: Number(port || 80), https: SITES_TLS_PORT }
}
