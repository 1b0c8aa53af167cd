// `npm run chaos -- [--minutes n] [--seed n]`
import { print } from '../../bench/harness/table.ts'
import { randomSeed, readOptions } from '../harness/arguments.ts'
import { chaos } from './chaos.ts'
import { printReport } from './report.ts'

if (process.platform !== 'linux') {
  print('Skipped: processes and their folders are compared in /proc, which only Linux has.')
  process.exit(0)
}
const { minutes, seed } = readOptions({ minutes: 2, seed: randomSeed() })
const result = await chaos({ milliseconds: minutes * 60_000, seed })
printReport(result)
process.exit(result.violations.length > 0 ? 1 : 0)
