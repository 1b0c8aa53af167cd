import type { Limiter } from '../../../limiter.ts'
import type { Log } from '../../../log.ts'
import type { Gateway } from '../health-check.ts'
import type { DiskLimits } from './disk/disk-quota.ts'
import type { EgressOptions } from './egress/egress-proxy.ts'
import type { SendEmail } from './egress/mail-socket.ts'
import type { GatewayPorts } from './egress/own-address.ts'
import type { LaunchTimes } from './launches.ts'
import type { PictureOptions } from './pictures/pictures.ts'
import type { OutputLog } from './process/site-output.ts'
import type { NodeRuntimeOptions } from './runtimes/node/node.runtime.ts'
import type { PhpOptions } from './runtimes/php/php-program.ts'
import type { StarterLimits } from './runtimes/starter/starter.runtime.ts'
import type { MachineOptions } from './set-up-machine.ts'
import type { HangRules } from './supervisor/hang-watch.ts'
import type { RetryWaits } from './supervisor/retry-waits.ts'
import type { Backoff } from './supervisor/supervisor.ts'

export type LocalEngineOptions = MachineOptions & {
  /** An absolute path. */
  dataDir: string
  /** Where the site gateway listens; read at each use. */
  gateway: Gateway
  /** The other ports of the gateway. Without them, visitors use the default ports. */
  gatewayPorts?: GatewayPorts
  log: Log
  /** The folder of the site's code; the starter site by default. */
  siteSource?: string
  limits?: Partial<StarterLimits>
  nodeApps?: NodeRuntimeOptions
  php?: PhpOptions
  /** Whether a site may connect to an address; only to addresses of the internet by default. */
  mayConnect?: EgressOptions['mayConnect']
  /** The name servers for connections of sites; the system's by default. */
  nameServers?: EgressOptions['nameServers']
  /** Sends the emails of sites; without it every email of a site is rejected. */
  sendEmail?: SendEmail
  /** How long a site stays awake after a request, in milliseconds; 0, the default: always. */
  sleepAfterMs?: number
  /** The maximum number of sites; by default as many as fit into the memory. */
  siteLimit?: number | undefined
  /** The free bytes of the machine's memory; of the system by default. */
  freeMemory?: () => number
  /** Limits the sites that start at once; two for each processor by default. */
  starts?: Limiter
  backoff?: Partial<Backoff>
  /** A site that has run for this time has recovered from crashes, in milliseconds. */
  steadyMs?: number
  /** The clock that measures how long a program ran; `performance.now` by default. */
  now?: () => number
  /** The delays before retries of a change that did not become healthy. */
  retryWaits?: Partial<RetryWaits>
  hang?: Partial<HangRules>
  times?: Partial<LaunchTimes>
  /** Where the output of the sites goes; nowhere by default. */
  output?: OutputLog
  /** The console, whose login provider sites reach. */
  consoleUrl?: () => string
  /** Interval between the background work of running sites, in milliseconds. */
  backgroundMs?: number
  disk?: Partial<DiskLimits>
  /** How pictures of sites are taken; none are by default. */
  pictures?: PictureOptions
  /** The poll interval of the sites' output, in milliseconds. */
  logCheckMs?: number
  /** The interval between two checks of the sites' limits of processes, in milliseconds. */
  forkCheckMs?: number
}

export const defaultLimits: StarterLimits = { heapMiB: 64, fileBytes: 32 * 2 ** 20 }
export const defaultRetryWaits: RetryWaits = { initialMs: 15_000, maxMs: 900_000 }
export const defaultBackoff: Backoff = { initialMs: 100, maxMs: 30_000, resetAfterMs: 60_000 }

export const noOutput: OutputLog = { add: () => undefined, flush: async () => undefined }
