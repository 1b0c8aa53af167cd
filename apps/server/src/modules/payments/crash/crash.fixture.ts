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

/** Runs the program to its end or its death; gives how it ended, and hands on each line that it says. */
async function run(instructions: Instructions, heard: (line: Line, kill: () => void) => void) {
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // What one process has compiled the next need not: most of a short life is its start.
    env: { NODE_COMPILE_CACHE: join(instructions.dataDir, 'compiled'), ...process.env },
  })
  child.stdin.write(`${JSON.stringify(instructions)}\n`)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => heard(JSON.parse(line), () => child.kill('SIGKILL')))
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(lines, 'close')])
  if (code !== 0 && signal !== 'SIGKILL')
    throw new Error(`the program ended (${code})\n${complaint}`)
  return { killed: signal === 'SIGKILL' }
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Given = Pick<Instructions, 'database' | 'dataDir'>

/** How many payments ended in which way, by the word for it. */
export type Counts = Record<string, number>
const count = (counts: Counts, key: string) => {
  counts[key] = (counts[key] ?? 0) + 1
}

/**
 * Has the payments made by one process after the other, two at a time, each of which is killed over some of
 * them; what was killed is tried again by the next, as somebody does who got no answer. Every point is gone
 * through in random order, `perPoint` times, and the last process is let live.
 */
export async function payWhileKilled(
  given: Given,
  items: readonly Item[],
  { perPoint, random }: { perPoint: number; random: () => number },
) {
  const plan = Array.from({ length: perPoint }, () => points)
    .flat()
    .map((point) => ({ point, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ point }) => point)
  const waiting = [...items]
  const answers: Counts = {}
  /** Where the payments stood whose process was killed, as the last that they said. */
  const killedAt: Counts = {}
  let processes = 0

  async function worker() {
    for (let point = plan.shift(); waiting.length > 0; point = plan.shift()) {
      const share = Math.ceil(waiting.length / (plan.length + 1)) * 2
      const batch = waiting.splice(0, point === undefined ? waiting.length : share)
      // After about half of its share, so that some have ended and some are under way.
      const place = Math.floor(random() * batch.length)
      const at = new Map<number, string>()
      const die =
        point === undefined || point === 'at any moment' ? {} : { die: { at: point, place } }
      const moment = random() * 20 * batch.length
      processes++
      const { killed } = await run(
        { ...given, ahead: 0, items: batch, ...die },
        ([word, number, what], kill) => {
          if (word === 'working' && point === 'at any moment') setTimeout(kill, moment)
          if (word === 'step') at.set(Number(number), String(what))
          if (word !== 'ended') return
          at.delete(Number(number))
          count(answers, String(what))
          delete batch[Number(number)]
        },
      )
      for (const step of at.values()) count(killedAt, step)
      if (!killed && at.size > 0) throw new Error('a payment has not ended')
      waiting.push(...batch.filter((item) => item !== undefined))
    }
  }
  await Promise.all([worker(), worker()])
  return { answers, killedAt, processes }
}

/** Resolves what is in progress, when the clock has moved on; gives how many ended in which way. */
export async function resolveAll(given: Given) {
  const resolved: Counts = {}
  const ahead = 15 * minute
  await run({ ...given, ahead, items: [], resolve: true }, ([word, , what]) => {
    if (word === 'resolved') count(resolved, String(what))
  })
  return resolved
}

/** Has the payments made by a process that lives; gives how many were answered with what. */
export async function payInPeace(given: Given, items: readonly Item[]) {
  const answers: Counts = {}
  await run({ ...given, ahead: 30 * minute, items: [...items] }, ([word, , what]) => {
    if (word === 'ended') count(answers, String(what))
  })
  return answers
}
