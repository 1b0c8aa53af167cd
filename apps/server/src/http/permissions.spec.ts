import { randomUUID } from 'node:crypto'
import { getProfile, updateProfileName } from '@slipway/contract/account'
import {
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
} from '@slipway/contract/account-security'
import { listActivity, listProjectActivity, listTeamActivity } from '@slipway/contract/activity'
import {
  changeClusterState,
  getClusterCheck,
  listClusters,
  startClusterCheck,
} from '@slipway/contract/clusters'
import {
  checkDomains,
  createDomain,
  deleteDomain,
  listDomains,
  updateDomain,
} from '@slipway/contract/domains'
import { listStuckEmails, retryEmail } from '@slipway/contract/emails'
import type { Endpoint, RequestOf } from '@slipway/contract/endpoint'
import { changeEnvironment, listEnvironment } from '@slipway/contract/environment'
import type { ErrorCode } from '@slipway/contract/errors'
import { createSocketTicket } from '@slipway/contract/events'
import {
  downloadInvoice,
  getActiveInvoice,
  listInvoices,
  listUnpaidInvoices,
  payInvoices,
  viewInvoice,
} from '@slipway/contract/invoices'
import { createAuthorizationCode } from '@slipway/contract/login-provider'
import { viewProjectLogs } from '@slipway/contract/logs'
import { viewNextSteps } from '@slipway/contract/next-steps'
import {
  listOlderOperatorMessages,
  listOperatorTickets,
  replyToTicket,
  resumeProject,
  startProjectEmpty,
  suspendProject,
  viewOperatorProject,
  viewOperatorTicket,
} from '@slipway/contract/operator'
import { createPaymentMethod, updatePaymentMethod } from '@slipway/contract/payment-method-forms'
import {
  deletePaymentMethod,
  listPaymentMethods,
  type PaymentMethod,
  setDefaultPaymentMethod,
} from '@slipway/contract/payment-methods'
import {
  approveDevice,
  createPersonalToken,
  deleteCurrentPersonalToken,
  deletePersonalToken,
  denyDevice,
  getCurrentPersonalToken,
  listPersonalTokens,
  viewDevice,
} from '@slipway/contract/personal-tokens'
import {
  changeDiscount,
  changePrice,
  getInvoiceRun,
  issueInvoices,
  listProducts,
} from '@slipway/contract/products'
import { getProjectMove, startProjectMove } from '@slipway/contract/project-moves'
import {
  changeProjectDomain,
  changeProjectPower,
  createProject,
  deleteProject,
  listProjects,
  projectPrice,
  renameProject,
  restartProject,
  retryProject,
  viewProject,
} from '@slipway/contract/projects'
import { listRefunds, markRefunded } from '@slipway/contract/refunds'
import { listRegions } from '@slipway/contract/regions'
import { deleteRegistry, listRegistries, setRegistry } from '@slipway/contract/registries'
import {
  createRelease,
  deployImage,
  listReleases,
  rollBackRelease,
  updateVersion,
  viewRelease,
} from '@slipway/contract/releases'
import { addRuntimeVersion, listRuntimes, listRuntimeVersions } from '@slipway/contract/runtimes'
import { serviceLimits } from '@slipway/contract/service-limits'
import { getSession, logout } from '@slipway/contract/sessions'
import {
  createClientSecret,
  createSignInClient,
  deleteClientSecret,
  deleteSignInClient,
  listSignInClients,
  updateSignInClient,
} from '@slipway/contract/sign-in-clients'
import {
  createSiteBackup,
  downloadSiteBackup,
  listSiteBackups,
  restoreSiteBackup,
} from '@slipway/contract/site-backups'
import {
  countUnreadTickets,
  createTicket,
  listOlderMessages,
  listTickets,
  markTicketRead,
  resolveTicket,
  sendTicketMessage,
  viewTicket,
} from '@slipway/contract/support'
import {
  cancelInvitation,
  inviteToTeam,
  leaveTeam,
  listInvitations,
  listTeams,
  removeFromTeam,
  respondToInvitation,
  updateTeam,
  viewTeam,
} from '@slipway/contract/teams'
import { viewTraffic } from '@slipway/contract/traffic'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { domains } from '../modules/domains/domains.schema.ts'
import { invoiceOf } from '../modules/invoices/invoices.fixture.ts'
import { storeFailedEmail } from '../modules/mail/mail.fixture.ts'
import {
  billingFields,
  cardForm,
  cardOf,
} from '../modules/payment-methods/payment-methods.fixture.ts'
import { refundOf } from '../modules/payments/payments.fixture.ts'
import { archive, releaseOf } from '../modules/releases/releases.fixture.ts'
import {
  insertVersion,
  wordPressArchive,
} from '../modules/runtime-versions/runtime-versions.fixture.ts'
import { offerAllRuntimes } from '../modules/runtimes/runtimes.fixture.ts'
import { backupOf } from '../modules/site-backups/site-backups.fixture.ts'
import { title } from '../testing/declared-endpoints.ts'
import { outcome } from '../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../testing/world.ts'

const roles = ['stranger', 'invitee', 'member', 'owner', 'removed', 'operator'] as const
type Role = (typeof roles)[number]

/** `ok`, `nothing` for a response without the resource, or the error. */
type Outcome = 'ok' | 'nothing' | ErrorCode
type Outcomes = Record<Role, Outcome>

const outcomesOf = (of: (role: Role) => Outcome) =>
  Object.fromEntries(roles.map((role) => [role, of(role)])) as Outcomes

const only = (allowed: readonly Role[], otherwise: Outcome) =>
  outcomesOf((role) => (allowed.includes(role) ? 'ok' : otherwise))
const everyoneMay = outcomesOf(() => 'ok')
/** Operators get `item_not_found`, because this world has no such cluster or move. */
const withoutCluster = outcomesOf((role) => (role === 'operator' ? 'item_not_found' : 'forbidden'))
const nobodyMay = (outcome: Outcome) => outcomesOf(() => outcome)

let world: World
let operator: TestUser
beforeAll(async () => {
  const email = 'operator@example.com'
  world = await createWorld({ OPERATOR_EMAILS: [email] })
  offerAllRuntimes(world)
  operator = await world.user({ email })
})
afterAll(() => world.close())

/**
 * A team with a user of each role and a colleague, who is one more member. `removed` was a member,
 * `invitee` has not responded, `operator` is only in their own team.
 */
async function newScene() {
  const { user, join, invite } = world
  const [stranger, invitee, member] = [await user(), await user(), await user()]
  const [owner, removed, colleague] = [await user(), await user(), await user()]
  const { teamId } = owner
  for (const joined of [member, removed, colleague]) await join(joined, teamId)
  await invite(invitee, teamId)
  const removal = { params: { teamId }, query: { userId: removed.id } }
  await owner.call(removeFromTeam, removal)
  const users: Record<Role, TestUser> = { stranger, invitee, member, owner, removed, operator }
  return { users, teamId, owner, invitee, colleague }
}
type Scene = Awaited<ReturnType<typeof newScene>>

/** A request, and a text that its response contains when it shows the resource. */
type Example<E extends Endpoint> = { request: RequestOf<E>; shows?: string | RegExp }
type BuildExample<E extends Endpoint> = (scene: Scene) => Promise<Example<E>>

/** The outcomes of a request to an endpoint. `build` is called for each role. */
const row = <E extends Endpoint>(endpoint: E, outcomes: Outcomes, build: BuildExample<E>) => ({
  endpoint: endpoint as Endpoint,
  outcomes,
  build: build as unknown as BuildExample<Endpoint>,
})

const aboutTeam =
  <Request>(make: (scene: Scene) => Request) =>
  async (scene: Scene) => ({
    request: make(scene),
    shows: scene.teamId,
  })

const aboutProject =
  <Request>(make: (project: { id: string; key: string }) => Request) =>
  async ({ teamId }: Scene) => {
    const project = await world.project({ teamId })
    return { request: make(project), shows: project.id }
  }

/** A project of the team with a domain, whose response shows the host. */
const aboutDomain =
  <Request>(make: (domain: { id: string; domainId: string }) => Request) =>
  async ({ teamId }: Scene) => {
    const domain = `${randomUUID()}.example.com`
    const { id } = await world.project({ teamId, domain })
    const [row] = await world.ctx.db.select().from(domains).where(eq(domains.host, domain))
    return { request: make({ id, domainId: row?.id ?? '' }), shows: domain }
  }

const registryForm = { host: 'ghcr.io', username: 'acme', password: 'secret' }
const clientForm = { name: 'Client', redirectUris: ['http://localhost/callback'] }

const aboutClient =
  <Request>(make: (params: { id: string; clientId: string }, secretId: string) => Request) =>
  async ({ teamId, owner }: Scene) => {
    const { id } = await world.project({ teamId })
    const { client } = await owner.call(createSignInClient, { params: { id }, body: clientForm })
    const request = make({ id, clientId: client.id }, client.secrets[0]?.id ?? '')
    return { request, shows: client.clientId }
  }

/** An earlier release of a project of the team. */
const aboutRelease =
  <Request>(make: (release: { id: string; number: number }) => Request) =>
  async ({ teamId, owner }: Scene) => ({
    request: make(await releaseOf(world, { teamId, userId: owner.id })),
    shows: '"runtime":"static"',
  })

type Ticket = { id: string; subject: string; messageId: string; replyId: string }

/** A new ticket of the owner, with a reply. */
const aboutTicket =
  <Request>(make: (ticket: Ticket) => Request, { showsMessage = false } = {}) =>
  async ({ owner }: Scene) => {
    const body = { subject: `Ticket ${randomUUID()}`, message: 'An example' }
    const { id, subject, messages } = await owner.call(createTicket, { body })
    const reply = { params: { id }, body: { text: 'A reply' } }
    const { id: replyId } = await operator.call(replyToTicket, reply)
    const messageId = messages[0]?.id ?? ''
    return {
      request: make({ id, subject, messageId, replyId }),
      shows: showsMessage ? messageId : id,
    }
  }

/** A new card of the owner that is not the default. */
const aboutCard =
  <Request>(make: (card: PaymentMethod) => Request) =>
  async ({ owner }: Scene) => {
    // Resets the attempt limit.
    world.clock.forward(serviceLimits.attemptWindow)
    await cardOf(owner)
    const card = await cardOf(owner)
    return { request: make(card), shows: card.id }
  }

/** A charge of the owner's card that must be refunded. */
const aboutRefund =
  <Request>(make: (payment: { id: string }) => Request) =>
  async ({ owner }: Scene) => {
    world.clock.forward(serviceLimits.attemptWindow)
    const { id } = await refundOf(world, owner)
    return { request: make({ id }), shows: id }
  }

/** An email to the owner that could not be delivered. */
const aboutEmail =
  <Request>(make: (email: { id: string }) => Request) =>
  async ({ owner }: Scene) => {
    const { id } = await storeFailedEmail(world, { recipient: owner.email })
    return { request: make({ id }), shows: id }
  }

/** A row for each endpoint with a resource that some users may not see or change. */
const rows = [
  row(
    listTeams,
    only(['member', 'owner'], 'nothing'),
    aboutTeam(() => ({})),
  ),
  row(
    viewTeam,
    only(['member', 'owner'], 'team_not_found'),
    aboutTeam(({ teamId }) => ({ params: { id: teamId } })),
  ),
  row(
    updateTeam,
    { ...only(['owner'], 'team_not_found'), member: 'forbidden' },
    aboutTeam(({ teamId }) => ({
      params: { id: teamId },
      body: { name: 'Renamed' },
    })),
  ),
  row(
    removeFromTeam,
    { ...only(['owner'], 'team_not_found'), member: 'forbidden' },
    aboutTeam(({ teamId, colleague }) => ({
      params: { teamId },
      query: { userId: colleague.id },
    })),
  ),
  row(
    leaveTeam,
    { ...only(['member'], 'team_not_found'), owner: 'owner_cannot_leave' },
    aboutTeam(({ teamId }) => ({ params: { id: teamId } })),
  ),
  row(listRegistries, only(['member', 'owner'], 'team_not_found'), async ({ teamId, owner }) => {
    const params = { id: teamId }
    const { id } = await owner.call(setRegistry, { params, body: registryForm })
    return { request: { params }, shows: id }
  }),
  row(
    setRegistry,
    { ...only(['owner'], 'team_not_found'), member: 'forbidden' },
    async ({ teamId }) => ({
      request: { params: { id: teamId }, body: registryForm },
      shows: registryForm.host,
    }),
  ),
  row(
    deleteRegistry,
    { ...only(['owner'], 'team_not_found'), member: 'forbidden' },
    async ({ teamId, owner }) => {
      const params = { id: teamId }
      const { id: registryId } = await owner.call(setRegistry, { params, body: registryForm })
      return { request: { params: { ...params, registryId } } }
    },
  ),
  row(
    listInvitations,
    only(['invitee'], 'nothing'),
    aboutTeam(() => ({})),
  ),
  row(
    inviteToTeam,
    { ...only(['owner'], 'team_not_found'), member: 'forbidden' },
    aboutTeam(({ teamId }) => ({
      body: { teamId, email: `${randomUUID()}@example.com` },
    })),
  ),
  row(
    respondToInvitation,
    only(['invitee'], 'invitation_not_found'),
    aboutTeam(({ teamId }) => ({ body: { teamId, accept: true } })),
  ),
  row(
    cancelInvitation,
    { ...only(['owner'], 'team_not_found'), member: 'forbidden' },
    aboutTeam(({ teamId, invitee }) => ({
      query: { teamId, email: invitee.email },
    })),
  ),
  row(
    listProjects,
    only(['member', 'owner'], 'nothing'),
    aboutProject(() => ({})),
  ),
  row(
    projectPrice,
    nobodyMay('nothing'),
    aboutProject(() => ({})),
  ),
  row(
    listTeamActivity,
    only(['member', 'owner'], 'team_not_found'),
    aboutTeam(({ teamId }) => ({ params: { id: teamId }, query: {} })),
  ),
  row(
    listActivity,
    only(['member', 'owner'], 'nothing'),
    aboutTeam(() => ({ query: {} })),
  ),
  row(listProjectActivity, only(['member', 'owner'], 'project_not_found'), async (scene) => {
    const { id } = await world.project({ teamId: scene.teamId })
    await scene.owner.call(renameProject, { params: { id }, body: { name: 'Renamed' } })
    return { request: { params: { id }, query: {} }, shows: scene.teamId }
  }),
  row(
    viewProject,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ key }) => ({ params: { key } })),
  ),
  row(
    createProject,
    only(['member', 'owner'], 'team_not_found'),
    aboutTeam(({ teamId }) => ({
      body: { name: 'Created', teamId, regionId: 'eu' },
    })),
  ),
  row(
    renameProject,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ id }) => ({
      params: { id },
      body: { name: 'Renamed' },
    })),
  ),
  row(
    changeProjectDomain,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ id }) => ({
      params: { id },
      body: { domain: null },
    })),
  ),
  row(
    listDomains,
    only(['member', 'owner'], 'project_not_found'),
    aboutDomain(({ id }) => ({ params: { id } })),
  ),
  row(createDomain, only(['member', 'owner'], 'project_not_found'), async ({ teamId }) => {
    const domain = `${randomUUID()}.example.com`
    const { id } = await world.project({ teamId })
    return { request: { params: { id }, body: { domain } }, shows: domain }
  }),
  row(
    updateDomain,
    only(['member', 'owner'], 'project_not_found'),
    aboutDomain((params) => ({ params, body: { hsts: true } })),
  ),
  row(
    deleteDomain,
    only(['member', 'owner'], 'project_not_found'),
    aboutDomain((params) => ({ params })),
  ),
  row(
    checkDomains,
    only(['member', 'owner'], 'project_not_found'),
    aboutDomain(({ id }) => ({ params: { id } })),
  ),
  row(
    listSignInClients,
    only(['member', 'owner'], 'project_not_found'),
    aboutClient(({ id }) => ({ params: { id } })),
  ),
  row(
    createSignInClient,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ id }) => ({ params: { id }, body: clientForm })),
  ),
  row(
    updateSignInClient,
    only(['member', 'owner'], 'project_not_found'),
    aboutClient((params) => ({ params, body: clientForm })),
  ),
  row(
    deleteSignInClient,
    only(['member', 'owner'], 'project_not_found'),
    aboutClient((params) => ({ params })),
  ),
  row(
    createClientSecret,
    only(['member', 'owner'], 'project_not_found'),
    aboutClient((params) => ({ params })),
  ),
  row(
    deleteClientSecret,
    only(['member', 'owner'], 'project_not_found'),
    aboutClient((params, secretId) => ({ params: { ...params, secretId } })),
  ),
  row(
    deleteProject,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ id }) => ({ params: { id } })),
  ),
  row(
    changeProjectPower,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ id }) => ({ params: { id }, body: { power: 'stopped' as const } })),
  ),
  row(
    restartProject,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ id }) => ({ params: { id } })),
  ),
  row(
    retryProject,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ id }) => ({ params: { id } })),
  ),
  row(createRelease, only(['member', 'owner'], 'project_not_found'), async ({ teamId }) => {
    const { id } = await world.project({ teamId })
    return { request: { params: { id }, query: {}, body: archive() } }
  }),
  row(viewNextSteps, only(['member', 'owner'], 'project_not_found'), async ({ teamId }) => {
    const { id } = await world.project({ teamId })
    return { request: { params: { id } }, shows: '"invitation":true' }
  }),
  row(viewTraffic, only(['member', 'owner'], 'project_not_found'), async ({ teamId }) => {
    const { id } = await world.project({ teamId })
    return { request: { params: { id }, query: {} }, shows: '"range":"day"' }
  }),
  row(viewProjectLogs, only(['member', 'owner'], 'project_not_found'), async ({ teamId }) => {
    const { id, key } = await world.project({ teamId })
    world.ctx.logs.add(key, 'site', { time: Date.now(), text: key })
    await world.ctx.logs.flush()
    return { request: { params: { id }, query: {} }, shows: key }
  }),
  row(
    deployImage,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ id }) => ({
      params: { id },
      body: { reference: `registry.example/shop@sha256:${'0'.repeat(64)}`, port: 8080 },
    })),
  ),
  row(
    listReleases,
    only(['member', 'owner'], 'project_not_found'),
    aboutRelease(({ id }) => ({ params: { id }, query: {} })),
  ),
  row(
    viewRelease,
    only(['member', 'owner'], 'project_not_found'),
    aboutRelease(({ id, number }) => ({ params: { id, number: String(number) } })),
  ),
  row(
    rollBackRelease,
    only(['member', 'owner'], 'project_not_found'),
    aboutRelease(({ id, number }) => ({ params: { id }, body: { number } })),
  ),
  row(updateVersion, only(['member', 'owner'], 'project_not_found'), async ({ teamId }) => {
    const { id } = await world.project({ teamId, runtime: 'wordpress' })
    await insertVersion(world, '6.1.9')
    return { request: { params: { id } }, shows: '"source":"version"' }
  }),
  row(listSiteBackups, only(['member', 'owner'], 'project_not_found'), async ({ teamId }) => {
    const { id } = await backupOf(world, { teamId })
    return { request: { params: { id }, query: {} }, shows: '"cause":"daily"' }
  }),
  row(createSiteBackup, only(['member', 'owner'], 'project_not_found'), async ({ teamId }) => {
    const { id } = await backupOf(world, { teamId })
    return { request: { params: { id } }, shows: '"cause":"manual"' }
  }),
  row(restoreSiteBackup, only(['member', 'owner'], 'project_not_found'), async ({ teamId }) => {
    const { id, backupId } = await backupOf(world, { teamId })
    return { request: { params: { id }, body: { backupId } }, shows: '"state":"ready"' }
  }),
  row(
    downloadSiteBackup,
    // The file is missing.
    outcomesOf((role) =>
      role === 'member' || role === 'owner' ? 'item_not_found' : 'project_not_found',
    ),
    async ({ teamId }) => ({ request: { params: await backupOf(world, { teamId }) } }),
  ),
  row(
    listEnvironment,
    only(['member', 'owner'], 'project_not_found'),
    async ({ teamId, owner }) => {
      const { id } = await world.project({ teamId })
      const set = { FIRST_NAME: 'its value' }
      await owner.call(changeEnvironment, { params: { id }, body: { set } })
      return { request: { params: { id } }, shows: 'FIRST_NAME' }
    },
  ),
  row(
    changeEnvironment,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ id }) => ({ params: { id }, body: { set: { FIRST_NAME: 'its value' } } })),
  ),
  row(
    createPersonalToken,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ id }) => ({ body: { name: 'CI', projectIds: [id] } })),
  ),
  row(listPersonalTokens, only(['owner'], 'nothing'), async ({ owner }) => {
    // Resets the limit of new tokens.
    world.clock.forward(serviceLimits.attemptWindow)
    const body = { name: `Token ${randomUUID()}`, projectIds: null }
    await owner.call(createPersonalToken, { body })
    return { request: {}, shows: body.name }
  }),
  row(endSession, only(['owner'], 'item_not_found'), async ({ owner }) => {
    await world.ctx.write((tx) => world.ctx.sessions.start(tx, owner.id))
    const otherSession = (await owner.call(listSessions)).find(({ isCurrent }) => !isCurrent)
    return { request: { params: { id: otherSession?.id ?? '' } } }
  }),
  row(deletePersonalToken, only(['owner'], 'item_not_found'), async ({ owner }) => {
    const { personalToken } = await owner.call(createPersonalToken, {
      body: { name: 'CI', projectIds: null },
    })
    return { request: { params: { id: personalToken.id } } }
  }),
  row(
    createAuthorizationCode,
    only(['member', 'owner'], 'project_not_found'),
    aboutProject(({ key }) => ({
      body: {
        client_id: key,
        redirect_uri: `http://${key}.localhost:${world.env.SITES_PORT}/`,
        response_type: 'code',
      },
    })),
  ),
  row(
    listTickets,
    only(['owner'], 'nothing'),
    aboutTicket(() => ({})),
  ),
  row(countUnreadTickets, only(['owner'], 'nothing'), async (scene) => ({
    ...(await aboutTicket(() => ({}))(scene)),
    shows: /"count":[1-9]/,
  })),
  row(
    viewTicket,
    only(['owner'], 'ticket_not_found'),
    aboutTicket(({ id }) => ({ params: { id } })),
  ),
  row(
    listOlderMessages,
    only(['owner'], 'ticket_not_found'),
    aboutTicket(({ id, replyId }) => ({ params: { id }, query: { before: replyId } }), {
      showsMessage: true,
    }),
  ),
  row(createTicket, everyoneMay, async () => ({
    request: { body: { subject: 'My own', message: 'An example' } },
  })),
  row(
    resolveTicket,
    only(['owner'], 'ticket_not_found'),
    aboutTicket(({ id }) => ({
      params: { id },
      body: { state: 'resolved' },
    })),
  ),
  row(
    markTicketRead,
    only(['owner'], 'ticket_not_found'),
    aboutTicket(({ id, messageId }) => ({
      params: { id },
      body: { messageId },
    })),
  ),
  row(
    sendTicketMessage,
    only(['owner'], 'ticket_not_found'),
    aboutTicket(({ id }) => ({
      params: { id },
      body: { text: 'A message' },
    })),
  ),
  row(
    listPaymentMethods,
    only(['owner'], 'nothing'),
    aboutCard(() => ({})),
  ),
  row(createPaymentMethod, everyoneMay, async () => ({ request: { body: cardForm() } })),
  row(
    updatePaymentMethod,
    only(['owner'], 'payment_method_not_found'),
    aboutCard(({ id }) => ({
      params: { id },
      body: billingFields,
    })),
  ),
  row(
    setDefaultPaymentMethod,
    only(['owner'], 'payment_method_not_found'),
    aboutCard(({ id }) => ({ params: { id } })),
  ),
  row(
    deletePaymentMethod,
    only(['owner'], 'payment_method_not_found'),
    aboutCard(({ id }) => ({ params: { id } })),
  ),
  row(downloadInvoice, only(['owner'], 'invoice_not_found'), async ({ owner }) => {
    const { id } = await invoiceOf(world, owner)
    return { request: { params: { id } }, shows: `${id.slice(-8)}.pdf` }
  }),
  row(payInvoices, only(['owner'], 'invoice_not_found'), async ({ owner }) => {
    const body = {
      invoiceIds: [(await invoiceOf(world, owner)).id],
      paymentMethodId: (await cardOf(owner)).id,
    }
    return { request: { body } }
  }),
  row(
    listOperatorTickets,
    only(['operator'], 'forbidden'),
    aboutTicket(({ subject }) => ({ query: { search: subject } })),
  ),
  row(
    viewOperatorTicket,
    only(['operator'], 'forbidden'),
    aboutTicket(({ id }) => ({ params: { id } })),
  ),
  row(
    listOlderOperatorMessages,
    only(['operator'], 'forbidden'),
    aboutTicket(({ id, replyId }) => ({ params: { id }, query: { before: replyId } }), {
      showsMessage: true,
    }),
  ),
  row(
    replyToTicket,
    only(['operator'], 'forbidden'),
    aboutTicket(({ id }) => ({
      params: { id },
      body: { text: 'A reply' },
    })),
  ),
  row(
    viewOperatorProject,
    only(['operator'], 'forbidden'),
    aboutProject(({ key }) => ({ params: { key } })),
  ),
  row(
    suspendProject,
    only(['operator'], 'forbidden'),
    aboutProject(({ key }) => ({ params: { key }, body: { reason: 'unpaid' as const } })),
  ),
  row(
    resumeProject,
    only(['operator'], 'forbidden'),
    aboutProject(({ key }) => ({ params: { key } })),
  ),
  row(listProducts, only(['operator'], 'forbidden'), async () => ({
    request: {},
    shows: '"id":"website"',
  })),
  row(changePrice, only(['operator'], 'forbidden'), async () => ({
    request: { body: { productId: 'website', price: '0.0125' } },
  })),
  row(changeDiscount, only(['operator'], 'forbidden'), async ({ owner }) => ({
    request: { body: { email: owner.email, productId: 'website', discount: null } },
  })),
  row(issueInvoices, only(['operator'], 'forbidden'), async ({ owner }) => ({
    request: { body: { userId: owner.id } },
  })),
  row(
    listRefunds,
    only(['operator'], 'forbidden'),
    aboutRefund(() => ({})),
  ),
  row(
    markRefunded,
    only(['operator'], 'forbidden'),
    aboutRefund(({ id }) => ({ params: { id } })),
  ),
  row(startProjectEmpty, only(['operator'], 'forbidden'), async ({ teamId }) => {
    const { key } = await world.project({ teamId, failure: 'data_missing' })
    return { request: { params: { key } } }
  }),
  row(listRuntimeVersions, only(['operator'], 'forbidden'), async () => ({ request: {} })),
  row(listClusters, only(['operator'], 'forbidden'), async () => ({ request: {} })),
  row(changeClusterState, withoutCluster, async () => ({
    request: { params: { name: 'default' }, body: { state: 'full' as const } },
  })),
  row(startProjectMove, withoutCluster, async ({ teamId }) => {
    const { key } = await world.project({ teamId })
    return { request: { params: { key }, body: { cluster: 'moon' } } }
  }),
  row(getProjectMove, withoutCluster, async ({ teamId }) => {
    const { key } = await world.project({ teamId })
    return { request: { params: { key } } }
  }),
  row(startClusterCheck, withoutCluster, async () => ({ request: {} })),
  row(getClusterCheck, withoutCluster, async () => ({ request: {} })),
  row(addRuntimeVersion, only(['operator'], 'forbidden'), async () => ({
    request: { params: { runtime: 'wordpress' as const }, body: wordPressArchive() },
  })),
  row(
    listStuckEmails,
    only(['operator'], 'forbidden'),
    aboutEmail(() => ({ query: {} })),
  ),
  row(
    retryEmail,
    only(['operator'], 'forbidden'),
    aboutEmail(({ id }) => ({ params: { id } })),
  ),
]

/**
 * Endpoints without a row: they read or change only the caller's own resources, or those that all
 * users share.
 */
const ownResources: readonly Endpoint[] = [
  changePassword,
  listSessions,
  endOtherSessions,
  getInvoiceRun,
  getProfile,
  updateProfileName,
  listInvoices,
  listUnpaidInvoices,
  getActiveInvoice,
  viewInvoice,
  listRegions,
  listRuntimes,
  logout,
  getSession,
  createSocketTicket,
  // A session is rejected; the token of a program is its own. `access.spec.ts` tests both.
  getCurrentPersonalToken,
  deleteCurrentPersonalToken,
  // Any signed-in user who has the code may confirm it.
  viewDevice,
  approveDevice,
  denyDevice,
]

async function outcomeOf({ endpoint, build }: (typeof rows)[number], role: Role, scene: Scene) {
  const { request, shows = '' } = await build(scene)
  let response: unknown
  const result = await outcome(
    scene.users[role].call(endpoint, request).then((received) => {
      response = received
    }),
  )
  if (result !== 'ok' || endpoint.method !== 'GET') return result
  return JSON.stringify(response).search(shows) >= 0 ? 'ok' : 'nothing'
}

describe('permissions', () => {
  it('every endpoint has a row or is in ownResources', () => {
    const mounted = [...world.app.server.endpoints].filter(({ access }) => access !== 'public')
    const listed = [...rows.map(({ endpoint }) => endpoint), ...ownResources]
    expect(listed.map(title).sort()).toEqual(mounted.map(title).sort())
  })

  it.each(rows.map((each) => [title(each.endpoint), each] as const))(
    'each role has the outcome of its row: %s',
    async (_name, each) => {
      const scene = await newScene()
      const results: Partial<Outcomes> = {}
      // A successful request changes the data of the next ones, so it comes last.
      const order = roles.toSorted(
        (first, second) =>
          Number(each.outcomes[first] === 'ok') - Number(each.outcomes[second] === 'ok'),
      )
      for (const role of order) results[role] = await outcomeOf(each, role, scene)
      expect(results).toEqual(each.outcomes)
    },
  )
})
