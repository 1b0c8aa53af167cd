import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minute } from '@slipway/contract/limits'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { type AcmeWorld, createAcmeWorld } from './certificates.acme.fixture.ts'
import * as orders from './certificates.orders.store.ts'
import { processCertificate } from './certificates.process.ts'
import type { CertificateId } from './certificates.schema.ts'
import { type AcmeRequest, hasPebble } from './pebble.fixture.ts'
import type { Instructions } from './worker-process.fixture.ts'

const program = fileURLToPath(new URL('worker-process.fixture.ts', import.meta.url))

describe.skipIf(!(await hasPebble()))('a worker that is killed', () => {
  let acme: AcmeWorld
  beforeAll(async () => {
    acme = await createAcmeWorld()
    // Registers the account.
    await acme.order(acme.newHost())
  })
  afterAll(() => acme?.close())
  afterEach(() => acme.reset())

  /**
   * Processes a certificate in a separate process, which is killed at a request of this kind,
   * before or after the CA handles it.
   */
  async function killAt(kind: AcmeRequest['kind'], when: 'before' | 'after', id: CertificateId) {
    const instructions: Instructions = {
      database: acme.database.options,
      env: acme.env,
      now: acme.clock.now().getTime(),
      certificateId: id,
    }
    const child = spawn(process.execPath, [program], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A shared compile cache: most of a short process is its start.
      env: { NODE_COMPILE_CACHE: join(acme.env.DATA_DIR, 'compiled'), ...process.env },
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const ended = once(child, 'exit')
    if (when === 'before')
      acme.ca.intercept(async (request) => {
        if (request.kind !== kind) return undefined
        child.kill('SIGKILL')
        return 'break'
      })
    const calls: string[] = []
    acme.ca.rewrite((request, body) => {
      const isRejected = String(Object(body).type).endsWith('badNonce')
      if (isRejected) return body
      calls.push(request.kind)
      if (when === 'after' && request.kind === kind) child.kill('SIGKILL')
      return body
    })
    child.stdin.write(`${JSON.stringify(instructions)}\n`)
    const [code, signal] = await ended
    if (signal !== 'SIGKILL') throw new Error(`the worker ended (${code})\n${stderr}`)
    acme.ca.intercept(async () => undefined)
    return calls
  }

  it.each([
    ['dir', 'before'],
    ['newOrder', 'before'],
    ['newOrder', 'after'],
    ['authz', 'before'],
    ['challenge', 'before'],
    ['challenge', 'after'],
    ['order', 'after'],
    ['finalize', 'before'],
    ['finalize', 'after'],
    ['certificate', 'before'],
    ['certificate', 'after'],
  ] as const)(
    'a process killed at the request of %s, %s the CA has it, leaves one certificate',
    async (kind, when) => {
      const host = acme.newHost()
      await acme.request(host)
      const { id } = await acme.rowOf(host)
      const calls = await killAt(kind, when, id)
      // PostgreSQL releases the locks of the killed process soon.
      await acme.later(3 * minute, () =>
        until(async () => {
          await processCertificate(acme.ctx, id)
          return (await acme.statusOf(host)).state === 'active'
        }),
      )
      expect(await acme.statusOf(host)).toMatchObject({ state: 'active', problem: null })
      expect(await acme.ordersOf(host)).toMatchObject([{ outcome: 'issued' }])
      expect(await orders.findOpenOrder(acme.ctx.db, id)).toBeUndefined()
      const count = (each: string) => calls.filter((call) => call === each).length
      expect(count('finalize')).toBe(1)
      // Only the response has the address of an order. A lost order expires at the CA.
      expect(count('newOrder')).toBe(kind === 'newOrder' && when === 'after' ? 2 : 1)
    },
    60_000,
  )

  it.each(['before', 'after'] as const)(
    'a process killed at a revocation, %s the CA has it, leaves no certificate',
    async (when) => {
      const host = acme.newHost()
      await acme.order(host)
      const { id } = await acme.rowOf(host)
      const { serialNumber } = await acme.leafOf(host)
      await acme.drop(host)
      await killAt('revoke', when, id)
      await until(async () => {
        await processCertificate(acme.ctx, id)
        return (await orders.findCertificate(acme.ctx.db, id)) === undefined
      })
      expect(await acme.pebble.certificateStatus(serialNumber)).toMatchObject({ Status: 'Revoked' })
    },
    60_000,
  )
})
