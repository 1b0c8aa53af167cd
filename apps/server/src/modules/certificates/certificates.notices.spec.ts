import { day } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { storeCertificate } from './certificates.fixture.ts'
import { emailRenewed, expiring, sendNotices } from './certificates.notices.ts'
import * as orders from './certificates.orders.store.ts'
import type { CertificateId } from './certificates.schema.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ PUBLIC_URL: 'https://console.example' })
})
afterAll(() => world.close())

const certificateWithKey = { chain: ['certificate\n'], key: 'key' }
let count = 0

/** A certificate of a new team that expires in `daysLeft` days and whose renewal fails. */
async function failing(
  daysLeft: number,
  overrides: Partial<Parameters<typeof storeCertificate>[1]> = {},
) {
  const owner = await world.user({ name: 'Ada' })
  const project = await world.project({ teamId: owner.teamId, name: 'Shop' })
  const host = `shop-${++count}.example`
  const expiresAt = new Date(world.clock.now().getTime() + daysLeft * day)
  const startsAt = new Date(expiresAt.getTime() - 90 * day)
  const problem = 'unreachable' as const
  const projectId: ProjectId = project.id
  const id = await storeCertificate(world.ctx, {
    ...{ host, projectId, certificateWithKey, startsAt, expiresAt, problem },
    ...overrides,
  })
  return { host, owner, project, id }
}

const subjectsTo = async ({ email }: TestUser) =>
  (await world.mailsTo(email)).map(({ subject }) => subject)
const later = async (days: number) => {
  world.clock.forward(days * day)
  await sendNotices(world.ctx)
}

describe('the members of a project', () => {
  it('get an email three weeks and one week before a certificate expires, and when it has expired', async () => {
    const { host, owner } = await failing(22)
    await later(0)
    expect(await subjectsTo(owner)).toEqual([])
    const expires = `The certificate for ${host} expires on`
    const received: number[] = []
    for (let passed = 1; passed <= 25; passed++) {
      await later(1)
      received.push((await subjectsTo(owner)).length)
    }
    expect(received.indexOf(1) + 1).toBe(1)
    expect(received.indexOf(2) + 1).toBe(15)
    expect(received.indexOf(3) + 1).toBe(22)
    expect(received.at(-1)).toBe(3)
    expect(await subjectsTo(owner)).toEqual([
      expect.stringContaining(expires),
      expect.stringContaining(expires),
      `The certificate for ${host} has expired`,
    ])
  })

  it('get the email in their own languages, with a link to the project', async () => {
    const { host, owner, project } = await failing(20)
    const member = await world.user({ locale: 'tr' })
    await world.join(member, owner.teamId)
    await later(0)
    const [mail] = await world.mailsTo(owner.email)
    expect(mail?.text).toContain('Project: Shop\n')
    expect(mail?.text).toContain(`https://console.example/projects/view/${project.key}`)
    expect(await subjectsTo(member)).toEqual([expect.stringContaining(`${host} sertifikasının`)])
  })

  it('get one email when two workers send at once', async () => {
    const { owner } = await failing(5)
    const otherApp = await world.anotherApp()
    await Promise.all([sendNotices(world.ctx), sendNotices(otherApp.ctx)])
    expect(await subjectsTo(owner)).toHaveLength(1)
  })

  it('get the last email alone when several are due', async () => {
    const { host, owner } = await failing(-1)
    await later(0)
    expect(await subjectsTo(owner)).toEqual([`The certificate for ${host} has expired`])
  })

  it('get no email while nothing fails, nor about the service’s own hosts or dropped ones', async () => {
    const renewing = await failing(5, { problem: null })
    const dropped = await failing(5, { droppedAt: world.clock.now() })
    await failing(5, { projectId: null })
    await later(0)
    expect(await subjectsTo(renewing.owner)).toEqual([])
    expect(await subjectsTo(dropped.owner)).toEqual([])
  })

  it('get an email when the host has a certificate again', async () => {
    const { host, owner, id } = await failing(5)
    await later(0)
    const expiresAt = new Date(world.clock.now().getTime() + 90 * day)
    await world.ctx.write(async (tx) => {
      const certificate = await orders.lockCertificate(tx, id)
      if (certificate) await emailRenewed(world.ctx, tx, { ...certificate, expiresAt })
    })
    expect((await subjectsTo(owner)).at(-1)).toBe(`${host} has a valid certificate again`)
  })
})

it('the expiring certificates are those whose next email is due', async () => {
  const ids = async () => (await expiring(world.ctx)).map(({ certificate }) => certificate.id)
  const { id } = await failing(3)
  const { id: later } = await failing(30)
  expect(await ids()).toContain<CertificateId>(id)
  expect(await ids()).not.toContain<CertificateId>(later)
  await sendNotices(world.ctx)
  expect(await ids()).toEqual([])
})
