// `npm run chaos -- [--minutes n] [--seed n]`
import { rm } from 'node:fs/promises'
import { print } from '../../bench/harness/table.ts'
import { randomSeed, readOptions } from '../harness/arguments.ts'
import { chaos, Interrupted } from './chaos.ts'
import { printReport } from './report.ts'

if (process.platform !== 'linux') {
  print('Skipped: processes and their folders are compared in /proc, which only Linux has.')
  process.exit(0)
}
const { minutes, seed } = readOptions({ minutes: 2, seed: randomSeed() })
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => interruption.abort(new Interrupted()))
const result = await chaos({
  milliseconds: minutes * 60_000,
  seed,
  interrupted: interruption.signal,
}).catch((error) => {
  if (!(error instanceof Interrupted)) throw error
  print('interrupted: the product and its sites are stopped')
  process.exit(130)
})
printReport(result)
if (result.violations.length > 0) {
  print(`the logs of its processes: ${result.logs}`)
  process.exit(1)
}
await rm(result.logs, { recursive: true })
process.exit(0)
