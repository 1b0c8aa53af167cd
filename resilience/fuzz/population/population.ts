import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { getProfile, type UserId } from '@slipway/contract/account'
import { forgotPassword } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { ApiError, type Client, createClient } from '@slipway/contract/client'
import { createDomain } from '@slipway/contract/domains'
import { createAuthorizationCode } from '@slipway/contract/login-provider'
import { createPaymentMethod } from '@slipway/contract/payment-method-forms'
import { createPersonalToken, requestDevice } from '@slipway/contract/personal-tokens'
import {
  createProject,
  type Project,
  type ProjectId,
  viewProject,
} from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import { addRuntimeVersion } from '@slipway/contract/runtimes'
import { logout } from '@slipway/contract/sessions'
import { createSignInClient } from '@slipway/contract/sign-in-clients'
import { createTicket } from '@slipway/contract/support'
import {
  inviteToTeam,
  listTeams,
  respondToInvitation,
  type TeamId,
  viewTeam,
} from '@slipway/contract/teams'
import { findByEmail } from '../../../apps/server/src/modules/account/account.service.ts'
import { storeFailedEmail } from '../../../apps/server/src/modules/mail/mail.fixture.ts'
import { cardForm } from '../../../apps/server/src/modules/payment-methods/payment-methods.fixture.ts'
import { personalTokens } from '../../../apps/server/src/modules/personal-tokens/personal-tokens.schema.ts'
import {
  setVersion,
  wordPressArchive,
} from '../../../apps/server/src/modules/runtime-versions/runtime-versions.fixture.ts'
import { attempts } from '../../../apps/server/src/modules/throttle/throttle.schema.ts'
import { zipOf } from '../../../apps/server/src/testing/archives.ts'
import { tokenPage, withAccessToken } from '../../../apps/server/src/testing/oauth-pages.ts'
import { until } from '../../../apps/server/src/testing/until.ts'
import { seedInvoice } from '../../../bench/harness/seed.ts'
import { insertSession, insertSessionRow, insertUser } from '../../../e2e/harness/insert-user.ts'
import { mailedToken } from '../../../e2e/harness/mailbox.ts'
import { operatorEmail } from '../../../e2e/harness/operator.ts'
import { createUser, newEmail, password } from '../../../e2e/harness/user.ts'
import type { Oracle } from '../checks/foreign-data.ts'
import type { Product } from '../product.ts'
import type { Call } from '../requests/calls.ts'
import { codeChallenge, codeVerifier } from '../requests/valid-values.ts'
import { Reference, type ResourceKind, type Value } from '../requests/value.ts'
import { type CallerName, markers, type Owner, ownersFor } from './callers.ts'
import { seedExternalCode } from './external-codes.ts'
import { createResources } from './resources.ts'
import { seedRefund } from './seed-refund.ts'

type Member = {
  name: CallerName
  /** The owner of the team's shared resources. */
  team: Owner
  id: UserId
  email: string
  teamId: TeamId
  token: string
  call: Client
}

export type Population = Awaited<ReturnType<typeof createPopulation>>

/** Tokens and codes that any caller may use: their accounts send no requests. */
const sharedKinds: ReadonlySet<ResourceKind> = new Set([
  'verifyToken',
  'resetToken',
  'bearerToken',
  'externalCode',
  'userCode',
  'deviceCode',
])

/** Users of two teams, an operator and others, with data of every kind. */
export async function createPopulation({ dataDir, database, server }: Product, oracle: Oracle) {
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

  const untilReady = (call: Client, { key }: Project) =>
    until(async () => {
      const { state, failure } = await call(viewProject, { params: { key } })
      if (failure !== null) throw new Error(`${key} is ${state}: ${failure}`)
      return state === 'ready'
    })

  /** A project that no generated request can change: its site and its key stay. */
  async function addLastingProject({ team, teamId, call }: Member): Promise<Project> {
    const name = `Lasting ${markers[team]}`
    const project = await call(createProject, {
      body: { name, teamId, regionId: 'eu', domain: null },
    })
    await untilReady(call, project)
    oracle.own(project.id, team)
    resources.add(team, 'projectKey', project.key)
    resources.add(team, 'siteKey', project.key)
    resources.add(team, 'siteUrl', project.defaultUrl)
    return project
  }

  async function idOf(email: string) {
    const user = await findByEmail(database.db, email)
    if (!user) throw new Error(`${email} has no account`)
    return user.id
  }

  /** The secret with which a project's site authenticates at the login provider. */
  async function clientSecretOf(key: string): Promise<string> {
    const text = await readFile(join(dataDir, 'sites', key, 'site.json'), 'utf8')
    return JSON.parse(text).signIn.clientSecret
  }

  /** A project with releases that no generated request can delete. */
  async function addReleasedProject({ team, teamId, call }: Member) {
    const name = `Released ${markers[team]}`
    const { id } = await call(createProject, {
      body: { name, teamId, regionId: 'eu', domain: null },
    })
    for (const version of ['one', 'two', 'three']) {
      const zip = new Uint8Array(zipOf({ 'index.html': version }))
      const body = new Blob([zip], { type: 'application/zip' })
      const { number } = await call(createRelease, { params: { id }, query: {}, body })
      await until(async () => {
        const query = { params: { id, number: String(number) } }
        const { state, failure } = await call(viewRelease, query)
        if (failure !== null) throw new Error(`release ${number} failed: ${failure}`)
        return state === 'live'
      })
      resources.add(team, 'releaseNumber', String(number))
    }
    resources.add(team, 'releasedProject', id)
  }

  /** A project with domains that no generated request can delete. */
  async function addDomainProject({ team, teamId, call }: Member) {
    const name = `Named ${markers[team]}`
    const { id } = await call(createProject, {
      body: { name, teamId, regionId: 'eu', domain: null },
    })
    for (const label of ['www', 'blog', 'shop']) {
      const body = { domain: `${label}-${teamId}.example.com` }
      resources.add(team, 'domain', (await call(createDomain, { params: { id }, body })).id)
    }
    resources.add(team, 'domainProject', id)
  }

  /** A project with a client that no generated request can delete with its project. */
  async function addClientProject({ team, teamId, call }: Member) {
    const name = `Clients ${markers[team]}`
    const { id } = await call(createProject, {
      body: { name, teamId, regionId: 'eu', domain: null },
    })
    const body = { name: 'Client', redirectUris: ['http://localhost/callback'] }
    const { client } = await call(createSignInClient, { params: { id }, body })
    resources.add(team, 'signInClient', client.id)
    for (const secret of client.secrets) resources.add(team, 'signInSecret', secret.id)
    resources.add(team, 'clientProject', id)
  }

  /** Adds a version of WordPress whose files cannot run. */
  async function addVersion(version: string) {
    const params = { runtime: 'wordpress' } as const
    return operator.call(addRuntimeVersion, { params, body: wordPressArchive(version) })
  }

  /**
   * A static site whose row says WordPress: not every machine can run WordPress, but every machine
   * can update this site.
   */
  async function addVersionedProject({ team, teamId, call }: Member, artifact: string) {
    const name = `Versioned ${markers[team]}`
    const project = await call(createProject, {
      body: { name, teamId, regionId: 'eu', domain: null, runtime: 'static' },
    })
    await untilReady(call, project)
    await setVersion(database.db, project.id, artifact)
    resources.add(team, 'versionedProject', project.id)
  }

  const ada = await addMember('ada', newEmail())
  const alan = await addMember('alan', newEmail())
  const bea = await addMember('bea', newEmail())
  const bob = await addMember('bob', newEmail())
  const operator = await addMember('operator', operatorEmail)
  oracle.publish(operator.id)
  const prepareTeam = async (owner: Member, joined: Member) => {
    const project = await addLastingProject(owner)
    const secret = await clientSecretOf(project.key)
    resources.add(owner.team, 'clientSecret', secret)
    return { owner, joined, project, secret }
  }
  const teams = [await prepareTeam(ada, alan), await prepareTeam(bea, bob)]
  for (const { owner } of teams) await addReleasedProject(owner)
  for (const { owner } of teams) await addDomainProject(owner)
  for (const { owner } of teams) await addClientProject(owner)
  const { digest } = await addVersion('6.1.9')
  for (const { owner } of teams) await addVersionedProject(owner, digest)
  const lostProject = await addLastingProject(operator)
  resources.add('operator', 'keyOfLostProject', lostProject.key)
  const externalUser = await createUser(url, { name: 'External Example' })
  const { id: externalUserId } = await externalUser.call(getProfile)
  const unverified = await createUser(url, { name: `Una ${markers.unverified}`, verified: false })
  const unverifiedId = await idOf(unverified.email)
  const leaver = await createUser(url)
  await leaver.call(logout)
  const forgetful = await createUser(url, { name: 'Forgetful Example' })

  /** Invites a user to a team, unless the user is a member or already invited. */
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
    resources.add(name, 'pairedTicket', id)
    resources.add(name, 'pairedMessage', messages[0]?.id ?? '')
    for (const message of messages) resources.add(name, 'message', message.id)
  }

  /** Adds a card, and a charge of it that an operator has to refund. */
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
  let unverifiedToken = unverified.token

  async function renewSession(name: CallerName) {
    const member = members.get(name)
    if (!member) return
    member.token = await insertSession(database, member.id)
    // Another session, which generated requests may end.
    resources.add(name, 'session', (await insertSessionRow(database, member.id)).id)
  }

  /** A personal token to delete, and another one for all projects or one to authenticate with. */
  async function renewPersonalTokens({ name, call }: Member, projectIds: ProjectId[] | null) {
    const { personalToken } = await call(createPersonalToken, {
      body: { name: `Example ${markers[name]}`, projectIds: null },
    })
    resources.add(name, 'personalToken', personalToken.id)
    const { token } = await call(createPersonalToken, {
      body: { name: `Example ${markers[name]}`, projectIds },
    })
    resources.add(name, 'personalTokenSecret', token)
  }

  /** A login of a program that waits for its user: any caller who has its codes may use them. */
  async function addDeviceLogin() {
    const { userCode, deviceCode } = await guest(requestDevice, { body: { name: 'A program' } })
    resources.add('guest', 'userCode', userCode)
    resources.add('guest', 'deviceCode', deviceCode)
  }

  /** Renews used-up resources: sessions, memberships, limits, unpaid invoices. */
  async function replenish() {
    await database.db.delete(attempts)
    for (const name of members.keys()) await renewSession(name)
    unverifiedToken = await insertSession(database, unverifiedId)
    await database.db.delete(personalTokens)
    for (let count = 0; count < 3; count++) await addDeviceLogin()
    resources.add('guest', 'bearerToken', unverifiedToken)
    for (let count = 0; count < 3; count++) {
      resources.add('guest', 'externalCode', await seedExternalCode(database.db, externalUserId))
      const email = await storeFailedEmail({ ctx: database, clock: { now: () => new Date() } })
      resources.add('operator', 'mail', email.id)
    }
    for (const team of teams) {
      await rejoin(team)
      await addSiteSignIn(team)
      await renewPersonalTokens(team.owner, null)
      await renewPersonalTokens(team.joined, [team.project.id])
      month++
      for (const member of [team.owner, team.joined])
        resources.add(
          member.name,
          'invoice',
          await seedInvoice(database.db, member.id, team.project.key, month),
        )
    }
  }

  /** Removes the folder of the operator's site, unless it is lost already or created again. */
  async function loseSite() {
    const { state, failure } = await operator.call(viewProject, {
      params: { key: lostProject.key },
    })
    if (state === 'ready' && failure === null)
      await rm(join(dataDir, 'sites', lostProject.key), { recursive: true, force: true })
  }

  /** Codes of the site's sign-in, one of them redeemed for an access token. */
  async function addSiteSignIn({ owner: { team, call }, project, secret }: (typeof teams)[number]) {
    const request = {
      client_id: project.key,
      redirect_uri: project.defaultUrl,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }
    const createCode = async () => (await call(createAuthorizationCode, { body: request })).token
    for (let codes = 0; codes < 4; codes++)
      resources.add(team, 'authorizationCode', await createCode())
    const response = await fetch(`${url}/api${tokenPage.path}`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: await createCode(),
        client_id: project.key,
        client_secret: secret,
        redirect_uri: project.defaultUrl,
        code_verifier: codeVerifier,
      }),
    })
    const { access_token: token } = (await response.json()) as { access_token?: string }
    if (token === undefined) throw new Error(`a code was not redeemed: ${response.status}`)
    resources.add(team, 'accessToken', token)
  }

  /** A project that generated requests may change, unless the team has one or its limit is met. */
  async function addProject({ team, teamId, call }: Member) {
    if (resources.has(team, 'project')) return
    const body = { name: `Example ${markers[team]}`, teamId, regionId: 'eu', domain: null }
    const project = await call(createProject, { body }).catch((error) => {
      if (error instanceof ApiError && error.code === 'project_limit_reached') return null
      throw error
    })
    if (project) resources.add(team, 'project', project.id)
  }

  /** Also renews resources that take more time: tickets, cards and emailed tokens. */
  async function replenishAll() {
    await replenish()
    await loseSite()
    for (const { owner } of teams) await addProject(owner)
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
    'ended session': leaver.token,
    'forged token': 'x'.repeat(43),
  }

  return {
    resources,
    members: [ada, alan, bea, bob],
    renewSession,
    replenish,
    replenishAll,
    /** The hosts of the sites that no request deletes, with a text of their home page. */
    sites: teams.map(({ project, owner }) => ({
      host: new URL(project.defaultUrl).host,
      marker: markers[owner.team] ?? '',
    })),
    /** The token of a caller; for the claims of a site's user, a token of the site. */
    tokenOf({ caller, endpoint, credential }: Pick<Call, 'caller' | 'endpoint' | 'credential'>) {
      if (withAccessToken.has(endpoint))
        return resources.find(new Reference('accessToken', 'own', 0), ownersFor(caller))
      if (credential === 'personal token')
        return resources.find(new Reference('personalTokenSecret', 'own', 0), [caller])
      if (caller === 'unverified') return unverifiedToken
      return members.get(caller)?.token ?? tokens[caller]
    },

    /** The value of a reference for a caller. */
    lookUp(reference: Reference, caller: CallerName): Promise<Value> | Value {
      if (reference.kind === 'captcha') return solvedCaptcha()
      if (reference.kind === 'password' && reference.ownership === 'own') return password
      const owners = ownersFor(sharedKinds.has(reference.kind) ? 'guest' : caller)
      const value = resources.find(reference, owners)
      return reference.kind === 'releaseNumber' ? Number(value) : value
    },
  }
}
