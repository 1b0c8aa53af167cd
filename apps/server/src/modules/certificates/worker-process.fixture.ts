import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { pino } from 'pino'
import type { Env } from '../../env/env.ts'
import type { CertificateId } from './certificates.schema.ts'

// A worker for a test to kill. It reads its instructions from the first line of stdin, processes a
// certificate and ends.

export type Instructions = {
  database: pg.ClientConfig
  env: Env
  /** The time of the process, which stands still, in milliseconds. */
  now: number
  certificateId: CertificateId
}

const [{ createApp }, { processCertificate }] = await Promise.all([
  import('../../app.ts'),
  import('./certificates.process.ts'),
])
const input = createInterface(process.stdin)
const [line] = await once(input, 'line')
const { env, database, now, certificateId }: Instructions = JSON.parse(line)
// The parent process has ended.
input.on('close', () => process.exit(1))
const { ctx } = await createApp({
  env: { ...env, ROLE: 'web' },
  database,
  log: pino({ level: 'error' }, process.stderr),
  clock: { now: () => new Date(now) },
})
// A killed process does not write its compile cache.
flushCompileCache()
await processCertificate(ctx, certificateId)
writeSync(1, 'done\n')
process.exit(0)
