import type { UserId } from '@slipway/contract/account'
import type { ProjectId, ProjectKey } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { createMemoryHistory } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import { paths } from './paths.ts'
import { createConsoleRouter } from './router.tsx'

const unsafeValue = 'a b/ç?x=1#y$z%2F..'

/** Written out, so that a typo in `paths.ts` fails. */
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
  endSession: '/auth/end-session',
  terms: '/terms',
  privacy: '/privacy',
  projects: '/projects',
  createProject: '/projects/create',
  project: '/projects/view/$projectKey',
  releases: '/projects/view/$projectKey/releases',
  logs: '/projects/view/$projectKey/logs',
  traffic: '/projects/view/$projectKey/traffic',
  backups: '/projects/view/$projectKey/backups',
  domains: '/projects/view/$projectKey/domains',
  projectActivity: '/projects/view/$projectKey/activity',
  projectSettings: '/projects/view/$projectKey/settings',
  teams: '/teams',
  team: '/teams/view/$teamId',
  inviteTo: '/teams/view/$teamId',
  invitations: '/teams/invitations',
  tickets: '/support/tickets',
  createTicket: '/support/tickets/create',
  ticket: '/support/tickets/view/$ticketId',
  profile: '/account/profile',
  security: '/account/security',
  tokens: '/account/tokens',
  device: '/account/device',
  billing: '/account/billing/overview',
  invoices: '/account/billing/invoices',
  invoice: '/account/billing/invoices/view/$invoiceId',
  payInvoices: '/account/billing/invoices/pay',
  addPaymentMethod: '/account/billing/payment-methods/add',
}

const links = Object.entries(paths) as [keyof typeof paths, (value: string) => string][]
const cases = links.map(([name, link]) => ({
  name,
  address: link(unsafeValue),
  route: routes[name],
}))

function leafOf(href: string) {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [href] }))
  const match = router.matchRoutes(router.latestLocation).at(-1)
  return { id: match?.routeId, path: match?.fullPath, params: Object.values(match?.params ?? {}) }
}

describe('paths', () => {
  it('accepts only the id of its own resource', () => {
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
    // @ts-expect-error A plain string is not an id.
    paths.team('team')
    // @ts-expect-error The invitation form is on a team's page.
    paths.inviteTo('ada' as UserId)
  })

  it.each(cases)('$name leads to $route', ({ address, route }) => {
    expect(leafOf(address).path).toBe(route)
  })

  it.each(cases.filter(({ route }) => route !== '/'))(
    '$name also matches with a trailing slash',
    ({ address, route }) => {
      expect(leafOf(address.replace(/(?=#|$)/, '/')).path).toBe(route)
    },
  )

  it.each(cases.filter(({ route }) => route.includes('$')))(
    '$name escapes its parameter',
    ({ address }) => {
      expect(leafOf(address).params).toEqual([unsafeValue])
    },
  )

  it('has no route for an unknown URL', () => {
    expect(leafOf('/nowhere').id).toBe('__root__')
  })
})
