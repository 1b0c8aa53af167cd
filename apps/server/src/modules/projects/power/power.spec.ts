import { resumeProject, suspendProject, viewOperatorProject } from '@slipway/contract/operator'
import {
  changeProjectPower,
  deleteProject,
  type ProjectId,
  projectStates,
  restartProject,
  viewProject,
} from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localCluster } from '../../../env/configured-clusters.ts'
import { title } from '../../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../../testing/matchers.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { invoiceOf } from '../../invoices/invoices.fixture.ts'
import { isDeleted } from '../projects.policy.ts'
import { deployArtifact } from '../projects.service.ts'
import * as store from '../projects.store.ts'
import { settle } from '../reconciler/reconciler.fixture.ts'

let world: World
let owner: TestUser
let operator: TestUser
beforeAll(async () => {
  const email = 'operator@example.com'
  world = await createWorld({ OPERATOR_EMAILS: [email] })
  await world.host()
  owner = await world.user()
  operator = await world.user({ email })
})
afterAll(() => world.close())

const power = (id: ProjectId, requested: 'running' | 'stopped', { call } = owner) =>
  call(changeProjectPower, { params: { id }, body: { power: requested } })

const suspend = (key: string, reason: 'unpaid' | 'abuse' = 'unpaid', note?: string) =>
  operator.call(suspendProject, { params: { key }, body: { reason, note } })

const resume = (key: string) => operator.call(resumeProject, { params: { key } })

async function runningProject() {
  const { id, key } = await world.project({ teamId: owner.teamId, state: 'pending' })
  expect(await settle(world.ctx, id)).toBe('settled')
  return { id, key }
}

const row = async (id: ProjectId) => {
  const project = await store.findForReconciler(world.ctx.db, id)
  if (!project) throw new Error('the project is gone')
  return project
}

const page = (key: string) => sitePage(world.env.SITES_PORT, `${key}.localhost`)

const isRunning = async (key: string) =>
  (await world.ctx.engine.list([{ key, cluster: localCluster }]))[0]?.running

describe(title(changeProjectPower), () => {
  it('stops the site at once for visitors, and keeps its data until it starts again', async () => {
    const { id, key } = await runningProject()
    expect(await power(id, 'stopped')).toMatchObject({ power: 'stopped', state: 'ready' })
    await until(async () => (await page(key)).status === 503)
    expect((await page(key)).body).toContain('This site is offline')
    expect(await settle(world.ctx, id)).toBe('settled')
    expect(await isRunning(key)).toBe(false)

    expect(await power(id, 'running')).toMatchObject({ power: 'running', state: 'modifying' })
    expect(await settle(world.ctx, id)).toBe('settled')
    expect(await row(id)).toMatchObject({ state: 'ready', failure: null, deadlineAt: null })
    expect((await page(key)).status).toBe(200)
  })

  it('changes nothing when it is repeated', async () => {
    const { id } = await world.project({ teamId: owner.teamId })
    await power(id, 'stopped')
    const { generation } = await row(id)
    await power(id, 'stopped')
    expect(await row(id)).toMatchObject({ generation })
  })

  it('is accepted in every state except deleting and deleted', async () => {
    const { call, teamId } = await world.user()
    for (const state of projectStates) {
      const { id } = await world.project({ teamId, state })
      for (const requested of ['stopped', 'running'] as const) {
        const change = power(id, requested, { call } as TestUser)
        if (isDeleted({ state }))
          expect(await errorCodeOf(change), state).toBe('cannot_update_deleted_project')
        else expect((await change).power, state).toBe(requested)
      }
    }
  })

  it('stops a project that is being created, and starts it later', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId, state: 'pending' })
    await power(id, 'stopped')
    expect(await settle(world.ctx, id)).toBe('settled')
    expect(await row(id)).toMatchObject({ state: 'ready', power: 'stopped' })
    expect(await isRunning(key)).toBe(false)
    await power(id, 'running')
    expect(await settle(world.ctx, id)).toBe('settled')
    expect((await page(key)).status).toBe(200)
  })

  it('says that a started site does not respond, once its deadline has passed', async () => {
    const { id } = await runningProject()
    await power(id, 'stopped')
    await settle(world.ctx, id)
    await power(id, 'running')
    const unhealthyCtx = {
      ...world.ctx,
      clock: { now: () => new Date(world.clock.now().getTime() + 600_000) },
      engine: { ...world.ctx.engine, isHealthy: async () => false },
    }
    expect(await settle(unhealthyCtx, id)).toBe('settled')
    expect(await row(id)).toMatchObject({ state: 'ready', failure: 'site_not_answering' })
  })
})

describe(title(restartProject), () => {
  it('replaces the process of the site, once for each request', async () => {
    const { id, key } = await runningProject()
    const status = async () => (await page(key)).status
    expect(await status()).toBe(200)
    const starts = () =>
      world.logged.filter((line) => line.includes('A site started') && line.includes(key)).length
    const before = starts()
    expect(await owner.call(restartProject, { params: { id } })).toMatchObject({
      state: 'modifying',
    })
    expect(await settle(world.ctx, id)).toBe('settled')
    expect(starts()).toBe(before + 1)
    expect(await status()).toBe(200)
    await power(id, 'running')
    await settle(world.ctx, id)
    expect(starts()).toBe(before + 1)
  })

  it('rejects a stopped project', async () => {
    const { id } = await world.project({ teamId: owner.teamId, power: 'stopped' })
    expect(await errorCodeOf(owner.call(restartProject, { params: { id } }))).toBe(
      'project_stopped',
    )
  })
})

describe(title(suspendProject), () => {
  it('stops the site, and shows its members the reason but not the note', async () => {
    const { id, key } = await runningProject()
    const suspended = await suspend(key, 'abuse', 'Phishing, ticket 12')
    expect(suspended).toMatchObject({
      power: 'suspended',
      suspension: 'abuse',
      suspensionNote: 'Phishing, ticket 12',
    })
    await until(async () => (await page(key)).body.includes('This site is suspended'))
    expect(await settle(world.ctx, id)).toBe('settled')
    expect(await isRunning(key)).toBe(false)
    const viewed = await owner.call(viewProject, { params: { key } })
    expect(viewed).toMatchObject({ power: 'suspended', suspension: 'abuse' })
    expect(JSON.stringify(viewed)).not.toContain('Phishing')
  })

  it('lets neither a start, a restart nor a release run the site', async () => {
    const { id, key } = await runningProject()
    await suspend(key)
    expect(await errorCodeOf(power(id, 'running'))).toBe('project_suspended')
    expect(await errorCodeOf(power(id, 'stopped'))).toBe('project_suspended')
    expect(await errorCodeOf(owner.call(restartProject, { params: { id } }))).toBe(
      'project_suspended',
    )
    const release = { runtime: 'starter', artifact: 'a'.repeat(64) } as const
    await world.ctx.write((tx) => deployArtifact(world.ctx, tx, id, release))
    expect(await settle(world.ctx, id)).toBe('settled')
    expect(await row(id)).toMatchObject({ artifact: release.artifact, state: 'ready' })
    expect(await isRunning(key)).toBe(false)
  })

  it('emails every member once, in the language of each', async () => {
    const turkish = await world.user({ locale: 'tr' })
    const english = await world.user()
    await world.join(english, turkish.teamId)
    const { key } = await world.project({ teamId: turkish.teamId, name: 'Kahve' })
    const subjects = async ({ email }: TestUser) =>
      (await world.mailsTo(email)).map(({ subject }) => subject)
    await suspend(key)
    await suspend(key)
    await suspend(key, 'unpaid', 'Called them')
    expect(await subjects(turkish)).toEqual(['“Kahve” askıya alındı'])
    expect(await subjects(english)).toEqual(['“Kahve” is suspended'])
    const [mail] = await world.mailsTo(english.email)
    expect(mail?.text).not.toContain('Called them')
    await resume(key)
    await resume(key)
    expect(await subjects(turkish)).toEqual(['“Kahve” askıya alındı', '“Kahve” artık askıda değil'])
  })

  it('emails the unpaid invoices to the owner only, with a button that pays them', async () => {
    const payer = await world.user({ name: 'Ada Example' })
    const member = await world.user()
    await world.join(member, payer.teamId)
    await invoiceOf(world, payer, { paidAt: world.clock.now() })
    const invoices = [await invoiceOf(world, payer), await invoiceOf(world, payer)]
    const { key } = await world.project({ teamId: payer.teamId })
    await suspend(key)
    const ids = invoices.map(({ id }) => id)
    const [toPayer] = await world.mailsTo(payer.email)
    expect(toPayer?.text?.match(/: \$12\.50\n/g)).toHaveLength(2)
    expect(toPayer?.text).toContain('Amount due: $25.00\n')
    expect(toPayer?.text).toContain('Pay $25.00:\n')
    expect(toPayer?.text).toMatch(
      new RegExp(
        `/account/billing/invoices/pay\\?invoice=(${ids.join(',')}|${ids.toReversed().join(',')})\n`,
      ),
    )
    const [toMember] = await world.mailsTo(member.email)
    expect(toMember?.text).toContain("Ask your team's owner, Ada Example, to pay.")
    expect(toMember?.text).toContain('/support/tickets/create')
    expect(toMember?.text).not.toMatch(/\$|invoice=/)
  })

  it('rejects an unknown and a deleted project', async () => {
    const { key } = await world.project({ teamId: owner.teamId, state: 'deleted' })
    expect(await errorCodeOf(suspend(key))).toBe('cannot_update_deleted_project')
    for (const unknown of ['nothing-bcdfgh', '../etc', '%00'])
      expect(await errorCodeOf(suspend(unknown)), unknown).toBe('project_not_found')
  })

  it('leaves a suspended project deletable by its members', async () => {
    const { id, key } = await runningProject()
    await suspend(key)
    await owner.call(deleteProject, { params: { id } })
    expect(await settle(world.ctx, id)).toBe('settled')
    expect(await row(id)).toMatchObject({ state: 'deleted' })
    expect(await world.ctx.engine.list([{ key, cluster: localCluster }])).toMatchObject([
      { applied: null, running: false },
    ])
  })
})

describe(title(viewOperatorProject), () => {
  it('shows the owner, and the reason and the note of a suspension', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId, name: 'Kahve' })
    const view = () => operator.call(viewOperatorProject, { params: { key } })
    expect(await view()).toMatchObject({
      id,
      key,
      name: 'Kahve',
      power: 'running',
      suspension: null,
      suspensionNote: null,
    })
    await suspend(key, 'abuse', 'Phishing, ticket 12')
    expect(await view()).toMatchObject({
      power: 'suspended',
      suspension: 'abuse',
      suspensionNote: 'Phishing, ticket 12',
    })
  })

  it('shows a deleted project, and returns project_not_found for an unknown one', async () => {
    const { key } = await world.project({ teamId: owner.teamId, state: 'deleted' })
    expect(await operator.call(viewOperatorProject, { params: { key } })).toMatchObject({
      state: 'deleted',
    })
    const unknown = { params: { key: 'nothing-bcdfgh' } }
    expect(await errorCodeOf(operator.call(viewOperatorProject, unknown))).toBe('project_not_found')
  })
})

describe(title(resumeProject), () => {
  it('starts the site again, and deletes the reason and the note', async () => {
    const { id, key } = await runningProject()
    await suspend(key, 'abuse', 'Phishing')
    await settle(world.ctx, id)
    expect(await resume(key)).toMatchObject({
      power: 'running',
      suspension: null,
      suspensionNote: null,
      state: 'modifying',
    })
    expect(await settle(world.ctx, id)).toBe('settled')
    expect((await page(key)).status).toBe(200)
  })

  it('leaves a site stopped that its members had stopped', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId, power: 'stopped' })
    await suspend(key)
    expect(await resume(key)).toMatchObject({ power: 'stopped', state: 'ready' })
    const viewed = await operator.call(viewOperatorProject, { params: { key } })
    expect(viewed).toMatchObject({ id, power: 'stopped', suspensionNote: null })
  })
})
