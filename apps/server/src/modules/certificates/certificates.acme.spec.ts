import { X509Certificate } from 'node:crypto'
import { day, hour, minute } from '@slipway/contract/limits'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../db/notifications.ts'
import { createCertificateAuthority } from '../../testing/certificate-authority.ts'
import { recordEvents } from '../../testing/event-recorder.ts'
import { until } from '../../testing/until.ts'
import { type AcmeWorld, createAcmeWorld } from './certificates.acme.fixture.ts'
import { createChallenges } from './certificates.challenges.ts'
import * as orders from './certificates.orders.store.ts'
import { processCertificate } from './certificates.process.ts'
import { certificateChallenges } from './certificates.schema.ts'
import { channel } from './certificates.store.ts'
import { createCertificateTable } from './certificates.table.ts'
import { openCertificate } from './certificates.with-key.ts'
import { type AcmeRequest, acmeProblem, hasPebble } from './pebble.fixture.ts'

let acme: AcmeWorld

describe.skipIf(!(await hasPebble()))('certificates of Pebble, a test CA', () => {
  beforeAll(async () => {
    acme = await createAcmeWorld({ ACME_EMAIL: 'hosting@example.org' })
  })
  afterAll(() => acme?.close())
  afterEach(() => acme.reset())

  const refuse = (kind: AcmeRequest['kind'], ...problem: Parameters<typeof acmeProblem>) =>
    acme.ca.intercept(async (request) =>
      request.kind === kind ? acmeProblem(...problem) : undefined,
    )

  describe('an order', () => {
    it('gives each host its own certificate, with its own key', async () => {
      const host = acme.newHost()
      expect(await acme.order(host)).toMatchObject({ state: 'active', problem: null, detail: null })
      const { chain, key } = openCertificate(acme.ctx.sealing, await acme.rowOf(host))
      const [leaf, issuer] = chain.map((part) => new X509Certificate(part))
      expect(leaf?.subjectAltName).toBe(`DNS:${host}`)
      expect(leaf?.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
      expect(issuer?.checkIssued(new X509Certificate(await acme.pebble.root()))).toBe(true)
      expect(key).toContain('PRIVATE KEY')
      expect(await acme.pebble.certificateStatus(leaf?.serialNumber ?? '')).toMatchObject({
        Status: 'Valid',
      })
    })

    it('stores no key that can be read in the database', async () => {
      const host = acme.newHost()
      await acme.order(host)
      const { rows } = await acme.ctx.db.execute(
        `select (select json_agg(a)::text from acme_accounts a) || (select json_agg(c)::text from certificates c)
         || (select json_agg(o)::text from certificate_orders o) as content`,
      )
      expect(String(rows[0]?.content)).toContain(host)
      expect(String(rows[0]?.content)).not.toMatch(/PRIVATE KEY|BEGIN CERTIFICATE/)
    })

    it('leaves no challenge and no key behind', async () => {
      const host = acme.newHost()
      const tokens: string[] = []
      acme.setChallengeResponse((of, token) => {
        tokens.push(token)
        return createChallenges(acme.ctx).find(of, token)
      })
      await acme.order(host)
      expect(tokens.length).toBeGreaterThan(0)
      for (const token of tokens)
        expect(await createChallenges(acme.ctx).find(host, token)).toBeNull()
      const { id } = await acme.rowOf(host)
      expect(await orders.findOpenOrder(acme.ctx.db, id)).toBeUndefined()
    })

    it('serves its challenge only at its own host', async () => {
      const host = acme.newHost()
      const responses: (string | null)[] = []
      acme.setChallengeResponse(async (of, token) => {
        responses.push(await createChallenges(acme.ctx).find(acme.newHost(), token))
        return createChallenges(acme.ctx).find(of, token)
      })
      await acme.order(host)
      expect(new Set(responses)).toEqual(new Set([null]))
    })

    it('tells the gateways and the project’s members', async () => {
      const host = acme.newHost()
      const notifications = await listen(acme.database.options, [channel], acme.ctx.log)
      const events = await recordEvents(acme.database.options)
      const { find } = await createCertificateTable(acme.ctx, notifications)
      await acme.order(host)
      await until(() => find(host) !== undefined)
      expect(find(host)?.etag).toBe((await acme.rowOf(host)).fingerprint)
      expect(await events.take()).toContainEqual({
        kind: 'Project',
        data: { type: 'Updated', projectId: acme.project.id },
      })
      await events.close()
      await notifications.close()
    })

    it('is made once by two workers at once', async () => {
      const host = acme.newHost()
      const otherApp = await acme.anotherApp()
      await acme.request(host)
      await Promise.all([
        acme.process(host),
        acme.process(host, otherApp.ctx),
        acme.process(host, otherApp.ctx),
        acme.process(host),
      ])
      await acme.process(host)
      expect(acme.ca.count('newOrder')).toBe(1)
      expect(acme.ca.count('finalize')).toBe(1)
    })

    it('is not made for a host that has a certificate', async () => {
      const host = acme.newHost()
      await acme.order(host)
      acme.ca.reset()
      await acme.order(host)
      expect(acme.ca.requests).toEqual([])
    })

    it('is repeated when the CA wants another nonce', async () => {
      const host = acme.newHost()
      let isFirst = true
      acme.ca.intercept(async ({ kind }) => {
        if (kind !== 'newOrder' || !isFirst) return undefined
        isFirst = false
        return acmeProblem(400, 'badNonce', 'JWS has an invalid anti-replay nonce')
      })
      expect(await acme.order(host)).toMatchObject({ state: 'active' })
    })
  })

  describe('the account', () => {
    it('is registered once, with the address of ACME_EMAIL, by two workers at once', async () => {
      const { ctx } = acme
      await ctx.db.execute('update certificate_orders set directory = directory || id::text')
      await ctx.db.execute('delete from acme_accounts')
      const hosts = [acme.newHost(), acme.newHost()]
      const otherApp = await acme.anotherApp()
      for (const host of hosts) await acme.request(host)
      await Promise.all(
        hosts.map((host, index) => acme.process(host, index === 0 ? ctx : otherApp.ctx)),
      )
      for (const host of hosts) expect(await acme.statusOf(host)).toMatchObject({ state: 'active' })
      const { rows } = await ctx.db.execute('select contact, url from acme_accounts')
      expect(rows).toEqual([{ contact: 'hosting@example.org', url: expect.any(String) }])
      const registration = acme.ca.requests.find(({ kind }) => kind === 'newAccount')
      expect(registration?.payload).toMatchObject({
        termsOfServiceAgreed: true,
        contact: ['mailto:hosting@example.org'],
      })
    })

    it('follows a change of ACME_EMAIL', async () => {
      const { ctx } = await acme.anotherApp({ ACME_EMAIL: 'another@example.org' })
      const host = acme.newHost()
      await acme.request(host)
      await acme.process(host, ctx)
      expect(acme.ca.requests.find(({ kind }) => kind === 'account')?.payload).toMatchObject({
        contact: ['mailto:another@example.org'],
      })
      expect(acme.ca.count('newAccount')).toBe(0)
    })

    it('is registered again with its key when the CA has lost it', async () => {
      await acme.pebble.restart()
      const host = acme.newHost()
      expect(await acme.order(host)).toMatchObject({ state: 'active' })
    })
  })

  describe('a renewal', () => {
    it('replaces a certificate with a third of its life left, with a new key', async () => {
      const host = acme.newHost()
      await acme.order(host)
      const before = await acme.rowOf(host)
      const { key } = openCertificate(acme.ctx.sealing, before)
      const timeLeft = (before.expiresAt?.getTime() ?? 0) - (before.renewAt?.getTime() ?? 0)
      expect(timeLeft / day).toBeGreaterThanOrEqual(29.99)
      expect(timeLeft / day).toBeLessThan(33.1)
      await acme.later(56 * day, () => acme.process(host))
      expect((await acme.rowOf(host)).fingerprint).toBe(before.fingerprint)
      await acme.later(61 * day, () => acme.process(host))
      const after = await acme.rowOf(host)
      expect(after.fingerprint).not.toBe(before.fingerprint)
      expect(openCertificate(acme.ctx.sealing, after).key).not.toBe(key)
      expect(await acme.ordersOf(host)).toHaveLength(2)
    })

    it('a failed renewal leaves the certificate served and active', async () => {
      const host = acme.newHost()
      await acme.order(host)
      const { fingerprint } = await acme.rowOf(host)
      refuse('newOrder', 403, 'unauthorized', 'No issuance for this account')
      await acme.later(61 * day, async () => {
        await acme.process(host)
        expect(await acme.statusOf(host)).toMatchObject({
          state: 'active',
          problem: 'internal',
          detail: 'No issuance for this account',
        })
      })
      expect((await acme.rowOf(host)).fingerprint).toBe(fingerprint)
    })
  })

  describe('renewal information of the CA', () => {
    let window: { start: Date; end: Date }
    beforeAll(() => {
      window = {
        start: new Date(acme.clock.now().getTime() + 10 * day),
        end: new Date(acme.clock.now().getTime() + 11 * day),
      }
    })
    /** Adds renewal information (RFC 9773), which this Pebble lacks. */
    function offer(...problem: Parameters<typeof acmeProblem> | []) {
      acme.ca.rewrite(({ kind }, body) =>
        kind === 'dir' ? { ...(body as object), renewalInfo: `${acme.ca.origin}/ari` } : body,
      )
      acme.ca.intercept(async ({ path }) => {
        if (!path.startsWith('/ari/')) return undefined
        return problem.length > 0
          ? acmeProblem(...(problem as Parameters<typeof acmeProblem>))
          : {
              status: 200,
              headers: { 'content-type': 'application/json', 'retry-after': '21600' },
              body: { suggestedWindow: window },
            }
      })
    }
    async function ordered() {
      const host = acme.newHost()
      offer()
      await acme.order(host)
      await acme.later(minute, () => acme.process(host))
      return host
    }

    it('sets the time of the renewal, and is read again after the Retry-After of the CA', async () => {
      const host = await ordered()
      const { renewAt, dueAt, renewalId } = await acme.rowOf(host)
      expect(renewAt?.getTime()).toBeGreaterThanOrEqual(window.start.getTime())
      expect(renewAt?.getTime()).toBeLessThanOrEqual(window.end.getTime())
      const delay = dueAt.getTime() - acme.clock.now().getTime()
      expect(delay).toBeGreaterThanOrEqual(6 * hour)
      expect(delay).toBeLessThan(6.5 * hour)
      const read = acme.ca.requests.filter(({ path }) => path.startsWith('/ari/'))
      expect(read.map(({ path }) => path)).toEqual([`/ari/${renewalId}`])
    })

    it('renews early when the CA moves the window into the past, and the order names the replaced certificate', async () => {
      const host = await ordered()
      const { renewalId, fingerprint } = await acme.rowOf(host)
      const usual = window
      window = { start: new Date(0), end: new Date(1) }
      acme.ca.requests.length = 0
      await acme.later(7 * hour, () => acme.process(host))
      window = usual
      expect((await acme.rowOf(host)).fingerprint).not.toBe(fingerprint)
      expect(acme.ca.requests.find(({ kind }) => kind === 'newOrder')?.payload).toMatchObject({
        replaces: renewalId,
      })
    })

    it('is ignored while the CA has none for the certificate', async () => {
      const host = acme.newHost()
      offer(404, 'malformed', 'Certificate not found')
      await acme.order(host)
      const before = await acme.rowOf(host)
      await acme.later(minute, () => acme.process(host))
      const after = await acme.rowOf(host)
      expect(after.renewAt).toEqual(before.renewAt)
      expect(after.dueAt.getTime()).toBeLessThan(after.renewAt?.getTime() ?? 0)
    })

    it('does not stop a renewal whose predecessor was replaced already', async () => {
      const host = await ordered()
      const { fingerprint } = await acme.rowOf(host)
      acme.ca.intercept(async ({ kind, payload }) =>
        kind === 'newOrder' && payload?.replaces !== undefined
          ? acmeProblem(409, 'alreadyReplaced', 'The certificate was replaced')
          : undefined,
      )
      await acme.later(70 * day, () => acme.process(host))
      expect((await acme.rowOf(host)).fingerprint).not.toBe(fingerprint)
    })
  })

  describe('a dropped host', () => {
    it('has its certificate revoked for the end of its operation, and deleted', async () => {
      const host = acme.newHost()
      await acme.order(host)
      const { id } = await acme.rowOf(host)
      const { serialNumber } = await acme.leafOf(host)
      await acme.drop(host)
      await processCertificate(acme.ctx, id)
      expect(await acme.pebble.certificateStatus(serialNumber)).toMatchObject({
        Status: 'Revoked',
        Reason: 5,
      })
      expect(await orders.findCertificate(acme.ctx.db, id)).toBeUndefined()
    })

    it('has its certificate revoked later when the CA does not respond', async () => {
      const host = acme.newHost()
      await acme.order(host)
      const { id } = await acme.rowOf(host)
      const { serialNumber } = await acme.leafOf(host)
      await acme.drop(host)
      acme.ca.intercept(async () => 'break')
      await processCertificate(acme.ctx, id)
      expect(await orders.findCertificate(acme.ctx.db, id)).toMatchObject({ failures: 1 })
      await acme.reset()
      await processCertificate(acme.ctx, id)
      expect(await acme.pebble.certificateStatus(serialNumber)).toMatchObject({ Status: 'Revoked' })
      expect(await orders.findCertificate(acme.ctx.db, id)).toBeUndefined()
    })

    it('is deleted when its certificate was revoked before', async () => {
      const host = acme.newHost()
      await acme.order(host)
      const { id } = await acme.rowOf(host)
      await acme.drop(host)
      refuse('revoke', 400, 'alreadyRevoked', 'Certificate has already been revoked')
      await processCertificate(acme.ctx, id)
      expect(await orders.findCertificate(acme.ctx.db, id)).toBeUndefined()
    })

    it('has the certificate of an order in progress revoked', async () => {
      const host = acme.newHost()
      await acme.request(host)
      const { id } = await acme.rowOf(host)
      let serialNumber = ''
      acme.ca.intercept(async ({ kind }) => {
        if (kind === 'finalize') await acme.drop(host)
        return undefined
      })
      acme.ca.rewrite(({ kind }, body) => {
        // A string: Pebble rejects some requests for their nonce, with an object.
        if (kind === 'certificate' && typeof body === 'string')
          serialNumber = new X509Certificate(body).serialNumber
        return body
      })
      await processCertificate(acme.ctx, id)
      await processCertificate(acme.ctx, id)
      expect(await acme.pebble.certificateStatus(serialNumber)).toMatchObject({ Status: 'Revoked' })
      expect(await orders.findCertificate(acme.ctx.db, id)).toBeUndefined()
    })

    it('has the certificate revoked that was issued while no worker ran', async () => {
      const host = acme.newHost()
      await acme.request(host)
      const { id } = await acme.rowOf(host)
      let serialNumber = ''
      // The connection breaks once the CA has issued it.
      acme.ca.intercept(async ({ kind }) =>
        kind === 'order' && acme.ca.count('finalize') > 0 ? 'break' : undefined,
      )
      await processCertificate(acme.ctx, id)
      await acme.drop(host)
      acme.ca.intercept(async () => undefined)
      acme.ca.rewrite(({ kind }, body) => {
        if (kind === 'certificate' && typeof body === 'string')
          serialNumber = new X509Certificate(body).serialNumber
        return body
      })
      await processCertificate(acme.ctx, id)
      expect(await acme.pebble.certificateStatus(serialNumber)).toMatchObject({ Status: 'Revoked' })
      expect(await orders.findCertificate(acme.ctx.db, id)).toBeUndefined()
    })

    it('has its pending authorization deactivated at the CA', async () => {
      const host = acme.newHost()
      await acme.request(host)
      const { id } = await acme.rowOf(host)
      acme.ca.intercept(async ({ kind }) => (kind === 'challenge' ? 'break' : undefined))
      await processCertificate(acme.ctx, id)
      await acme.drop(host)
      await acme.reset()
      await processCertificate(acme.ctx, id)
      expect(acme.ca.requests.map(({ payload }) => payload)).toContainEqual({
        status: 'deactivated',
      })
      expect(await orders.findCertificate(acme.ctx.db, id)).toBeUndefined()
    })

    it('is deleted without a CA when ACME_DIRECTORY is not set any more', async () => {
      const host = acme.newHost()
      await acme.order(host)
      const { id } = await acme.rowOf(host)
      await acme.drop(host)
      acme.ca.reset()
      const appWithoutCa = await acme.anotherApp({ ACME_DIRECTORY: undefined })
      await processCertificate(appWithoutCa.ctx, id)
      expect(await orders.findCertificate(acme.ctx.db, id)).toBeUndefined()
      expect(acme.ca.requests).toEqual([])
    })
  })

  describe('a failed order', () => {
    it('has the problem and the CA’s words, without tokens, when the host does not respond', async () => {
      const host = acme.newHost()
      let token = ''
      acme.setChallengeResponse(async (_, requested) => {
        token = requested
        return null
      })
      const status = await acme.order(host)
      expect(status).toMatchObject({ state: 'failed', problem: 'refused' })
      expect(status.detail).toMatch(/404/)
      expect(token).not.toBe('')
      expect(status.detail).not.toContain(token)
    })

    it('quotes no key authorization that another server returned', async () => {
      const host = acme.newHost()
      acme.setChallengeResponse(async () => 'not the key authorization')
      const { detail } = await acme.order(host)
      expect(detail).toContain('not the key authorization')
      expect(detail).not.toMatch(/[\w-]{22,}\.[\w-]{43}/)
    })

    it.each([
      ['refused', [400, 'rejectedIdentifier', 'Policy forbids issuing for this name']],
      ['internal', [403, 'unauthorized', 'Account is not allowed to issue']],
      ['caa', [403, 'caa', 'CAA record for example prevents issuance']],
      ['internal', [400, 'malformed', 'Something is wrong with the request']],
    ] as [string, Parameters<typeof acmeProblem>][])(
      'has the problem %s after %j of the CA',
      async (problem, response) => {
        const host = acme.newHost()
        refuse('newOrder', ...response)
        expect(await acme.order(host)).toMatchObject({
          state: 'failed',
          problem,
          detail: response[2],
          checkedAt: acme.clock.now(),
        })
      },
    )

    it('has the problem caa when a CAA record makes the CA reject the challenge', async () => {
      const host = acme.newHost()
      acme.ca.rewrite(({ kind }, body) => {
        if (kind !== 'authz') return body
        const authorization = body as { challenges: object[] }
        const error = { type: 'urn:ietf:params:acme:error:caa', detail: 'CAA forbids it' }
        const challenges = authorization.challenges.map((each) => ({
          ...each,
          status: 'invalid',
          error,
        }))
        return { ...authorization, status: 'invalid', challenges }
      })
      expect(await acme.order(host)).toMatchObject({ problem: 'caa', detail: 'CAA forbids it' })
    })

    it('has the problem clock when the certificate is not valid yet, or has expired', async () => {
      for (const shift of [-hour, 100 * day]) {
        const host = acme.newHost()
        await acme.later(shift, async () => {
          expect(await acme.order(host)).toMatchObject({ state: 'failed', problem: 'clock' })
        })
        expect((await acme.rowOf(host)).sealed).toBeNull()
      }
    })

    it('does not occur while our clock and that of the CA differ by a few minutes', async () => {
      for (const shift of [-4 * minute, 4 * minute]) {
        const host = acme.newHost()
        // Our clock stands still, the CA's does not.
        const behind = Date.now() - acme.clock.now().getTime()
        await acme.later(behind + shift, async () => {
          expect(await acme.order(host)).toMatchObject({ state: 'active', problem: null })
        })
      }
    })

    it.each([
      ['a year ahead', 365 * day, 7 * day],
      ['a year behind', -365 * day, 5 * minute],
    ])('waits a bounded time when the clock of the CA is %s', async (_, offset, expected) => {
      const host = acme.newHost()
      const retryAfter = new Date(Date.now() + offset).toUTCString()
      refuse('newOrder', 403, 'unauthorized', 'Wait', { 'retry-after': retryAfter })
      await acme.order(host)
      const { dueAt } = await acme.rowOf(host)
      const delay = dueAt.getTime() - acme.clock.now().getTime()
      expect(delay / expected).toBeGreaterThanOrEqual(1)
      expect(delay / expected).toBeLessThan(1.11)
    })

    it('is retried after five minutes, then ever more rarely', async () => {
      const host = acme.newHost()
      refuse('newOrder', 400, 'rejectedIdentifier', 'Policy forbids issuing for this name')
      const delays: number[] = []
      let passed = 0
      for (let attempt = 0; attempt < 4; attempt++)
        await acme.later(passed, async () => {
          if (attempt === 0) await acme.request(host)
          await acme.process(host)
          const { dueAt } = await acme.rowOf(host)
          delays.push((dueAt.getTime() - acme.clock.now().getTime()) / minute)
          passed = dueAt.getTime() - acme.clock.now().getTime() + passed
        })
      expect(acme.ca.count('newOrder')).toBe(4)
      for (const [index, delay] of delays.entries()) {
        expect(delay).toBeGreaterThanOrEqual(5 * 2 ** index)
        expect(delay).toBeLessThanOrEqual(5 * 2 ** index * 1.11)
      }
    })

    it('is not repeated within five minutes, however often it is requested', async () => {
      const host = acme.newHost()
      refuse('newOrder', 400, 'rejectedIdentifier', 'Policy forbids issuing for this name')
      for (let count = 0; count < 3; count++) await acme.order(host)
      expect(acme.ca.count('newOrder')).toBe(1)
      await acme.later(5 * minute, () => acme.order(host))
      expect(acme.ca.count('newOrder')).toBe(2)
    })

    it('stays open while the CA is processing, and is continued', async () => {
      const host = acme.newHost()
      // Pebble validates at once; a failed challenge request leaves the order pending.
      acme.ca.intercept(async ({ kind }) => (kind === 'challenge' ? 'break' : undefined))
      await acme.order(host)
      expect(await acme.statusOf(host)).toMatchObject({ state: 'failed', problem: 'unreachable' })
      acme.ca.intercept(async () => undefined)
      await acme.later(2 * minute, () => acme.process(host))
      expect(await acme.statusOf(host)).toMatchObject({ state: 'active', problem: null })
      expect(acme.ca.count('newOrder')).toBe(1)
    })
  })

  describe('an order whose challenge is not stored any more', () => {
    it('stores the challenge again, also while the CA requests it', async () => {
      const host = acme.newHost()
      acme.ca.intercept(async ({ kind }) => (kind === 'challenge' ? 'break' : undefined))
      await acme.order(host)
      await acme.ctx.db.delete(certificateChallenges)
      await acme.reset()
      let isStored = false
      acme.ca.intercept(async ({ kind }) => {
        if (kind === 'authz') isStored = (await acme.ctx.db.$count(certificateChallenges)) > 0
        return undefined
      })
      const stored: boolean[] = []
      // Not called for a request whose nonce Pebble rejects.
      acme.ca.rewrite(({ kind }, body) => {
        if (kind !== 'authz') return body
        stored.push(isStored)
        if (stored.length > 1) return body
        const { challenges, ...authorization } = body as { challenges: object[] }
        const processing = challenges.map((each) => ({ ...each, status: 'processing' }))
        return { ...authorization, challenges: processing }
      })
      await acme.later(2 * minute, () => acme.process(host))
      expect(stored.slice(0, 2)).toEqual([false, true])
      expect(await acme.statusOf(host)).toMatchObject({ state: 'active', problem: null })
    })
  })

  describe('a challenge that stays pending while the CA checks it', () => {
    /** Shows an order and its authorization as pending once more. */
    function showPendingOnce(isDue: () => boolean) {
      const pendingKinds = new Set(['order', 'authz'])
      acme.ca.rewrite(({ kind }, body) => {
        if (!isDue() || !pendingKinds.delete(kind)) return body
        const { challenges = [], ...resource } = body as { challenges?: object[] }
        const pending = challenges.map((each) => ({ ...each, status: 'pending' }))
        return { ...resource, status: 'pending', challenges: pending }
      })
    }

    it('is requested once', async () => {
      const host = acme.newHost()
      showPendingOnce(() => acme.ca.count('challenge') > 0)
      expect(await acme.order(host)).toMatchObject({ state: 'active', problem: null })
      expect(acme.ca.count('challenge')).toBe(1)
    })

    it('may have ended when another process requests it again', async () => {
      const host = acme.newHost()
      acme.ca.intercept(async ({ kind }) => (kind === 'finalize' ? 'break' : undefined))
      await acme.order(host)
      await acme.reset()
      showPendingOnce(() => true)
      await acme.later(2 * minute, () => acme.process(host))
      expect(acme.ca.count('challenge')).toBe(1)
      expect(await acme.statusOf(host)).toMatchObject({ state: 'active', problem: null })
    })
  })

  describe('a CA with wrong responses', () => {
    it.each([
      [
        'a certificate for another host',
        async () => {
          const authority = await createCertificateAuthority()
          return (await authority.issue('bank.example')).certificate
        },
      ],
      ['a text that is no PEM', async () => 'hello'],
      [
        'a chain that is too long',
        async () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'.repeat(2_000),
      ],
      [
        'a PEM that holds no certificate',
        async () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      ],
    ])('a CA that sends %s is rejected', async (_, forged) => {
      const host = acme.newHost()
      const content = await forged()
      acme.ca.rewrite(({ kind }, body) => (kind === 'certificate' ? content : body))
      expect(await acme.order(host)).toMatchObject({ state: 'failed', problem: 'internal' })
      expect((await acme.rowOf(host)).sealed).toBeNull()
    })

    it('a CA that sends an address without https is not followed', async () => {
      const host = acme.newHost()
      acme.ca.rewrite(({ kind }, body) =>
        kind === 'order' ? { ...(body as object), authorizations: ['http://127.0.0.1:1/'] } : body,
      )
      expect(await acme.order(host)).toMatchObject({ problem: 'internal' })
    })

    it('a CA that sends a page in place of its directory is not followed', async () => {
      const host = acme.newHost()
      acme.ca.intercept(async ({ kind }) =>
        kind === 'dir' ? { status: 200, body: '<h1>Login</h1>' } : undefined,
      )
      expect(await acme.order(host)).toMatchObject({ problem: 'internal' })
    })
  })
})
