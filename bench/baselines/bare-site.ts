import { once } from 'node:events'
import { until } from '../../apps/server/src/testing/until.ts'
import { startProcess } from '../harness/child-process.ts'

const source = `require('node:http')
  .createServer((request, response) => response.end('ok'))
  .listen(0, '127.0.0.1', function () { process.send(this.address().port) })`

/** Starts a minimal Node server. `duration` is the time to its first response, in milliseconds. */
export async function startBareSite() {
  const started = performance.now()
  const processHandle = startProcess(process.execPath, ['-e', source], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const [port] = await processHandle.orExit(once(processHandle.child, 'message'))
  await until(async () => (await fetch(`http://127.0.0.1:${port}/`)).ok)
  return {
    ...processHandle,
    pid: processHandle.child.pid ?? 0,
    duration: performance.now() - started,
  }
}
