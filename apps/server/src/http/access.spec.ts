import { randomUUID } from 'node:crypto'
import { updateProfileName } from '@slipway/contract/account'
import { changePassword, endSession, listSessions } from '@slipway/contract/account-security'
import { listActivity, listProjectActivity, listTeamActivity } from '@slipway/contract/activity'
import {
  checkDomains,
  createDomain,
  deleteDomain,
  listDomains,
  updateDomain,
} from '@slipway/contract/domains'
import type { Endpoint, RequestOf } from '@slipway/contract/endpoint'
import { changeEnvironment, listEnvironment } from '@slipway/contract/environment'
import type { ErrorCode } from '@slipway/contract/errors'
import { downloadInvoice, listInvoices, payInvoices, viewInvoice } from '@slipway/contract/invoices'
import { day } from '@slipway/contract/limits'
import { createAuthorizationCode } from '@slipway/contract/login-provider'
import { viewProjectLogs } from '@slipway/contract/logs'
import { viewNextSteps } from '@slipway/contract/next-steps'
import { createPaymentMethod, updatePaymentMethod } from '@slipway/contract/payment-method-forms'
import { deletePaymentMethod, setDefaultPaymentMethod } from '@slipway/contract/payment-methods'
import {
  approveDevice,
  createPersonalToken,
  deletePersonalToken,
  denyDevice,
  personalTokenPrefix,
  viewDevice,
} from '@slipway/contract/personal-tokens'
import {
  changeProjectDomain,
  changeProjectPower,
  createProject,
  deleteProject,
  listProjects,
  renameProject,
  restartProject,
  retryProject,
  viewProject,
} from '@slipway/contract/projects'
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
import { listRuntimes } from '@slipway/contract/runtimes'
import { serviceLimits } from '@slipway/contract/service-limits'
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
  createTicket,
  listOlderMessages,
  markTicketRead,
  resolveTicket,
  sendTicketMessage,
  viewTicket,
} from '@slipway/contract/support'
import {
  cancelInvitation,
  inviteToTeam,
  leaveTeam,
  listTeams,
  removeFromTeam,
  respondToInvitation,
  type TeamId,
  updateTeam,
  viewTeam,
} from '@slipway/contract/teams'
import { viewTraffic } from '@slipway/contract/traffic'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { domains } from '../modules/domains/domains.schema.ts'
import { invoiceOf } from '../modules/invoices/invoices.fixture.ts'
import { billingFields, cardOf } from '../modules/payment-methods/payment-methods.fixture.ts'
import { archive, releaseOf } from '../modules/releases/releases.fixture.ts'
import { insertVersion } from '../modules/runtime-versions/runtime-versions.fixture.ts'
import { offerAllRuntimes } from '../modules/runtimes/runtimes.fixture.ts'
import { backupOf } from '../modules/site-backups/site-backups.fixture.ts'
import { declaredEndpoints, title } from '../testing/declared-endpoints.ts'
import { errorCodeOf } from '../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  offerAllRuntimes(world)
})
afterAll(() => world.close())

/** A request with every path parameter and an empty body. */
const minimalRequest = (endpoint: Endpoint) => {
  const params = Object.fromEntries(Object.keys(endpoint.params).map((key) => [key, 'x']))
  return { params, ...(endpoint.body ? { body: {} } : {}) } as RequestOf<Endpoint>
}

type Example<E extends Endpoint> = {
  request: RequestOf<E>
  error: ErrorCode
  /** The user who may send the request; the owner by default. */
  allowedUser?: TestUser
  /** The error that the allowed user gets too, for an example that is incomplete. */
  allowedError?: ErrorCode
}

type BuildExample<E extends Endpoint> = (owner: TestUser) => Promise<Example<E>>

/** An endpoint with a request that names a resource of `owner`. */
const requestFor = <E extends Endpoint>(endpoint: E, build: BuildExample<E>) =>
  [endpoint, build as unknown as BuildExample<Endpoint>] as const

async function member(teamId: TeamId) {
  const user = await world.user()
  await world.join(user, teamId)
  return user
}

async function invitee(teamId: TeamId) {
  const user = await world.user()
  await world.invite(user, teamId)
  return user
}

const openTicket = ({ call }: TestUser) =>
  call(createTicket, { body: { subject: 'Example', message: 'Something does not work' } })

async function domainOf(teamId: TestUser['teamId']) {
  const { id } = await world.project({ teamId, domain: `${randomUUID()}.example.com` })
  const [domain] = await world.ctx.db.select().from(domains).where(eq(domains.projectId, id))
  return { id, domainId: String(domain?.id) }
}

const registryForm = { host: 'ghcr.io', username: 'acme', password: 'secret' }
const clientForm = { name: 'Client', redirectUris: ['http://localhost/callback'] }

async function clientOf({ teamId, call }: TestUser) {
  const { id } = await world.project({ teamId })
  const { client } = await call(createSignInClient, { params: { id }, body: clientForm })
  return { params: { id, clientId: client.id }, secretId: client.secrets[0]?.id ?? '' }
}

/**
 * A request for each endpoint that names a resource. A new endpoint with path parameters, a query
 * or a body needs an entry here or in `endpointsWithoutResource`, or the suite fails.
 */
const foreignRequests = new Map<Endpoint, BuildExample<Endpoint>>([
  requestFor(viewTeam, async ({ teamId }) => ({
    request: { params: { id: teamId } },
    error: 'team_not_found',
  })),
  requestFor(updateTeam, async ({ teamId }) => ({
    request: { params: { id: teamId }, body: { name: 'Foreign' } },
    error: 'team_not_found',
  })),
  requestFor(removeFromTeam, async ({ teamId }) => ({
    request: { params: { teamId }, query: { userId: (await member(teamId)).id } },
    error: 'team_not_found',
  })),
  requestFor(leaveTeam, async ({ teamId }) => ({
    request: { params: { id: teamId } },
    error: 'team_not_found',
    allowedUser: await member(teamId),
  })),
  requestFor(inviteToTeam, async ({ teamId }) => ({
    request: { body: { teamId, email: 'invited@example.com' } },
    error: 'team_not_found',
  })),
  requestFor(respondToInvitation, async ({ teamId }) => ({
    request: { body: { teamId, accept: true } },
    error: 'invitation_not_found',
    allowedUser: await invitee(teamId),
  })),
  requestFor(cancelInvitation, async ({ teamId }) => ({
    request: { query: { teamId, email: (await invitee(teamId)).email } },
    error: 'team_not_found',
  })),
  requestFor(listRegistries, async ({ teamId }) => ({
    request: { params: { id: teamId } },
    error: 'team_not_found',
  })),
  requestFor(setRegistry, async ({ teamId }) => ({
    request: { params: { id: teamId }, body: registryForm },
    error: 'team_not_found',
  })),
  requestFor(deleteRegistry, async ({ teamId, call }) => {
    const params = { id: teamId }
    const { id: registryId } = await call(setRegistry, { params, body: registryForm })
    return { request: { params: { ...params, registryId } }, error: 'team_not_found' }
  }),
  requestFor(listTeamActivity, async ({ teamId }) => ({
    request: { params: { id: teamId }, query: {} },
    error: 'team_not_found',
  })),
  requestFor(listProjectActivity, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id }, query: {} },
    error: 'project_not_found',
  })),
  requestFor(viewProject, async ({ teamId }) => ({
    request: { params: { key: (await world.project({ teamId })).key } },
    error: 'project_not_found',
  })),
  requestFor(createProject, async ({ teamId }) => ({
    request: { body: { name: 'Foreign', teamId, regionId: 'eu' } },
    error: 'team_not_found',
  })),
  requestFor(renameProject, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id }, body: { name: 'Foreign' } },
    error: 'project_not_found',
  })),
  requestFor(changeProjectDomain, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id }, body: { domain: null } },
    error: 'project_not_found',
  })),
  requestFor(listDomains, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id } },
    error: 'project_not_found',
  })),
  requestFor(createDomain, async ({ teamId }) => ({
    request: {
      params: { id: (await world.project({ teamId })).id },
      body: { domain: `${randomUUID()}.example.com` },
    },
    error: 'project_not_found',
  })),
  requestFor(updateDomain, async ({ teamId }) => ({
    request: { params: await domainOf(teamId), body: { hsts: true } },
    error: 'project_not_found',
  })),
  requestFor(deleteDomain, async ({ teamId }) => ({
    request: { params: await domainOf(teamId) },
    error: 'project_not_found',
  })),
  requestFor(checkDomains, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id } },
    error: 'project_not_found',
  })),
  requestFor(deleteProject, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id } },
    error: 'project_not_found',
  })),
  requestFor(changeProjectPower, async ({ teamId }) => ({
    request: {
      params: { id: (await world.project({ teamId })).id },
      body: { power: 'stopped' as const },
    },
    error: 'project_not_found',
  })),
  requestFor(restartProject, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id } },
    error: 'project_not_found',
  })),
  requestFor(retryProject, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id } },
    error: 'project_not_found',
  })),
  requestFor(createRelease, async ({ teamId }) => ({
    request: {
      params: { id: (await world.project({ teamId })).id },
      query: {},
      body: archive(),
    },
    error: 'project_not_found',
  })),
  requestFor(viewNextSteps, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id } },
    error: 'project_not_found',
  })),
  requestFor(viewTraffic, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id }, query: {} },
    error: 'project_not_found',
  })),
  requestFor(viewProjectLogs, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id }, query: {} },
    error: 'project_not_found',
  })),
  requestFor(deployImage, async ({ teamId }) => ({
    request: {
      params: { id: (await world.project({ teamId })).id },
      body: { reference: `registry.example/shop@sha256:${'0'.repeat(64)}`, port: 8080 },
    },
    error: 'project_not_found',
  })),
  requestFor(listReleases, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id }, query: {} },
    error: 'project_not_found',
  })),
  requestFor(viewRelease, async ({ teamId, id: userId }) => {
    const { id, number } = await releaseOf(world, { teamId, userId })
    return { request: { params: { id, number: String(number) } }, error: 'project_not_found' }
  }),
  requestFor(rollBackRelease, async ({ teamId, id: userId }) => {
    const { id, number } = await releaseOf(world, { teamId, userId })
    return { request: { params: { id }, body: { number } }, error: 'project_not_found' }
  }),
  requestFor(updateVersion, async ({ teamId }) => {
    await insertVersion(world, '6.1.9')
    const { id } = await world.project({ teamId, runtime: 'wordpress' })
    return { request: { params: { id } }, error: 'project_not_found' }
  }),
  requestFor(listSiteBackups, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id }, query: {} },
    error: 'project_not_found',
  })),
  requestFor(createSiteBackup, async ({ teamId }) => {
    const { id } = await backupOf(world, { teamId })
    return { request: { params: { id } }, error: 'project_not_found' }
  }),
  requestFor(restoreSiteBackup, async ({ teamId }) => {
    const { id, backupId } = await backupOf(world, { teamId })
    return { request: { params: { id }, body: { backupId } }, error: 'project_not_found' }
  }),
  requestFor(downloadSiteBackup, async ({ teamId }) => {
    const { id, backupId } = await backupOf(world, { teamId })
    const request = { params: { id, backupId } }
    // Its file is missing.
    return { request, error: 'project_not_found', allowedError: 'item_not_found' }
  }),
  requestFor(listEnvironment, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id } },
    error: 'project_not_found',
  })),
  requestFor(changeEnvironment, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id }, body: { set: { A: 'b' } } },
    error: 'project_not_found',
  })),
  requestFor(createPersonalToken, async ({ teamId }) => ({
    request: { body: { name: 'CI', projectIds: [(await world.project({ teamId })).id] } },
    error: 'project_not_found',
  })),
  requestFor(endSession, async ({ id, call }) => {
    await world.ctx.write((tx) => world.ctx.sessions.start(tx, id))
    const otherSession = (await call(listSessions)).find(({ isCurrent }) => !isCurrent)
    return { request: { params: { id: otherSession?.id ?? '' } }, error: 'item_not_found' }
  }),
  requestFor(deletePersonalToken, async ({ call }) => {
    const { personalToken } = await call(createPersonalToken, {
      body: { name: 'CI', projectIds: null },
    })
    return { request: { params: { id: personalToken.id } }, error: 'item_not_found' }
  }),
  requestFor(downloadInvoice, async (owner) => ({
    request: { params: { id: (await invoiceOf(world, owner)).id } },
    error: 'invoice_not_found',
  })),
  requestFor(viewInvoice, async (owner) => ({
    request: { params: { id: (await invoiceOf(world, owner)).id } },
    error: 'invoice_not_found',
  })),
  requestFor(viewTicket, async (owner) => ({
    request: { params: { id: (await openTicket(owner)).id } },
    error: 'ticket_not_found',
  })),
  requestFor(listOlderMessages, async (owner) => {
    const { id, messages } = await openTicket(owner)
    return {
      request: { params: { id }, query: { before: messages[0]?.id ?? '' } },
      error: 'ticket_not_found',
    }
  }),
  requestFor(resolveTicket, async (owner) => ({
    request: { params: { id: (await openTicket(owner)).id }, body: { state: 'resolved' as const } },
    error: 'ticket_not_found',
  })),
  requestFor(markTicketRead, async (owner) => {
    const { id, messages } = await openTicket(owner)
    return {
      request: { params: { id }, body: { messageId: messages[0]?.id ?? '' } },
      error: 'ticket_not_found',
    }
  }),
  requestFor(sendTicketMessage, async (owner) => ({
    request: { params: { id: (await openTicket(owner)).id }, body: { text: 'Foreign' } },
    error: 'ticket_not_found',
  })),
  requestFor(payInvoices, async (owner) => ({
    request: {
      body: {
        invoiceIds: [(await invoiceOf(world, owner)).id],
        paymentMethodId: (await cardOf(owner)).id,
      },
    },
    error: 'invoice_not_found',
  })),
  requestFor(updatePaymentMethod, async (owner) => ({
    request: { params: { id: (await cardOf(owner)).id }, body: billingFields },
    error: 'payment_method_not_found',
  })),
  requestFor(setDefaultPaymentMethod, async (owner) => ({
    request: { params: { id: (await cardOf(owner)).id } },
    error: 'payment_method_not_found',
  })),
  requestFor(deletePaymentMethod, async (owner) => {
    // The owner's first card is the default, which cannot be deleted.
    await cardOf(owner)
    return {
      request: { params: { id: (await cardOf(owner)).id } },
      error: 'payment_method_not_found',
    }
  }),
  requestFor(listSignInClients, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id } },
    error: 'project_not_found',
  })),
  requestFor(createSignInClient, async ({ teamId }) => ({
    request: { params: { id: (await world.project({ teamId })).id }, body: clientForm },
    error: 'project_not_found',
  })),
  requestFor(updateSignInClient, async (owner) => ({
    request: { params: (await clientOf(owner)).params, body: clientForm },
    error: 'project_not_found',
  })),
  requestFor(deleteSignInClient, async (owner) => ({
    request: { params: (await clientOf(owner)).params },
    error: 'project_not_found',
  })),
  requestFor(createClientSecret, async (owner) => ({
    request: { params: (await clientOf(owner)).params },
    error: 'project_not_found',
  })),
  requestFor(deleteClientSecret, async (owner) => {
    const { params, secretId } = await clientOf(owner)
    return { request: { params: { ...params, secretId } }, error: 'project_not_found' }
  }),
  requestFor(createAuthorizationCode, async ({ teamId }) => {
    const { key } = await world.project({ teamId })
    return {
      request: {
        body: {
          client_id: key,
          redirect_uri: `http://${key}.localhost:${world.env.SITES_PORT}/`,
          response_type: 'code',
        },
      },
      error: 'project_not_found',
    }
  }),
])

/** Endpoints whose input cannot name another user's resource. */
const endpointsWithoutResource = new Set<Endpoint>([
  changePassword,
  listActivity,
  listInvoices,
  updateProfileName,
  createTicket,
  createPaymentMethod,
  listRuntimes,
  // Any signed-in user who has the code of a device login may confirm it.
  viewDevice,
  approveDevice,
  denyDevice,
])

describe('access', () => {
  it('the access of every endpoint matches the snapshot', async () => {
    const table = [...world.app.server.endpoints]
      .map((endpoint) => `${endpoint.access.padEnd(8)} ${title(endpoint)}`)
      .sort()
    expect(table).toMatchSnapshot()
  })

  it('every endpoint of the contract is mounted', async () => {
    const mounted = [...world.app.server.endpoints].map(title).sort()
    expect(mounted).toEqual((await declaredEndpoints()).map(title).sort())
  })

  it('a missing, unknown or expired token is rejected', async () => {
    const { call, token } = await world.user()
    const otherWorld = await createWorld()
    const userOfOtherServer = await otherWorld.user()
    world.clock.forward(serviceLimits.sessionLifetime)
    for (const endpoint of world.app.server.endpoints) {
      if (endpoint.access === 'public') continue
      for (const caller of [
        world.guest,
        world.client('unknown'),
        world.client(userOfOtherServer.token),
        world.client(`${token} x`),
        world.client(`${personalTokenPrefix}${'x'.repeat(43)}`),
        call,
      ])
        expect(await errorCodeOf(caller(endpoint, minimalRequest(endpoint))), title(endpoint)).toBe(
          'unauthorized',
        )
    }
    await otherWorld.close()
  })

  it('an unverified account may call only endpoints open to every session', async () => {
    const { call } = await world.user({ verified: false })
    for (const endpoint of world.app.server.endpoints) {
      if (['public', 'session', 'token'].includes(endpoint.access)) continue
      expect(await errorCodeOf(call(endpoint, minimalRequest(endpoint))), title(endpoint)).toBe(
        'user_not_verified',
      )
    }
  })

  it('a resource of another team is not found', async () => {
    const owner = await world.user()
    const stranger = await world.user()
    for (const endpoint of world.app.server.endpoints) {
      if (!['user', 'project', 'projects'].includes(endpoint.access)) continue
      const { params, query, body } = endpoint
      const hasInput = Object.keys(params).length > 0 || query !== undefined || body !== undefined
      if (!hasInput || endpointsWithoutResource.has(endpoint)) continue
      const build = foreignRequests.get(endpoint)
      expect(build, `${title(endpoint)} has no example in this file`).toBeDefined()
      if (!build) continue
      const { request, error, allowedUser = owner, allowedError } = await build(owner)
      expect(await errorCodeOf(stranger.call(endpoint, request)), title(endpoint)).toBe(error)
      const allowed = allowedUser.call(endpoint, request)
      if (allowedError) expect(await errorCodeOf(allowed), title(endpoint)).toBe(allowedError)
      else await allowed
    }
  })

  it('a personal token may call only the endpoints of projects, and its own', async () => {
    const { call } = await world.user()
    const { token } = await call(createPersonalToken, { body: { name: 'CI', projectIds: null } })
    const program = world.client(token)
    for (const endpoint of world.app.server.endpoints) {
      if (['public', 'project', 'projects', 'token'].includes(endpoint.access)) continue
      expect(await errorCodeOf(program(endpoint, minimalRequest(endpoint))), title(endpoint)).toBe(
        'forbidden',
      )
    }
    for (const endpoint of world.app.server.endpoints)
      if (endpoint.access === 'token')
        expect(await errorCodeOf(call(endpoint, minimalRequest(endpoint))), title(endpoint)).toBe(
          'forbidden',
        )
  })

  it('a limited personal token finds no other project of its user, and creates and deletes none', async () => {
    const owner = await world.user()
    const chosen = await world.project({ teamId: owner.teamId })
    const { token } = await owner.call(createPersonalToken, {
      body: { name: 'CI', projectIds: [chosen.id] },
    })
    const program = world.client(token)
    for (const endpoint of world.app.server.endpoints) {
      if (endpoint.access === 'projects')
        expect(
          await errorCodeOf(program(endpoint, minimalRequest(endpoint))),
          title(endpoint),
        ).toBe('forbidden')
      if (endpoint.access !== 'project' || endpoint === listProjects) continue
      const build = foreignRequests.get(endpoint)
      if (!build) throw new Error(`${title(endpoint)} has no example in this file`)
      const { request } = await build(owner)
      expect(await errorCodeOf(program(endpoint, request)), title(endpoint)).toBe(
        'project_not_found',
      )
    }
    expect((await program(listProjects)).map(({ id }) => id)).toEqual([chosen.id])
    expect((await program(viewProject, { params: { key: chosen.key } })).id).toBe(chosen.id)
    expect(await program(listEnvironment, { params: { id: chosen.id } })).toEqual({ variables: [] })
  })

  it('a personal token for all projects creates and deletes them, and lists teams for it', async () => {
    const { call, teamId } = await world.user()
    const { token } = await call(createPersonalToken, { body: { name: 'CI', projectIds: null } })
    const program = world.client(token)
    expect((await program(listTeams)).map(({ id }) => id)).toEqual([teamId])
    const [region] = await program(listRegions)
    const { id } = await program(createProject, {
      body: { name: 'Shop', teamId, regionId: region?.id ?? '', domain: null },
    })
    await program(deleteProject, { params: { id } })
    const { items } = await call(listProjectActivity, { params: { id }, query: {} })
    expect(items.map(({ kind, actor }) => [kind, actor?.kind])).toEqual([
      ['project_deleted', 'token'],
      ['project_created', 'token'],
    ])
  })

  it('a session is valid until 30 days after its last use', async () => {
    const [active, idle] = [await world.user(), await world.user()]
    world.clock.forward(30 * day - 1)
    expect(await active.call(listProjects)).toEqual([])
    world.clock.forward(1)
    expect(await active.call(listProjects)).toEqual([])
    expect(await errorCodeOf(idle.call(listProjects))).toBe('unauthorized')
  })
})
