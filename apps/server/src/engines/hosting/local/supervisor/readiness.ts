import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Instance, ReleaseProblem } from '../../engine.ts'
import type { Exit, SiteProcess } from '../process/site-process.ts'
import type { LocalRuntime } from '../runtimes/runtime.ts'

const pollMs = 50
const maxBodyBytes = 4_096
/** The status of a program that is still starting (RFC 9110 §15.6.4). */
const notReady = 503

export const requestAt = (
  socketPath: string,
  path: string,
  host: string,
  signal: AbortSignal,
): Promise<{ status: number; body: string } | null> =>
  new Promise((resolve) => {
    const outgoing = request(
      { socketPath, path, headers: { host, accept: '*/*' }, agent: false, signal },
      (response) => {
        const status = response.statusCode ?? 0
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          body += chunk
          if (body.length > maxBodyBytes) response.destroy()
        })
        // A close follows an error or a body that is cut off, too.
        response.on('close', () => resolve({ status, body }))
      },
    )
    outgoing.on('error', () => resolve(null))
    outgoing.end()
  })

const exitProblem = ({ code, signal, outOfMemory }: Exit): ReleaseProblem =>
  outOfMemory
    ? { failure: 'out_of_memory' }
    : { failure: 'program_exited', detail: signal ?? String(code ?? '') }

/** Why a running program does not respond; null when it is unknown. */
async function silenceOf(
  { group, record }: SiteProcess,
  whySilent: LocalRuntime['whySilent'],
): Promise<ReleaseProblem | null> {
  if (!whySilent) return null
  // The recorded process is outside the sandbox.
  const ids = (await group?.processes()) ?? []
  const pid = ids.find((id) => id !== record.pid)
  return pid === undefined ? null : whySilent(pid)
}

/**
 * Waits until a new process is healthy. Resolves with null, or with the problem once it has ended,
 * has responded with errors for `steadyErrorMs`, has listened only on another port for
 * `otherPortMs`, or `healthMs` are over.
 */
export const untilHealthy = async (
  process: SiteProcess,
  socketPath: string,
  { probe, requestStatus, whySilent }: Pick<LocalRuntime, 'probe' | 'requestStatus' | 'whySilent'>,
  instance: Instance,
  {
    healthMs,
    steadyErrorMs,
    otherPortMs,
  }: { healthMs: number; steadyErrorMs: number; otherPortMs: number },
): Promise<ReleaseProblem | null> => {
  const timeout = AbortSignal.timeout(healthMs)
  let exit: Exit | undefined
  process.exited.then((ended) => {
    exit = ended
  })
  let status: number | null = null
  let failingSince = Number.POSITIVE_INFINITY
  let elsewhereSince = Number.POSITIVE_INFINITY
  while (!exit && !timeout.aborted) {
    const response = await (requestStatus
      ? requestStatus(socketPath, instance, timeout).then(
          (code) => code && { status: code, body: '' },
        )
      : requestAt(socketPath, probe.path, instance.hosts[0] ?? 'site.invalid', timeout))
    if (response && probe.isHealthy(response.status, response.body)) return null
    if (response) status = response.status
    if (!response || response.status === notReady) failingSince = Number.POSITIVE_INFINITY
    else failingSince = Math.min(failingSince, performance.now())
    if (performance.now() - failingSince >= steadyErrorMs) break
    const silence = response ? null : await silenceOf(process, whySilent)
    const isElsewhere = silence?.failure === 'other_port'
    elsewhereSince = isElsewhere
      ? Math.min(elsewhereSince, performance.now())
      : Number.POSITIVE_INFINITY
    if (performance.now() - elsewhereSince >= otherPortMs) break
    await Promise.race([delay(pollMs), process.exited])
  }
  if (exit) return exitProblem(exit)
  if (status !== null) return { failure: 'unhealthy', detail: String(status) }
  return (await silenceOf(process, whySilent)) ?? { failure: 'not_responding' }
}

const drainPollMs = 100

/** Connections to a listening Unix socket (proc(5), net/unix): null where the system hides them. */
const connectionsTo = async (socketPath: string): Promise<number | null> => {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => null)
  if (table === null) return null
  // The socket was bound under this name, then renamed (listening-socket.ts). 03 is SS_CONNECTED.
  const bound = `${socketPath}.new`
  return table.split('\n').filter((line) => line.endsWith(` ${bound}`) && / 03 +\d+ /.test(line))
    .length
}

/**
 * Waits until a socket that gateways no longer use has no connection: at least `minMs`, until
 * every gateway has the new one, and at most `maxMs`.
 */
export const untilDrained = async (
  socketPath: string,
  { minMs, maxMs }: { minMs: number; maxMs: number },
  signal: AbortSignal,
): Promise<void> => {
  const startedAt = performance.now()
  const wait = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => undefined)
  await wait(minMs)
  while (!signal.aborted && performance.now() - startedAt < maxMs) {
    if (!(await connectionsTo(socketPath))) return
    await wait(drainPollMs)
  }
}
