// `npm run fuzz -- [--requests n | --minutes n] [--seed n]`
import { randomSeed, readOptions } from '../harness/arguments.ts'
import { fuzz } from './fuzz.ts'
import { printReport } from './report.ts'

const options = readOptions({ requests: 0, minutes: 0, seed: randomSeed() })
const requests = options.requests || (options.minutes ? Number.POSITIVE_INFINITY : 10_000)
const milliseconds = options.minutes ? options.minutes * 60_000 : Number.POSITIVE_INFINITY

const result = await fuzz({ requests, milliseconds, seed: options.seed })
printReport(result)
process.exit(result.reports.length > 0 ? 1 : 0)
