import { getProfile, type UserId } from '@slipway/contract/account'
import { forgotPassword } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { ApiError, type Client, createClient } from '@slipway/contract/client'
import { createPaymentMethod } from '@slipway/contract/payment-methods'
import { createProject, type Project, viewProject } from '@slipway/contract/projects'
import { logout } from '@slipway/contract/sessions'
import { createTicket } from '@slipway/contract/support'
import {
  inviteToTeam,
  listTeams,
  respondToInvitation,
  type TeamId,
  viewTeam,
} from '@slipway/contract/teams'
import { cardForm } from '../../../apps/server/src/modules/payment-methods/payment-methods.fixture.ts'
import { attempts } from '../../../apps/server/src/modules/throttle/throttle.schema.ts'
import { until } from '../../../apps/server/src/testing/until.ts'
import { seedInvoice } from '../../../bench/harness/seed.ts'
import { insertSession, insertUser } from '../../../e2e/harness/insert-user.ts'
import { mailedToken } from '../../../e2e/harness/mailbox.ts'
import { operatorEmail } from '../../../e2e/harness/operator.ts'
import { createUser, newEmail, password } from '../../../e2e/harness/user.ts'
import type { Oracle } from '../checks/foreign-data.ts'
import type { Product } from '../product.ts'
import type { Reference, Value } from '../requests/value.ts'
import { type CallerName, markers, type Owner, ownersFor } from './callers.ts'
import { createResources } from './resources.ts'
import { seedRefund } from './seed-refund.ts'

type Member = {
  name: CallerName
  /** The owner of what the whole team may see. */
  team: Owner
  id: UserId
  email: string
  teamId: TeamId
  token: string
  call: Client
}

export type Population = Awaited<ReturnType<typeof createPopulation>>

/** Users of two teams, an operator and others, with data of every kind. */
export async function createPopulation({ database, server }: Product, oracle: Oracle) {
  const { url } = server
  const resources = createResources(oracle.own)
  const members = new Map<CallerName, Member>()
  const guest = createClient({ base: `${url}/api`, token: () => null, locale: () => 'en' })

  async function addMember(name: CallerName, email: string): Promise<Member> {
    const [team = name] = ownersFor(name)
    const user = await insertUser(database, url, {
      name: `${name} ${markers[team] ?? ''}`.trim(),
      email,
    })
    const member = { name, team, email, token: user.token }
    const call = createClient({
      base: `${url}/api`,
      token: () => members.get(name)?.token ?? user.token,
      locale: () => 'en',
    })
    const { id } = await call(getProfile)
    const [ownTeam] = await call(listTeams)
    if (!ownTeam) throw new Error('a user without a team')
    resources.add(team, 'user', id)
    resources.add(team, 'team', ownTeam.id)
    resources.add(team, 'email', email)
    const added = { ...member, id, teamId: ownTeam.id, call }
    members.set(name, added)
    return added
  }

  /** A project that no generated request can change: its site and its key stay. */
  async function addLastingProject({ team, teamId, call }: Member): Promise<Project> {
    const name = `Lasting ${markers[team]}`
    const project = await call(createProject, {
      body: { name, teamId, regionId: 'eu', domain: null },
    })
    await until(async () => {
      const { state, failure } = await call(viewProject, { params: { key: project.key } })
      if (failure !== null) throw new Error(`${project.key} is ${state}: ${failure}`)
      return state === 'ready'
    })
    oracle.own(project.id, team)
    resources.add(team, 'projectKey', project.key)
    resources.add(team, 'siteUrl', project.defaultUrl)
    return project
  }

  const ada = await addMember('ada', newEmail())
  const alan = await addMember('alan', newEmail())
  const bea = await addMember('bea', newEmail())
  const bob = await addMember('bob', newEmail())
  const operator = await addMember('operator', operatorEmail)
  oracle.publish(operator.id)
  const teams = [
    { owner: ada, joined: alan, project: await addLastingProject(ada) },
    { owner: bea, joined: bob, project: await addLastingProject(bea) },
  ]
  const unverified = await createUser(url, { name: `Una ${markers.unverified}`, verified: false })
  resources.add('unverified', 'bearerToken', unverified.token)
  const leaver = await createUser(url)
  await leaver.call(logout)
  const forgetful = await createUser(url, { name: 'Forgetful Example' })

  /** Invites to a team; no effect on members and invitees. */
  async function invite({ call }: Member, body: { teamId: TeamId; email: string }) {
    await call(inviteToTeam, { body }).catch((error) => {
      const codes = ['already_invited', 'already_joined']
      if (!(error instanceof ApiError && codes.includes(error.code))) throw error
    })
  }

  /** Joins the team again after a generated request removed the member. */
  async function rejoin({ owner, joined }: { owner: Member; joined: Member }) {
    const { users } = await owner.call(viewTeam, { params: { id: owner.teamId } })
    if (users.some(({ id }) => id === joined.id)) return
    const { teamId } = owner
    await invite(owner, { teamId, email: joined.email })
    await joined.call(respondToInvitation, { body: { teamId, accept: true } })
  }

  async function addTicket({ name, call }: Member) {
    const { id, messages } = await call(createTicket, {
      body: { subject: `Example ${markers[name]}`, message: `Example ${markers[name]}` },
    })
    resources.add(name, 'ticket', id)
    for (const message of messages) resources.add(name, 'message', message.id)
  }

  /** A card; and a charge of it that an operator has to refund. */
  async function addCard({ id, name, call }: Member) {
    const body = cardForm({ billingName: `Example ${markers[name]}` })
    const card = await call(createPaymentMethod, { body }).catch((error) => {
      if (error instanceof ApiError && error.code === 'payment_method_limit_reached') return null
      throw error
    })
    if (!card) return
    resources.add(name, 'paymentMethod', card.id)
    resources.add('operator', 'payment', await seedRefund(database.db, id, card))
  }

  let month = 0

  async function renewSession(name: CallerName) {
    const member = members.get(name)
    if (member) member.token = await insertSession(database, member.id)
  }

  /** Renews what generated requests use up: sessions, memberships, limits, unpaid invoices. */
  async function replenish() {
    await database.db.delete(attempts)
    for (const name of members.keys()) await renewSession(name)
    for (const team of teams) {
      await rejoin(team)
      month++
      for (const member of [team.owner, team.joined])
        resources.add(
          member.name,
          'invoice',
          await seedInvoice(database.db, member.id, team.project.key, month),
        )
    }
  }

  /** The same for what costs more: tickets, cards and emailed tokens. */
  async function replenishAll() {
    await replenish()
    for (const { owner, joined } of teams)
      for (const member of [owner, joined]) {
        await addTicket(member)
        await addCard(member)
      }
    for (const { owner, joined } of teams)
      await invite(joined, { teamId: joined.teamId, email: owner.email })
    const { email } = await createUser(url, { verified: false })
    resources.add('guest', 'verifyToken', await mailedToken(url, email, 'verify'))
    await guest(forgotPassword, { body: { email: forgetful.email } })
    resources.add('guest', 'resetToken', await mailedToken(url, forgetful.email, 'reset-password'))
    await database.db.delete(attempts)
  }

  async function solvedCaptcha() {
    const challenge = await guest(getCaptchaChallenge)
    const number = solveCaptcha(challenge)
    return { ...challenge, number }
  }

  const tokens: Partial<Record<CallerName, string>> = {
    unverified: unverified.token,
    'ended session': leaver.token,
    'forged token': 'x'.repeat(43),
  }

  return {
    resources,
    members: [ada, alan, bea, bob],
    renewSession,
    replenish,
    replenishAll,
    /** Hosts of the sites that stay, with a text that their home page has. */
    sites: teams.map(({ project, owner }) => ({
      host: new URL(project.defaultUrl).host,
      marker: markers[owner.team] ?? '',
    })),
    tokenOf: (caller: CallerName) => members.get(caller)?.token ?? tokens[caller],

    /** What a reference means for a caller. */
    lookUp(reference: Reference, caller: CallerName): Promise<Value> | Value {
      if (reference.kind === 'captcha') return solvedCaptcha()
      if (reference.kind === 'password' && reference.whose === 'own') return password
      // Emailed tokens belong to accounts that call nothing.
      const mailed = reference.kind === 'verifyToken' || reference.kind === 'resetToken'
      return resources.find(reference, ownersFor(mailed ? 'guest' : caller))
    },
  }
}
