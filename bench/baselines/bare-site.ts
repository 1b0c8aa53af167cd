import { once } from 'node:events'
import { until } from '../../apps/server/src/testing/until.ts'
import { startProgram } from '../harness/child-process.ts'

const source = `require('node:http')
  .createServer((request, response) => response.end('ok'))
  .listen(0, '127.0.0.1', function () { process.send(this.address().port) })`

/** The least that could be called a site: how long it takes from its start to its first answer. */
export async function startBareSite() {
  const started = performance.now()
  const program = startProgram(process.execPath, ['-e', source], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const [port] = await program.unlessItEnds(once(program.child, 'message'))
  await until(async () => (await fetch(`http://127.0.0.1:${port}/`)).ok)
  return { ...program, pid: program.child.pid ?? 0, took: performance.now() - started }
}
