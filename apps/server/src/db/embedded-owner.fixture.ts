import { createInterface } from 'node:readline'
import pg from 'pg'
import { startEmbeddedPostgres } from './embedded.ts'

// A process that owns an embedded server, for a test to kill: it prints "ready", runs each
// statement of its input, and exits without stopping the server when its input ends.
const [dataDir] = process.argv.slice(2)
if (!dataDir) throw new Error('Usage: embedded-owner.fixture.ts <data folder>')

const log = { info() {}, warn: (message: string) => process.stderr.write(`${message}\n`) }
const server = await startEmbeddedPostgres({ dataDir, log })
const client = new pg.Client(server.connection)
await client.connect()
process.stdout.write('ready\n')
for await (const statement of createInterface(process.stdin)) {
  await client.query(statement)
  process.stdout.write('done\n')
}
process.exit(0)
