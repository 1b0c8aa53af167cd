import { insideEgress, proxyEnv } from '../../egress/proxy-settings.ts'
import type { SiteFiles } from '../../files/layout.ts'
import {
  certificatesEnv,
  insideCertificates,
  type SiteCertificates,
} from '../../machine/site-certificates.ts'
import type { ResourceLimits } from '../../sandbox/cgroup.ts'
import type { Program } from '../runtime.ts'
import type { Start } from './package-json.ts'

/** The paths inside the sandbox. */
export const inside = {
  app: '/app',
  data: '/data',
  node: '/runtime/bin/node',
  npm: '/runtime/npm',
  npmCli: '/runtime/npm/bin/npm-cli.js',
  relay: '/runtime/relay.cjs',
  /** node-gyp looks for `include/node` in it. */
  nodeFolder: '/runtime/node',
}

export type NodeLimits = ResourceLimits & {
  /** The size of the site's own files, in bytes. */
  diskBytes: number
}

export const defaultNodeLimits: NodeLimits = {
  memoryBytes: 512 * 2 ** 20,
  cpus: 1,
  // Threads count.
  processes: 256,
  diskBytes: 2 ** 30,
}

/** The share of the memory for the JavaScript heap. Buffers and native code need the rest. */
const heapShare = 0.75
const mebibyte = 2 ** 20

/** Most programs listen here when PORT is not set. */
export const port = 3000

/** Environment of the program and of `npm ci`. */
export const commonEnv = ({ certificates }: NodeMachine) => ({
  PATH: '/app/node_modules/.bin:/runtime/bin:/usr/local/bin:/usr/bin:/bin:/runtime/npm/bin',
  LANG: 'C.UTF-8',
  ...proxyEnv,
  // Trusts the machine's certificates, such as the certificate of a proxy for all connections.
  NODE_USE_SYSTEM_CA: '1',
  ...certificatesEnv(certificates ? insideCertificates.added : undefined),
})

export type NodeMachine = {
  node: string
  npm: string
  relay: string
  /** The headers of this Node; null on a machine without them. */
  headers: string | null
  certificates: SiteCertificates | null
}

type HeadersInSandbox = Record<'readable' | 'env', Readonly<Record<string, string>>>

/** Added for `npm ci`: node-gyp compiles with these headers, and downloads none. */
export const headersOf = ({ headers }: NodeMachine): HeadersInSandbox => {
  if (headers === null) return { readable: {}, env: {} }
  return {
    readable: { [`${inside.nodeFolder}/include/node`]: headers },
    // npm warns of `npm_config_nodedir`, which it does not know.
    env: { npm_package_config_node_gyp_nodedir: inside.nodeFolder },
  }
}

/** The files of the system that Node programs need. */
export const readableOf = (
  { node, npm, relay, certificates }: NodeMachine,
  files: Pick<SiteFiles, 'egress'>,
) => ({
  [inside.node]: node,
  [inside.npm]: npm,
  [inside.relay]: relay,
  [insideEgress]: files.egress,
  ...(certificates && { [insideCertificates.added]: certificates.added }),
})

/** Built-in commands of the shell, which `exec` does not find. */
const builtins = ['command', 'eval', 'exec', 'exit']

/**
 * True for a script that is one command without shell syntax, which can replace the shell (`exec`).
 * A shell that waits for its command prints "Terminated" to the site's log at each stop.
 */
const isOneCommand = (script: string) =>
  /^[\w@./+-]*[\w+-]( +[\w@%+=:,./-]+)*$/.test(script) &&
  !builtins.includes(script.split(' ', 1)[0] ?? '')

/** The program of a Node app: its script `start`, run by a shell as npm does, or its file. */
export function nodeProgram(
  machine: NodeMachine,
  site: {
    files: SiteFiles
    app: string
    start: Start
    environment: Readonly<Record<string, string>>
  },
  limits: NodeLimits,
): Omit<Program, 'release'> {
  const { files, app, start, environment } = site
  const heap = Math.floor((limits.memoryBytes * heapShare) / mebibyte)
  const options = [
    `--require=${inside.relay}`,
    `--max-old-space-size=${heap}`,
    environment.NODE_OPTIONS,
  ]
  return {
    command:
      'script' in start
        ? ['/bin/sh', '-c', isOneCommand(start.script) ? `exec ${start.script}` : start.script]
        : [inside.node, `${inside.app}/${start.file}`],
    env: {
      NODE_ENV: 'production',
      ...environment,
      ...commonEnv(machine),
      HOME: inside.data,
      TMPDIR: '/tmp',
      PORT: String(port),
      NODE_OPTIONS: options.filter(Boolean).join(' '),
    },
    cwd: inside.app,
    sandboxSettings: {
      readable: { ...readableOf(machine, files), [inside.app]: app },
      writable: { [inside.data]: files.data },
      limits: { memoryBytes: limits.memoryBytes, cpus: limits.cpus, processes: limits.processes },
    },
    fileBytes: limits.diskBytes,
    version: process.versions.node,
  }
}
