import {
  type Activity,
  type ActivityKind,
  listActivity,
  listProjectActivity,
  listTeamActivity,
} from '@slipway/contract/activity'
import { createDomain, deleteDomain, updateDomain } from '@slipway/contract/domains'
import type { InputOf } from '@slipway/contract/endpoint'
import { changeEnvironment } from '@slipway/contract/environment'
import { listInvoices } from '@slipway/contract/invoices'
import { day, hour, minute } from '@slipway/contract/limits'
import { resumeProject, suspendProject } from '@slipway/contract/operator'
import { updatePaymentMethod } from '@slipway/contract/payment-method-forms'
import { deletePaymentMethod, setDefaultPaymentMethod } from '@slipway/contract/payment-methods'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import {
  changeProjectDomain,
  changeProjectPower,
  createProject,
  deleteProject,
  renameProject,
  restartProject,
} from '@slipway/contract/projects'
import { markRefunded } from '@slipway/contract/refunds'
import { deleteRegistry, listRegistries, setRegistry } from '@slipway/contract/registries'
import {
  createClientSecret,
  createSignInClient,
  deleteClientSecret,
  deleteSignInClient,
  updateSignInClient,
} from '@slipway/contract/sign-in-clients'
import {
  cancelInvitation,
  inviteToTeam,
  leaveTeam,
  removeFromTeam,
  respondToInvitation,
  updateTeam,
} from '@slipway/contract/teams'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ClusterUnreachableError } from '../../engines/hosting/engine.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { users } from '../account/account.schema.ts'
import { issue } from '../invoices/issuing/issuing.ts'
import { billingFields, cardOf, declined } from '../payment-methods/payment-methods.fixture.ts'
import {
  invoiceState,
  onlyInvoice,
  payer,
  paymentOf,
  refundOf,
} from '../payments/payments.fixture.ts'
import { resolve } from '../payments/settlement/resolver.ts'
import { findForReconciler } from '../projects/projects.store.ts'
import { settle } from '../projects/reconciler/reconciler.fixture.ts'
import { usageOf } from '../usage/usage.fixture.ts'
import { activity } from './activity.schema.ts'
import { recordActivity, removeOld } from './activity.service.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'], ACTIVITY_KEEP_DAYS: 30 })
  operator = await world.user({ email: 'operator@example.com' })
})
afterAll(() => world.close())

const ofProject = async ({ call }: Pick<TestUser, 'call'>, id: string) =>
  (await call(listProjectActivity, { params: { id }, query: { limit: 100 } })).items
const ofTeam = async ({ call, teamId }: TestUser) =>
  (await call(listTeamActivity, { params: { id: teamId }, query: { limit: 100 } })).items

/** The kinds and parameters, oldest first. */
const facts = (items: readonly Activity[]) =>
  items.map(({ kind, subject, before, after }) => [kind, subject, before, after]).reverse()

describe(title(listProjectActivity), () => {
  it('names each change of a project, with the values before and after', async () => {
    const { call, teamId, id: userId, name } = await world.user()
    const { id } = await call(createProject, { body: { name: 'First', teamId, regionId: 'eu' } })
    const params = { id }
    await call(renameProject, { params, body: { name: 'Second' } })
    await call(changeProjectPower, { params, body: { power: 'stopped' } })
    await call(changeProjectPower, { params, body: { power: 'running' } })
    await call(restartProject, { params })
    const domain = await call(createDomain, { params, body: { domain: 'shop.example.com' } })
    await call(changeProjectDomain, { params, body: { domain: 'new.example.com' } })
    await call(createDomain, { params, body: { domain: 'other.example.com' } })
    expect(domain.role).toBe('primary')
    await call(deleteProject, { params })
    const items = await ofProject({ call }, id)
    expect(facts(items)).toEqual([
      ['project_created', null, null, null],
      ['project_renamed', null, 'First', 'Second'],
      ['project_stopped', null, null, null],
      ['project_started', null, null, null],
      ['project_restarted', null, null, null],
      ['domain_added', 'shop.example.com', null, null],
      ['domain_primary', null, 'shop.example.com', 'new.example.com'],
      ['domain_added', 'other.example.com', null, null],
      ['project_deleted', null, null, null],
    ])
    expect(items[0]).toMatchObject({
      actor: { kind: 'user', id: userId, name },
      project: { name: 'Second' },
      team: { id: teamId },
      createdAt: world.clock.now().toISOString(),
    })
  })

  it('names the first of many variables, and how many more there are', async () => {
    const { call, teamId } = await world.user()
    const { id } = await world.project({ teamId })
    const params = { id }
    const names = Array.from({ length: 100 }, (_, index) => `V${index}_`.padEnd(100, 'X'))
    const set = Object.fromEntries(names.map((name) => [name, '']))
    await call(changeEnvironment, { params, body: { set } })
    await call(changeEnvironment, { params, body: { remove: names.slice(0, 3) } })
    expect(facts(await ofProject({ call }, id))).toEqual([
      ['variables_set', `${names[0]}, ${names[1]}, … (+98)`, null, null],
      ['variables_removed', `${names[0]}, ${names[1]}, … (+1)`, null, null],
    ])
  })

  it('names removed domains, variables and clients, but no value of a variable', async () => {
    const { call, teamId } = await world.user()
    const { id } = await world.project({ teamId })
    const params = { id }
    const { id: domainId } = await call(createDomain, { params, body: { domain: 'a.example.com' } })
    await call(deleteDomain, { params: { id, domainId } })
    await call(changeEnvironment, { params, body: { set: { A: 'hidden', B: 'hidden' } } })
    await call(changeEnvironment, {
      params,
      body: { set: { A: 'hidden too' }, remove: ['UNKNOWN'] },
    })
    const body = { set: { A: 'still hidden' }, remove: ['A', 'B', 'B', 'UNKNOWN'] }
    await call(changeEnvironment, { params, body })
    const form = { name: 'Shop', redirectUris: ['http://localhost/callback'] }
    const { client } = await call(createSignInClient, { params, body: form })
    const clientParams = { id, clientId: client.id }
    await call(updateSignInClient, { params: clientParams, body: { ...form, name: 'Store' } })
    const { secret } = await call(createClientSecret, { params: clientParams })
    const secretId = client.secrets[0]?.id ?? ''
    await call(deleteClientSecret, { params: { ...clientParams, secretId } })
    await call(deleteSignInClient, { params: clientParams })
    const items = await ofProject({ call }, id)
    expect(facts(items)).toEqual([
      ['domain_added', 'a.example.com', null, null],
      ['domain_removed', 'a.example.com', null, null],
      ['variables_set', 'A, B', null, null],
      ['variables_set', 'A', null, null],
      ['variables_set', 'A', null, null],
      ['variables_removed', 'B', null, null],
      ['client_created', 'Shop', null, null],
      ['client_changed', 'Store', null, null],
      ['client_secret_created', 'Store', null, null],
      ['client_secret_revoked', 'Store', null, null],
      ['client_deleted', 'Store', null, null],
    ])
    expect(JSON.stringify(items)).not.toContain('hidden')
    expect(JSON.stringify(items)).not.toContain(secret)
  })

  it('has the settings of a changed domain, before and after', async () => {
    const { call, teamId } = await world.user()
    const { id } = await world.project({ teamId })
    const params = { id }
    await call(createDomain, { params, body: { domain: 'main.example.com' } })
    const { id: domainId } = await call(createDomain, {
      params,
      body: { domain: 'blog.example.com' },
    })
    const change = (body: InputOf<typeof updateDomain>['body']) =>
      call(updateDomain, { params: { id, domainId }, body })
    await change({ role: 'redirect' })
    await change({ redirectStatus: 301 })
    await change({ hsts: true })
    await change({ role: 'redirect', redirectStatus: 301, hsts: true })
    await change({ role: 'primary' })
    await change({ hsts: false })
    expect(facts(await ofProject({ call }, id)).slice(2)).toEqual([
      ['domain_changed', 'blog.example.com', 'alias', 'redirect 308'],
      ['domain_changed', 'blog.example.com', 'redirect 308', 'redirect 301'],
      ['domain_changed', 'blog.example.com', 'redirect 301', 'redirect 301, hsts'],
      ['domain_primary', null, 'main.example.com', 'blog.example.com'],
      ['domain_changed', 'blog.example.com', 'primary, hsts', 'primary'],
    ])
  })

  it('names no operator, and names programs by the user of their token', async () => {
    const owner = await world.user()
    const { id, key } = await world.project({ teamId: owner.teamId })
    await operator.call(suspendProject, { params: { key }, body: { reason: 'unpaid' } })
    await operator.call(resumeProject, { params: { key } })
    const { token } = await owner.call(createPersonalToken, {
      body: { name: 'CI', projectIds: [id] },
    })
    const program = world.client(token)
    await program(restartProject, { params: { id } })
    const items = await ofProject({ call: program }, id)
    expect(facts(items)).toEqual([
      ['project_suspended', null, null, 'unpaid'],
      ['project_resumed', null, null, null],
      ['project_restarted', null, null, null],
    ])
    expect(items.map(({ actor }) => actor)).toEqual([
      { kind: 'token', id: owner.id, name: owner.name },
      { kind: 'operator', id: null, name: null },
      { kind: 'operator', id: null, name: null },
    ])
    expect(JSON.stringify(items)).not.toContain(operator.id)
    // One request of an operator may concern many customers.
    expect(items.map(({ requestId }) => requestId === null)).toEqual([false, true, true])
  })

  it('has the same entries in small pages as in one page', async () => {
    const { call, teamId } = await world.user()
    const { id } = await world.project({ teamId })
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five'])
      await call(renameProject, { params: { id }, body: { name } })
    const pages: (string | null)[][] = []
    let before: string | null | undefined
    do {
      const query = { limit: 2, ...(before ? { before } : {}) }
      const page = await call(listProjectActivity, { params: { id }, query })
      pages.push(page.items.map(({ after }) => after))
      before = page.before
    } while (before !== null)
    expect(pages).toEqual([['Five', 'Four'], ['Three', 'Two'], ['One']])
  })

  it('has the id of the request, which its response names, too', async () => {
    const { token, call, teamId } = await world.user()
    const { id } = await world.project({ teamId })
    const response = await world.app.server.app.inject({
      method: 'POST',
      url: `/api/management/project/restart/${id}`,
      headers: { authorization: `Bearer ${token}` },
    })
    const [entry] = await ofProject({ call }, id)
    expect(entry?.requestId).toBe(response.headers['x-request-id'])
  })

  it('has no entry of a change that failed', async () => {
    const { call, teamId } = await world.user()
    const { id } = await world.project({ teamId })
    const write = world.ctx.write(async (tx) => {
      await recordActivity(world.ctx, tx, {
        kind: 'project_restarted',
        concerns: { project: { id, teamId } },
      })
      throw new Error('the change failed')
    })
    await expect(write).rejects.toThrow('the change failed')
    expect(await ofProject({ call }, id)).toEqual([])
  })
})

describe(title(listTeamActivity), () => {
  it('names who was invited, joined, left and was removed', async () => {
    const owner = await world.user()
    const [member, secondMember] = [await world.user(), await world.user()]
    const { teamId } = owner
    const params = { id: teamId }
    await owner.call(updateTeam, { params, body: { name: 'Studio' } })
    const invite = (email: string) => owner.call(inviteToTeam, { body: { teamId, email } })
    for (const { email } of [member, secondMember]) await invite(email)
    await owner.call(cancelInvitation, { query: { teamId, email: secondMember.email } })
    await invite(secondMember.email)
    await secondMember.call(respondToInvitation, { body: { teamId, accept: false } })
    await invite(secondMember.email)
    for (const { call } of [member, secondMember])
      await call(respondToInvitation, { body: { teamId, accept: true } })
    await member.call(leaveTeam, { params })
    await owner.call(removeFromTeam, { params: { teamId }, query: { userId: secondMember.id } })
    const items = await ofTeam(owner)
    expect(facts(items).map(([kind, subject]) => [kind, subject])).toEqual([
      ['team_created', null],
      ['team_renamed', null],
      ['member_invited', member.email],
      ['member_invited', secondMember.email],
      ['invitation_canceled', secondMember.email],
      ['member_invited', secondMember.email],
      ['invitation_rejected', secondMember.email],
      ['member_invited', secondMember.email],
      ['member_joined', null],
      ['member_joined', null],
      ['member_left', null],
      ['member_removed', secondMember.name],
    ])
    const [rejected] = items.filter(({ kind }) => kind === 'invitation_rejected')
    expect(rejected?.actor).toEqual({ kind: 'service', id: null, name: null })
    const joined = items.filter(({ kind }) => kind === 'member_joined')
    expect(joined.map(({ actor }) => actor.id)).toEqual([secondMember.id, member.id])
  })

  it('shows an entry of a deleted account without a name', async () => {
    const owner = await world.user()
    const [deletedUser] = await world.ctx.db
      .insert(users)
      .values({ ...(await userRow(owner)), id: crypto.randomUUID() as TestUser['id'] })
      .returning()
    if (!deletedUser) throw new Error('the user was not stored')
    await world.ctx.write((tx) =>
      recordActivity(world.ctx, tx, {
        kind: 'member_left',
        concerns: { teamId: owner.teamId },
        actor: deletedUser,
      }),
    )
    await world.ctx.db.delete(users).where(eq(users.id, deletedUser.id))
    const [entry] = await ofTeam(owner)
    expect(entry).toMatchObject({
      kind: 'member_left',
      actor: { kind: 'user', id: null, name: null },
    })
  })
})

/** The row of a user, with an unused address and username. */
async function userRow({ id }: TestUser) {
  const [row] = await world.ctx.db.select().from(users).where(eq(users.id, id))
  if (!row) throw new Error('the user was not stored')
  const unique = crypto.randomUUID()
  return { ...row, email: `${unique}@example.com`, username: unique }
}

describe(title(listActivity), () => {
  it('lists all teams and the account, but no team that the user has left', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await world.join(member, owner.teamId)
    const { id } = await world.project({ teamId: owner.teamId })
    await owner.call(restartProject, { params: { id } })
    const feed = async (user: TestUser) =>
      (await user.call(listActivity, { query: {} })).items.map(({ kind }) => kind)
    expect(await feed(member)).toEqual(['project_restarted', 'team_created', 'team_created'])
    await member.call(leaveTeam, { params: { id: owner.teamId } })
    expect(await feed(member)).toEqual(['team_created'])
  })

  it('has cards and payments for their user alone', async () => {
    const customer = await payer(world)
    const colleague = await world.user()
    await world.join(colleague, customer.teamId)
    const otherCard = await cardOf(customer)
    await customer.call(deletePaymentMethod, { params: { id: otherCard.id } })
    await customer.pay()
    const { items } = await customer.call(listActivity, { query: {} })
    const [invoiceId] = customer.invoiceIds
    expect(facts(items)).toEqual([
      ['team_created', null, null, null],
      ['card_added', '4242', null, null],
      ['card_added', '4242', null, null],
      ['card_removed', '4242', null, null],
      ['invoice_paid', invoiceId, null, '12.50000'],
    ])
    const visible = (await colleague.call(listActivity, { query: {} })).items
    expect(visible.map(({ kind }) => kind)).toEqual(['team_created', 'team_created'])
  })
})

describe('the activity of an account', () => {
  const latest = async (user: TestUser, count: number) =>
    facts((await user.call(listActivity, { query: {} })).items.slice(0, count))

  it('has the default cards before and after, and no entry without a change', async () => {
    const user = await world.user()
    await cardOf(user)
    const { id } = await cardOf(user, { cardNumber: '5555555555554444' })
    await user.call(setDefaultPaymentMethod, { params: { id } })
    await user.call(setDefaultPaymentMethod, { params: { id } })
    expect(await latest(user, 2)).toEqual([
      ['card_added', '4444', null, null],
      ['card_default', null, '4242', '4444'],
    ])
  })

  it('has the billing addresses of a card before and after', async () => {
    const user = await world.user()
    const { id } = await cardOf(user)
    const body = { ...billingFields, city: 'İzmir' }
    for (let times = 0; times < 2; times++)
      await user.call(updatePaymentMethod, { params: { id }, body })
    const lineOf = ({ billingName, address, district, city, country, taxNumber }: typeof body) =>
      [billingName, address, district, city, country, taxNumber].join(', ')
    expect(await latest(user, 2)).toEqual([
      ['card_added', '4242', null, null],
      ['card_changed', '4242', lineOf(billingFields), lineOf(body)],
    ])
  })

  it('has a refund once, by the support team', async () => {
    const user = await world.user()
    const { id } = await refundOf(world, user)
    for (let times = 0; times < 2; times++) await operator.call(markRefunded, { params: { id } })
    const { items } = await user.call(listActivity, { query: {} })
    const refunds = items.filter(({ kind }) => kind === 'payment_refunded')
    expect(refunds).toMatchObject([
      { subject: '4242', before: null, after: '12.50', actor: { kind: 'operator', id: null } },
    ])
  })
})

/** Makes the database reject entries of a kind until the returned function is called. */
async function rejectEntries(kind: ActivityKind) {
  const { db } = world.ctx
  await db.execute(
    sql.raw(`alter table activity add constraint rejected check (kind <> '${kind}') not valid`),
  )
  let isRejecting = true
  async function accept() {
    if (isRejecting) await db.execute(sql`alter table activity drop constraint rejected`)
    isRejecting = false
  }
  onTestFinished(accept)
  return accept
}

describe('a change and its entry are stored together or not at all', () => {
  it('a failed creation of a project and its entry are stored together', async () => {
    const owner = await world.user()
    const body = { name: 'Shop', teamId: owner.teamId, regionId: 'eu' }
    const { id } = await owner.call(createProject, { body })
    const down = () => Promise.reject(new ClusterUnreachableError('down'))
    const ctx = { ...world.ctx, engine: { ...world.ctx.engine, apply: down, remove: down } }
    const stateOf = async () => (await findForReconciler(world.ctx.db, id))?.state
    await settle(ctx, id)
    world.clock.forward(6 * minute)

    const accept = await rejectEntries('project_failed')
    await expect(settle(ctx, id)).rejects.toThrow()
    expect(await stateOf()).toBe('creating')
    await accept()
    await settle(ctx, id)
    expect(await stateOf()).toBe('failed_creating')
    const [entry] = await ofProject(owner, id)
    expect(entry).toMatchObject({
      kind: 'project_failed',
      after: 'cluster_unreachable',
      actor: { kind: 'service' },
    })
  })

  it('an issued invoice and its entry are stored together', async () => {
    const customer = await world.user()
    await usageOf(world, customer, world.clock.now())
    world.clock.forward(hour)
    const list = async () => (await customer.call(listInvoices, { query: {} })).items

    const accept = await rejectEntries('invoice_issued')
    await expect(issue(world.ctx, customer.id, 'now')).rejects.toThrow()
    expect(await list()).toEqual([])
    await accept()
    await issue(world.ctx, customer.id, 'now')
    const [invoice] = await list()
    const [entry] = (await customer.call(listActivity, { query: {} })).items
    expect(entry).toMatchObject({
      kind: 'invoice_issued',
      subject: invoice?.id,
      after: invoice?.amount,
      actor: { kind: 'service' },
    })
  })

  it('a failed payment and its entry are stored together', async () => {
    const customer = await payer(world, { cardNumber: declined })
    const id = onlyInvoice(customer)

    const accept = await rejectEntries('invoice_unpaid')
    await expect(customer.pay()).rejects.toThrow()
    expect(await invoiceState(world, id)).toMatchObject({ state: 'in_progress' })
    await accept()
    const { id: paymentId } = await paymentOf(world, customer)
    world.clock.forward(minute)
    await resolve(world.ctx, paymentId)
    expect(await invoiceState(world, id)).toMatchObject({ failure: 'card_declined' })
    const [entry] = (await customer.call(listActivity, { query: {} })).items
    expect(entry).toMatchObject({ kind: 'invoice_unpaid', subject: id, after: 'card_declined' })
  })

  it('deleted credentials of a registry and their entry are stored together', async () => {
    const owner = await world.user()
    const params = { id: owner.teamId }
    const body = { host: 'ghcr.io', username: 'acme', password: 'a-password-8' }
    const { id: registryId } = await owner.call(setRegistry, { params, body })
    const remove = () => owner.call(deleteRegistry, { params: { ...params, registryId } })

    const accept = await rejectEntries('registry_deleted')
    await expect(remove()).rejects.toThrow()
    expect(await owner.call(listRegistries, { params })).toHaveLength(1)
    await accept()
    await remove()
    expect(await owner.call(listRegistries, { params })).toEqual([])
    const [entry] = await ofTeam(owner)
    expect(entry).toMatchObject({
      kind: 'registry_deleted',
      subject: 'ghcr.io',
      actor: { kind: 'user', id: owner.id },
    })
  })
})

describe('removeOld', () => {
  it('removes entries after the days of ACTIVITY_KEEP_DAYS, and none with 0', async () => {
    const { teamId } = await world.user()
    const count = () => world.ctx.db.$count(activity, eq(activity.teamId, teamId))
    world.clock.forward(30 * day)
    await removeOld(world.ctx)
    expect(await count()).toBe(1)
    world.clock.forward(1)
    await removeOld({ ...world.ctx, env: { ...world.env, ACTIVITY_KEEP_DAYS: 0 } })
    expect(await count()).toBe(1)
    await removeOld(world.ctx)
    expect(await count()).toBe(0)
  })
})
