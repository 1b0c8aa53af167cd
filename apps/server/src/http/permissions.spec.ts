import { randomUUID } from 'node:crypto'
import type { Endpoint, RequestOf } from '@slipway/contract/endpoint'
import { limits } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { createTicket } from '@slipway/contract/support'
import { removeFromTeam } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invoiceOf } from '../modules/invoices/invoices.fixture.ts'
import { billing, cardForm, cardOf } from '../modules/payment-methods/payment-methods.fixture.ts'
import { refundOf } from '../modules/payments/payments.fixture.ts'
import { declaredEndpoints, title } from '../testing/declared-endpoints.ts'
import { outcome } from '../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../testing/world.ts'

/**
 * What each may do with a team that the owner owns, its project, and a ticket of the owner's: `ok`,
 * `nothing` for an answer without it, or the error. The removed one was a member; the invitee has not
 * answered yet; the operator is in no team but their own.
 */
const permissions = `
                                             stranger                  invitee                   member                    owner                     removed                   operator

GET    /management/team/all                  nothing                   nothing                   ok                        ok                        nothing                   nothing
GET    /management/team/view/:id             team_not_found            team_not_found            ok                        ok                        team_not_found            team_not_found
PUT    /management/team/update/:id           team_not_found            team_not_found            forbidden                 ok                        team_not_found            team_not_found
DELETE /management/team/remove/:teamId       team_not_found            team_not_found            forbidden                 ok                        team_not_found            team_not_found
DELETE /management/team/leave/:id            team_not_found            team_not_found            ok                        owner_cannot_leave        team_not_found            team_not_found
GET    /management/team/invitations          nothing                   ok                        nothing                   nothing                   nothing                   nothing
POST   /management/team/invite               team_not_found            team_not_found            forbidden                 ok                        team_not_found            team_not_found
PUT    /management/team/respond              invitation_not_found      ok                        invitation_not_found      invitation_not_found      invitation_not_found      invitation_not_found
DELETE /management/team/cancel               team_not_found            team_not_found            forbidden                 ok                        team_not_found            team_not_found

GET    /management/project/all               nothing                   nothing                   ok                        ok                        nothing                   nothing
GET    /management/project/view/:key         project_not_found         project_not_found         ok                        ok                        project_not_found         project_not_found
GET    /management/project/price             nothing                   nothing                   nothing                   nothing                   nothing                   nothing
POST   /management/project/create            team_not_found            team_not_found            ok                        ok                        team_not_found            team_not_found
PUT    /management/project/update/:id/name   project_not_found         project_not_found         ok                        ok                        project_not_found         project_not_found
PUT    /management/project/update/:id/domain project_not_found         project_not_found         ok                        ok                        project_not_found         project_not_found
POST   /management/project/domain/check/:id  project_not_found         project_not_found         ok                        ok                        project_not_found         project_not_found
DELETE /management/project/delete/:id        project_not_found         project_not_found         ok                        ok                        project_not_found         project_not_found
POST   /management/project/retry/:id         project_not_found         project_not_found         ok                        ok                        project_not_found         project_not_found
POST   /auth/project/code                    project_not_found         project_not_found         ok                        ok                        project_not_found         project_not_found

GET    /support/ticket/all                   nothing                   nothing                   nothing                   ok                        nothing                   nothing
GET    /support/ticket/unread                nothing                   nothing                   nothing                   ok                        nothing                   nothing
GET    /support/ticket/view/:id              ticket_not_found          ticket_not_found          ticket_not_found          ok                        ticket_not_found          ticket_not_found
GET    /support/ticket/view/:id/older        ticket_not_found          ticket_not_found          ticket_not_found          ok                        ticket_not_found          ticket_not_found
POST   /support/ticket/create                ok                        ok                        ok                        ok                        ok                        ok
PUT    /support/ticket/state/:id/update      ticket_not_found          ticket_not_found          ticket_not_found          ok                        ticket_not_found          ticket_not_found
PUT    /support/ticket/read/:id              ticket_not_found          ticket_not_found          ticket_not_found          ok                        ticket_not_found          ticket_not_found
POST   /support/ticket/message/:id/create    ticket_not_found          ticket_not_found          ticket_not_found          ok                        ticket_not_found          ticket_not_found

GET    /account/payment-method/all           nothing                   nothing                   nothing                   ok                        nothing                   nothing
POST   /account/payment-method/create        ok                        ok                        ok                        ok                        ok                        ok
PUT    /account/payment-method/update/:id    payment_method_not_found  payment_method_not_found  payment_method_not_found  ok                        payment_method_not_found  payment_method_not_found
PUT    /account/payment-method/default/:id   payment_method_not_found  payment_method_not_found  payment_method_not_found  ok                        payment_method_not_found  payment_method_not_found
DELETE /account/payment-method/delete/:id    payment_method_not_found  payment_method_not_found  payment_method_not_found  ok                        payment_method_not_found  payment_method_not_found

GET    /account/invoice/pdf/:id              invoice_not_found         invoice_not_found         invoice_not_found         ok                        invoice_not_found         invoice_not_found

POST   /account/invoice/pay                  invoice_not_found         invoice_not_found         invoice_not_found         ok                        invoice_not_found         invoice_not_found

GET    /operator/ticket/all                  forbidden                 forbidden                 forbidden                 forbidden                 forbidden                 ok
GET    /operator/ticket/view/:id             forbidden                 forbidden                 forbidden                 forbidden                 forbidden                 ok
GET    /operator/ticket/view/:id/older       forbidden                 forbidden                 forbidden                 forbidden                 forbidden                 ok
POST   /operator/ticket/message/:id/create   forbidden                 forbidden                 forbidden                 forbidden                 forbidden                 ok
GET    /operator/product/all                 forbidden                 forbidden                 forbidden                 forbidden                 forbidden                 ok
POST   /operator/product/price               forbidden                 forbidden                 forbidden                 forbidden                 forbidden                 ok
POST   /operator/product/discount            forbidden                 forbidden                 forbidden                 forbidden                 forbidden                 ok
POST   /operator/invoice/issue               forbidden                 forbidden                 forbidden                 forbidden                 forbidden                 ok
GET    /operator/payment/refunds             forbidden                 forbidden                 forbidden                 forbidden                 forbidden                 ok
POST   /operator/payment/refunded/:id        forbidden                 forbidden                 forbidden                 forbidden                 forbidden                 ok
`

/** The parts of the API whose calls must have a row. */
const parts = [
  '/management/team/',
  '/management/project/',
  '/auth/project/',
  '/support/',
  '/account/payment-method/',
  '/account/invoice/pay',
  '/account/invoice/pdf/',
  '/operator/',
]

const [header = '', ...lines] = permissions.split('\n').filter((line) => line !== '')
const roles = header.trim().split(/\s+/)
const rows = new Map(
  lines.map((line) => {
    const [method, path, ...outcomes] = line.split(/\s+/)
    return [`${method} ${path}`, outcomes]
  }),
)

let world: World
let operator: TestUser
let endpoints: Endpoint[]
beforeAll(async () => {
  const email = 'operator@example.com'
  world = await createWorld({ OPERATOR_EMAILS: [email] })
  operator = await world.user({ email })
  endpoints = (await declaredEndpoints()).filter(
    ({ path, access }) => access !== 'public' && parts.some((part) => path.startsWith(part)),
  )
})
afterAll(() => world.close())

/** A team with everybody that the table speaks of, and somebody more who joined. */
async function newScene() {
  const { user, join, invite } = world
  const [stranger, invitee, member] = [await user(), await user(), await user()]
  const [owner, removed, colleague] = [await user(), await user(), await user()]
  const { teamId } = owner
  for (const joined of [member, removed, colleague]) await join(joined, teamId)
  await invite(invitee, teamId)
  const removal = { params: { teamId }, query: { userId: removed.id } }
  await owner.call(removeFromTeam, removal)
  const people: Record<string, TestUser> = { stranger, invitee, member, owner, removed, operator }
  return { people, teamId, owner, invitee, colleague }
}
type Scene = Awaited<ReturnType<typeof newScene>>

/** A call, and what stands in its answer where the thing it is about is shown. */
type Made = { given?: object; shows?: string | RegExp }

const aboutTeam = (make: (scene: Scene) => object | undefined) => async (scene: Scene) => ({
  given: make(scene),
  shows: scene.teamId,
})

const aboutProject =
  (make: (project: { id: string; key: string }) => object | undefined) =>
  async ({ teamId }: Scene) => {
    const project = await world.project({ teamId })
    return { given: make(project), shows: project.id }
  }

type Ticket = { id: string; subject: string; messageId: string; replyId: string }

/** A new ticket of the owner's, which has been replied to. */
const aboutTicket =
  (make: (ticket: Ticket) => object | undefined, { showsMessage = false } = {}) =>
  async ({ owner }: Scene) => {
    const body = { subject: `Ticket ${randomUUID()}`, message: 'An example' }
    const { id, subject, messages } = await owner.call(createTicket, { body })
    const reply = { params: { id }, body: { text: 'A reply' } }
    const { id: replyId } = await operator.call(replyToTicket, reply)
    const messageId = messages[0]?.id ?? ''
    return {
      given: make({ id, subject, messageId, replyId }),
      shows: showsMessage ? messageId : id,
    }
  }

/** A new card of the owner's that is not the default. */
const aboutCard =
  (make: (card: PaymentMethod) => object | undefined) =>
  async ({ owner }: Scene) => {
    // No limit of tries gets in the way of the table.
    world.clock.forward(limits.attemptWindow)
    await cardOf(owner)
    const card = await cardOf(owner)
    return { given: make(card), shows: card.id }
  }

/** A charge of the owner's card that has to be given back. */
const aboutRefund =
  (make: (payment: { id: string }) => object | undefined) =>
  async ({ owner }: Scene) => {
    world.clock.forward(limits.attemptWindow)
    const { id } = await refundOf(world, owner)
    return { given: make({ id }), shows: id }
  }

/** How each is called, with things made anew for every caller. */
const calls: Record<string, (scene: Scene) => Promise<Made>> = {
  'GET /management/team/all': aboutTeam(() => undefined),
  'GET /management/team/view/:id': aboutTeam(({ teamId }) => ({ params: { id: teamId } })),
  'PUT /management/team/update/:id': aboutTeam(({ teamId }) => ({
    params: { id: teamId },
    body: { name: 'Renamed' },
  })),
  'DELETE /management/team/remove/:teamId': aboutTeam(({ teamId, colleague }) => ({
    params: { teamId },
    query: { userId: colleague.id },
  })),
  'DELETE /management/team/leave/:id': aboutTeam(({ teamId }) => ({ params: { id: teamId } })),
  'GET /management/team/invitations': aboutTeam(() => undefined),
  'POST /management/team/invite': aboutTeam(({ teamId }) => ({
    body: { teamId, email: `${randomUUID()}@example.com` },
  })),
  'PUT /management/team/respond': aboutTeam(({ teamId }) => ({ body: { teamId, accept: true } })),
  'DELETE /management/team/cancel': aboutTeam(({ teamId, invitee }) => ({
    query: { teamId, email: invitee.email },
  })),

  'GET /management/project/all': aboutProject(() => undefined),
  'GET /management/project/price': aboutProject(() => undefined),
  'GET /management/project/view/:key': aboutProject(({ key }) => ({ params: { key } })),
  'POST /management/project/create': aboutTeam(({ teamId }) => ({
    body: { name: 'Created', teamId, regionId: 'eu' },
  })),
  'PUT /management/project/update/:id/name': aboutProject(({ id }) => ({
    params: { id },
    body: { name: 'Renamed' },
  })),
  'PUT /management/project/update/:id/domain': aboutProject(({ id }) => ({
    params: { id },
    body: { domain: null },
  })),
  'POST /management/project/domain/check/:id': async ({ teamId }) => {
    const domain = `${randomUUID()}.example.com`
    const { id } = await world.project({ teamId, domain })
    return { given: { params: { id } }, shows: domain }
  },
  'DELETE /management/project/delete/:id': aboutProject(({ id }) => ({ params: { id } })),
  'POST /management/project/retry/:id': aboutProject(({ id }) => ({ params: { id } })),
  'POST /auth/project/code': aboutProject(({ key }) => ({
    body: {
      client_id: key,
      redirect_uri: `http://${key}.localhost:${world.env.SITES_PORT}/`,
      response_type: 'code',
    },
  })),

  'GET /support/ticket/all': aboutTicket(() => undefined),
  'GET /support/ticket/unread': async (scene) => ({
    ...(await aboutTicket(() => undefined)(scene)),
    shows: /"count":[1-9]/,
  }),
  'GET /support/ticket/view/:id': aboutTicket(({ id }) => ({ params: { id } })),
  'GET /support/ticket/view/:id/older': aboutTicket(
    ({ id, replyId }) => ({ params: { id }, query: { before: replyId } }),
    { showsMessage: true },
  ),
  'POST /support/ticket/create': async () => ({
    given: { body: { subject: 'My own', message: 'An example' } },
  }),
  'PUT /support/ticket/state/:id/update': aboutTicket(({ id }) => ({
    params: { id },
    body: { state: 'resolved' },
  })),
  'PUT /support/ticket/read/:id': aboutTicket(({ id, messageId }) => ({
    params: { id },
    body: { messageId },
  })),
  'POST /support/ticket/message/:id/create': aboutTicket(({ id }) => ({
    params: { id },
    body: { text: 'A message' },
  })),

  'GET /account/payment-method/all': aboutCard(() => undefined),
  'POST /account/payment-method/create': async () => ({ given: { body: cardForm() } }),
  'PUT /account/payment-method/update/:id': aboutCard(({ id }) => ({
    params: { id },
    body: billing,
  })),
  'PUT /account/payment-method/default/:id': aboutCard(({ id }) => ({ params: { id } })),
  'DELETE /account/payment-method/delete/:id': aboutCard(({ id }) => ({ params: { id } })),

  'GET /account/invoice/pdf/:id': async ({ owner }) => {
    const { id } = await invoiceOf(world, owner)
    return { given: { params: { id } }, shows: `${id.slice(-8)}.pdf` }
  },
  'POST /account/invoice/pay': async ({ owner }) => {
    const body = {
      invoiceIds: [(await invoiceOf(world, owner)).id],
      paymentMethodId: (await cardOf(owner)).id,
    }
    return { given: { body } }
  },

  'GET /operator/ticket/all': aboutTicket(({ subject }) => ({ query: { search: subject } })),
  'GET /operator/ticket/view/:id': aboutTicket(({ id }) => ({ params: { id } })),
  'GET /operator/ticket/view/:id/older': aboutTicket(
    ({ id, replyId }) => ({ params: { id }, query: { before: replyId } }),
    { showsMessage: true },
  ),
  'POST /operator/ticket/message/:id/create': aboutTicket(({ id }) => ({
    params: { id },
    body: { text: 'A reply' },
  })),
  'GET /operator/product/all': async () => ({ shows: '"id":"website"' }),
  'POST /operator/product/price': async () => ({
    given: { body: { productId: 'website', price: '0.0125' } },
  }),
  'POST /operator/product/discount': async ({ owner }) => ({
    given: { body: { email: owner.email, productId: 'website', discount: null } },
  }),
  'POST /operator/invoice/issue': async ({ owner }) => ({ given: { body: { userId: owner.id } } }),
  'GET /operator/payment/refunds': aboutRefund(() => undefined),
  'POST /operator/payment/refunded/:id': aboutRefund(({ id }) => ({ params: { id } })),
}

/** What came of the call: for what only reads, whether it showed the thing. */
async function permission(endpoint: Endpoint, { call }: TestUser, { given, shows = '' }: Made) {
  let answer: unknown
  const ended = await outcome(
    call(endpoint, given as RequestOf<Endpoint>).then((answered) => {
      answer = answered
    }),
  )
  if (ended !== 'ok' || endpoint.method !== 'GET') return ended
  return JSON.stringify(answer).search(shows) >= 0 ? 'ok' : 'nothing'
}

describe('the table of permissions', () => {
  it('has a row for every call of its parts, and no other', () => {
    const declared = endpoints.map(title).sort()
    expect([...rows.keys()].sort()).toEqual(declared)
    expect(Object.keys(calls).sort()).toEqual(declared)
  })

  it.each([...rows])('holds for %s', async (name, expected) => {
    const endpoint = endpoints.find((each) => title(each) === name)
    const make = calls[name]
    if (!endpoint || !make) throw new Error('the contract has no such call')
    const scene = await newScene()
    const found: Record<string, string> = {}
    // Whoever succeeds changes what the others would find.
    const order = [...roles.keys()].sort(
      (a, b) => Number(expected[a] === 'ok') - Number(expected[b] === 'ok'),
    )
    for (const place of order) {
      const role = roles[place] ?? ''
      const person = scene.people[role]
      if (!person) throw new Error(`the scene has no ${role}`)
      found[role] = await permission(endpoint, person, await make(scene))
    }
    expect(found).toEqual(Object.fromEntries(roles.map((role, place) => [role, expected[place]])))
  })
})
