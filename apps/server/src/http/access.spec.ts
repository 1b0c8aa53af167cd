import { randomUUID } from 'node:crypto'
import type { Client } from '@slipway/contract/client'
import type { Endpoint, RequestOf } from '@slipway/contract/endpoint'
import { day, limits } from '@slipway/contract/limits'
import { createTicket } from '@slipway/contract/support'
import type { TeamId } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invoiceOf } from '../modules/invoices/invoices.fixture.ts'
import { billing, cardOf } from '../modules/payment-methods/payment-methods.fixture.ts'
import { declaredEndpoints, title } from '../testing/declared-endpoints.ts'
import { refusal } from '../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** Input that gets past validation. What an endpoint needs more of, `foreign` gives. */
const anyCall = (endpoint: Endpoint) => {
  const params = Object.fromEntries(Object.keys(endpoint.params).map((key) => [key, 'x']))
  return { params, ...(endpoint.body ? { body: {} } : {}) } as RequestOf<Endpoint>
}

const send = (call: Client, endpoint: Endpoint, given: object) =>
  call(endpoint, given as RequestOf<Endpoint>)

type Example = {
  given: object
  error: string
  /** Who may make that call, where it is not the owner. */
  by?: TestUser
}

/** Somebody who joined the team. */
async function member(teamId: TeamId) {
  const person = await world.user()
  await world.join(person, teamId)
  return person
}

/** Somebody whose answer an invitation to the team waits for. */
async function invitee(teamId: TeamId) {
  const person = await world.user()
  await world.invite(person, teamId)
  return person
}

const ticketOf = ({ call }: TestUser) =>
  call(createTicket, { body: { subject: 'Example', message: 'Something does not work' } })

/**
 * For each endpoint that names a thing: a call that names somebody else's. A new endpoint with
 * parameters, a query or ids in its body must be added here, or the suite fails.
 */
const foreign: Record<string, (owner: TestUser) => Promise<Example>> = {
  'GET /management/team/view/:id': async ({ teamId }) => ({
    given: { params: { id: teamId } },
    error: 'team_not_found',
  }),
  'PUT /management/team/update/:id': async ({ teamId }) => ({
    given: { params: { id: teamId }, body: { name: 'Foreign' } },
    error: 'team_not_found',
  }),
  'DELETE /management/team/remove/:teamId': async ({ teamId }) => ({
    given: { params: { teamId }, query: { userId: (await member(teamId)).id } },
    error: 'team_not_found',
  }),
  'DELETE /management/team/leave/:id': async ({ teamId }) => ({
    given: { params: { id: teamId } },
    error: 'team_not_found',
    by: await member(teamId),
  }),
  'POST /management/team/invite': async ({ teamId }) => ({
    given: { body: { teamId, email: 'invited@example.com' } },
    error: 'team_not_found',
  }),
  'PUT /management/team/respond': async ({ teamId }) => ({
    given: { body: { teamId, accept: true } },
    error: 'invitation_not_found',
    by: await invitee(teamId),
  }),
  'DELETE /management/team/cancel': async ({ teamId }) => ({
    given: { query: { teamId, email: (await invitee(teamId)).email } },
    error: 'team_not_found',
  }),
  'GET /management/project/view/:key': async ({ teamId }) => ({
    given: { params: { key: (await world.project({ teamId })).key } },
    error: 'project_not_found',
  }),
  'POST /management/project/create': async ({ teamId }) => ({
    given: { body: { name: 'Foreign', teamId, regionId: 'eu' } },
    error: 'team_not_found',
  }),
  'PUT /management/project/update/:id/name': async ({ teamId }) => ({
    given: { params: { id: (await world.project({ teamId })).id }, body: { name: 'Foreign' } },
    error: 'project_not_found',
  }),
  'PUT /management/project/update/:id/domain': async ({ teamId }) => ({
    given: { params: { id: (await world.project({ teamId })).id }, body: { domain: null } },
    error: 'project_not_found',
  }),
  'POST /management/project/domain/check/:id': async ({ teamId }) => {
    const project = await world.project({ teamId, domain: `${randomUUID()}.example.com` })
    return { given: { params: { id: project.id } }, error: 'project_not_found' }
  },
  'DELETE /management/project/delete/:id': async ({ teamId }) => ({
    given: { params: { id: (await world.project({ teamId })).id } },
    error: 'project_not_found',
  }),
  'POST /management/project/retry/:id': async ({ teamId }) => ({
    given: { params: { id: (await world.project({ teamId })).id } },
    error: 'project_not_found',
  }),
  'GET /account/invoice/pdf/:id': async (owner) => ({
    given: { params: { id: (await invoiceOf(world, owner)).id } },
    error: 'invoice_not_found',
  }),
  'GET /account/invoice/view/:id': async (owner) => ({
    given: { params: { id: (await invoiceOf(world, owner)).id } },
    error: 'invoice_not_found',
  }),
  'GET /support/ticket/view/:id': async (owner) => ({
    given: { params: { id: (await ticketOf(owner)).id } },
    error: 'ticket_not_found',
  }),
  'GET /support/ticket/view/:id/older': async (owner) => {
    const { id, messages } = await ticketOf(owner)
    return {
      given: { params: { id }, query: { before: messages[0]?.id ?? '' } },
      error: 'ticket_not_found',
    }
  },
  'PUT /support/ticket/state/:id/update': async (owner) => ({
    given: { params: { id: (await ticketOf(owner)).id }, body: { state: 'resolved' } },
    error: 'ticket_not_found',
  }),
  'PUT /support/ticket/read/:id': async (owner) => {
    const { id, messages } = await ticketOf(owner)
    return {
      given: { params: { id }, body: { messageId: messages[0]?.id ?? '' } },
      error: 'ticket_not_found',
    }
  },
  'POST /support/ticket/message/:id/create': async (owner) => ({
    given: { params: { id: (await ticketOf(owner)).id }, body: { text: 'Foreign' } },
    error: 'ticket_not_found',
  }),
  'POST /account/invoice/pay': async (owner) => ({
    given: {
      body: {
        invoiceIds: [(await invoiceOf(world, owner)).id],
        paymentMethodId: (await cardOf(owner)).id,
      },
    },
    error: 'invoice_not_found',
  }),
  'PUT /account/payment-method/update/:id': async (owner) => ({
    given: { params: { id: (await cardOf(owner)).id }, body: billing },
    error: 'payment_method_not_found',
  }),
  'PUT /account/payment-method/default/:id': async (owner) => ({
    given: { params: { id: (await cardOf(owner)).id } },
    error: 'payment_method_not_found',
  }),
  'DELETE /account/payment-method/delete/:id': async (owner) => {
    // Of the cards that the others have added, the first is the default and stays.
    await cardOf(owner)
    return {
      given: { params: { id: (await cardOf(owner)).id } },
      error: 'payment_method_not_found',
    }
  },
  'POST /auth/project/code': async ({ teamId }) => {
    const { key } = await world.project({ teamId })
    return {
      given: {
        body: {
          client_id: key,
          redirect_uri: `http://${key}.localhost:${world.env.SITES_PORT}/`,
          response_type: 'code',
        },
      },
      error: 'project_not_found',
    }
  },
}

/** Endpoints whose body holds only what is the caller's own. */
const ownInput = new Set([
  'GET /account/invoice/all',
  'PUT /account/profile/update/name',
  'POST /support/ticket/create',
  'POST /account/payment-method/create',
])

describe('who may call', () => {
  it('is written down for every endpoint', async () => {
    const table = [...world.app.server.endpoints]
      .map((endpoint) => `${endpoint.access.padEnd(8)} ${title(endpoint)}`)
      .sort()
    expect(table).toMatchSnapshot()
  })

  it('is asked of every endpoint that the contract declares', async () => {
    const mounted = [...world.app.server.endpoints].map(title).sort()
    expect(mounted).toEqual((await declaredEndpoints()).map(title).sort())
  })

  it('is nobody without a token, with an unknown one or with an expired one', async () => {
    const { call, token } = await world.user()
    const other = await createWorld()
    const elsewhere = await other.user()
    world.clock.forward(limits.sessionLifetime)
    for (const endpoint of world.app.server.endpoints) {
      if (endpoint.access === 'public') continue
      for (const caller of [
        world.guest,
        world.client('unknown'),
        world.client(elsewhere.token),
        world.client(`${token} x`),
        call,
      ])
        expect(await refusal(send(caller, endpoint, anyCall(endpoint))), title(endpoint)).toBe(
          'unauthorized',
        )
    }
    await other.close()
  })

  it('is nobody whose account is not verified, but for the calls open to every session', async () => {
    const { call } = await world.user({ verified: false })
    for (const endpoint of world.app.server.endpoints) {
      if (endpoint.access === 'public' || endpoint.access === 'session') continue
      expect(await refusal(send(call, endpoint, anyCall(endpoint))), title(endpoint)).toBe(
        'user_not_verified',
      )
    }
  })

  it('does not reach what another team owns: it is not found', async () => {
    const owner = await world.user()
    const stranger = await world.user()
    for (const endpoint of world.app.server.endpoints) {
      if (endpoint.access !== 'user') continue
      const { params, query, body } = endpoint
      const names = Object.keys(params).length > 0 || query !== undefined || body !== undefined
      if (!names || ownInput.has(title(endpoint))) continue
      const example = foreign[title(endpoint)]
      expect(example, `${title(endpoint)} has no example in this file`).toBeDefined()
      if (!example) continue
      const { given, error, by = owner } = await example(owner)
      expect(await refusal(send(stranger.call, endpoint, given)), title(endpoint)).toBe(error)
      await send(by.call, endpoint, given)
    }
  })

  it('ends with the session’s last use 30 days ago', async () => {
    const { call } = await world.user()
    const { listProjects } = await import('@slipway/contract/projects')
    world.clock.forward(30 * day - 1)
    expect(await call(listProjects)).toEqual([])
  })
})
