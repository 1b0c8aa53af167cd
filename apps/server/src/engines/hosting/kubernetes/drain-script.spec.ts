import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../root.ts'
import { freePort } from '../../../testing/free-port.ts'

const script = join(root, 'deploy/runtimes/drain.sh')

/** Starts the script for a site at this port; resolves with its exit code. */
function drain(port: number) {
  const child = spawn('/bin/sh', [script], { env: { ...process.env, PORT: String(port) } })
  onTestFinished(() => void child.kill())
  return once(child, 'exit').then(([code]: (number | null)[]) => code)
}

async function startSite(host: string) {
  const port = await freePort()
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = connect(port, host)
  const [connection] = await accepted
  onTestFinished(() => {
    client.destroy()
    connection.destroy()
    server.close()
  })
  return { port, client }
}

describe.skipIf(process.platform !== 'linux')('the script that drains a pod', () => {
  it.each(['127.0.0.1', '::1'])('waits for the last connection at %s', async (host) => {
    const { port, client } = await startSite(host)
    const drained = drain(port)
    // The script looks each second.
    expect(await Promise.race([drained, sleep(2_500, 'waiting')])).toBe('waiting')
    client.destroy()
    expect(await drained).toBe(0)
  })

  it('ignores connections of others, and a site without one', async () => {
    const { port } = await startSite('127.0.0.1')
    expect(await drain(port + 1)).toBe(0)
  })
})
