import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { minute } from '@slipway/contract/limits'
import type { Instructions, Item, Step } from './payer-process.fixture.ts'

const program = fileURLToPath(new URL('payer-process.fixture.ts', import.meta.url))

const steps: Step[] = [
  'before the row',
  'before the row is committed',
  'before the call',
  'after the call',
  'before the result is committed',
]
type Point = Step | 'at any moment'
const points: Point[] = [...steps, 'at any moment']

type Line = [string, ...unknown[]]

/**
 * Runs the payer process until it ends or is killed, and passes each line of its output to
 * `onLine`.
 */
async function run(instructions: Instructions, onLine: (line: Line, kill: () => void) => void) {
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A shared compile cache: most of a short process is its start.
    env: { NODE_COMPILE_CACHE: join(instructions.dataDir, 'compiled'), ...process.env },
  })
  child.stdin.write(`${JSON.stringify(instructions)}\n`)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => onLine(JSON.parse(line), () => child.kill('SIGKILL')))
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(lines, 'close')])
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the process ended (${code})\n${stderr}`)
  return { killed: signal === 'SIGKILL' }
}

/** A seeded random number generator, from 0 to 1 (mulberry32). */
export function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Target = Pick<Instructions, 'database' | 'dataDir'>

export type Counts = Record<string, number>
const count = (counts: Counts, key: string) => {
  counts[key] = (counts[key] ?? 0) + 1
}

/**
 * Runs the payments in a series of processes, two at a time, each killed at one point. Later
 * processes retry interrupted payments, as a user without a response does. Each point occurs
 * `perPoint` times, in random order. Processes after the last point are not killed.
 */
export async function payWhileKilled(
  target: Target,
  items: readonly Item[],
  { perPoint, random }: { perPoint: number; random: () => number },
) {
  const plan = Array.from({ length: perPoint }, () => points)
    .flat()
    .map((point) => ({ point, order: random() }))
    .sort((first, second) => first.order - second.order)
    .map(({ point }) => point)
  const queue = [...items]
  const responses: Counts = {}
  /** Interrupted payments by their last reported step. */
  const killedAt: Counts = {}
  let processes = 0

  async function worker() {
    while (queue.length > 0) {
      const point = plan.shift() ?? 'never'
      // Twice its share of the queue: on average a process is killed halfway.
      const batchSize = 2 * Math.ceil(queue.length / (plan.length + 1))
      const batch = queue.splice(0, point === 'never' ? queue.length : batchSize)
      const index = Math.floor(random() * batch.length)
      const ended = new Set<number>()
      const stepOf = new Map<number, string>()
      const die =
        point === 'never' || point === 'at any moment' ? {} : { die: { step: point, index } }
      // A payment takes about 20 ms.
      const killAfter = random() * 20 * batch.length
      processes++
      const { killed } = await run(
        { ...target, clockOffset: 0, items: batch, ...die },
        ([event, number, value], kill) => {
          if (event === 'working' && point === 'at any moment') setTimeout(kill, killAfter)
          if (event === 'step') stepOf.set(Number(number), String(value))
          if (event !== 'ended') return
          stepOf.delete(Number(number))
          count(responses, String(value))
          ended.add(Number(number))
        },
      )
      for (const step of stepOf.values()) count(killedAt, step)
      if (!killed && stepOf.size > 0) throw new Error('a payment has not ended')
      queue.push(...batch.filter((_, number) => !ended.has(number)))
    }
  }
  await Promise.all([worker(), worker()])
  return { responses, killedAt, processes }
}

/** Resolves all payments in progress, 15 minutes later; returns the outcomes. */
export async function resolveAll(target: Target) {
  const resolved: Counts = {}
  const clockOffset = 15 * minute
  await run({ ...target, clockOffset, items: [], resolve: true }, ([event, , value]) => {
    if (event === 'resolved') count(resolved, String(value))
  })
  return resolved
}

/** Runs the payments in a process that is not killed; returns the responses. */
export async function payUninterrupted(target: Target, items: readonly Item[]) {
  const responses: Counts = {}
  await run({ ...target, clockOffset: 30 * minute, items: [...items] }, ([event, , value]) => {
    if (event === 'ended') count(responses, String(value))
  })
  return responses
}
