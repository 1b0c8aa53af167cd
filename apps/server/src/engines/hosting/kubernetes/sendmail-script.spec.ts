import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../root.ts'
import { freePort } from '../../../testing/free-port.ts'

const script = join(root, 'deploy/runtimes/php/sendmail.sh')

/** The result of the script for an email, with the service at this port. */
async function sendmail(port: number) {
  const child = spawn('/bin/sh', [script], {
    env: {
      ...process.env,
      SLIPWAY_EMAIL_URL: `http://127.0.0.1:${port}/site-emails/blog`,
      SLIPWAY_EMAIL_TOKEN: 'token',
    },
  })
  child.stdin.end('To: ada@example.com\n\nHello')
  const [output, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { status, output }
}

async function startService(status: number, reply: string) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(reply))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** EX_UNAVAILABLE (sysexits.h) */
const unavailable = 69

describe.skipIf(process.platform === 'win32')('the sendmail of PHP pods', () => {
  it('succeeds once the service has accepted the email', async () => {
    const port = await startService(200, 'sent\n')
    expect(await sendmail(port)).toEqual({ status: 0, output: '' })
  })

  it.each([200, 413])('fails with the reason of a response with status %i', async (status) => {
    const port = await startService(status, 'it has no recipient\n')
    const output = 'An email was not sent: it has no recipient\n'
    expect(await sendmail(port)).toEqual({ status: unavailable, output })
  })

  it('fails and says so if the service does not respond', async () => {
    const output = 'An email was not sent: the service did not respond\n'
    expect(await sendmail(await freePort())).toEqual({ status: unavailable, output })
  })
})
