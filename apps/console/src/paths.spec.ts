import type { UserId } from '@slipway/contract/account'
import type { ProjectId, ProjectKey } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { createMemoryHistory } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import { paths } from './paths.ts'
import { createConsoleRouter } from './router.tsx'

/** The route each link leads to. A new link does not compile before it is in this table. */
const routes: Record<keyof typeof paths, string> = {
  home: '/',
  login: '/auth/login',
  signUp: '/auth/sign-up',
  forgotPassword: '/auth/forgot-password',
  resetPassword: '/auth/reset-password',
  askVerify: '/auth/ask-verify',
  verify: '/auth/verify',
  externalLogin: '/auth/login/oauth',
  projectLogin: '/auth/code',
  terms: '/terms',
  privacy: '/privacy',
  projects: '/projects',
  createProject: '/projects/create',
  project: '/projects/view/$projectKey',
  teams: '/teams',
  team: '/teams/view/$teamId',
  inviteTo: '/teams/view/$teamId',
  invitations: '/teams/invitations',
  tickets: '/support/tickets',
  createTicket: '/support/tickets/create',
  ticket: '/support/tickets/view/$ticketId',
  profile: '/account/profile',
  billing: '/account/billing/overview',
  invoices: '/account/billing/invoices',
  invoice: '/account/billing/invoices/view/$invoiceId',
  payInvoices: '/account/billing/invoices/pay',
  addPaymentMethod: '/account/billing/payment-methods/add',
}

const strange = 'a b/ç?x=1#y$z%2F..'
const names = Object.keys(routes) as (keyof typeof paths)[]

const address = (name: keyof typeof paths) => (paths[name] as (value: string) => string)(strange)

function leafOf(href: string) {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [href] }))
  const match = router.matchRoutes(router.latestLocation).at(-1)
  return { id: match?.routeId, path: match?.fullPath, params: Object.values(match?.params ?? {}) }
}

describe('paths', () => {
  it('takes the id of its own resource alone', () => {
    const teamId = 'team' as TeamId
    expect(paths.team(teamId)).toBe('/teams/view/team')
    // @ts-expect-error A ticket's page takes a ticket's id.
    paths.ticket(teamId)
    // @ts-expect-error An invoice's page takes an invoice's id.
    paths.invoice(teamId)
    // @ts-expect-error A project's page takes its key.
    paths.project('project' as ProjectId)
    // @ts-expect-error A team's page takes its id.
    paths.team('shop-x7k2p1' as ProjectKey)
    // @ts-expect-error Nor does it take any text.
    paths.team('team')
    // @ts-expect-error The invitation form is on a team's page.
    paths.inviteTo('ada' as UserId)
  })

  it.each(names)('%s leads to its route', (name) => {
    expect(leafOf(address(name)).path).toBe(routes[name])
  })

  it.each(names.filter((name) => routes[name] !== '/'))('%s also ends in a slash', (name) => {
    expect(leafOf(`${address(name)}/`).path).toBe(routes[name])
  })

  it.each(names.filter((name) => routes[name].includes('$')))(
    '%s gives back what was put into it, whatever it is',
    (name) => {
      expect(leafOf(address(name)).params).toEqual([strange])
    },
  )

  it('leaves an unknown address to the page that says so', () => {
    expect(leafOf('/nowhere').id).toBe('__root__')
  })
})
