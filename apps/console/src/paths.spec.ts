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
  project: '/projects/view/$key',
  teams: '/teams',
  team: '/teams/view/$id',
  inviteTo: '/teams/view/$id',
  invitations: '/teams/invitations',
  tickets: '/support/tickets',
  createTicket: '/support/tickets/create',
  ticket: '/support/tickets/view/$id',
  profile: '/account/profile',
  billing: '/account/billing/overview',
  invoices: '/account/billing/invoices',
  invoice: '/account/billing/invoices/view/$id',
  payInvoices: '/account/billing/invoices/pay',
  addPaymentMethod: '/account/billing/payment-methods/add',
}

const strange = 'a b/ç?x=1#y$z%2F..'
const names = Object.keys(routes) as (keyof typeof paths)[]

function leafOf(href: string) {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [href] }))
  const match = router.matchRoutes(router.latestLocation).at(-1)
  return { id: match?.routeId, path: match?.fullPath, params: Object.values(match?.params ?? {}) }
}

describe('paths', () => {
  it.each(names)('%s leads to its route', (name) => {
    expect(leafOf(paths[name](strange)).path).toBe(routes[name])
  })

  it.each(names.filter((name) => routes[name] !== '/'))('%s also ends in a slash', (name) => {
    expect(leafOf(`${paths[name](strange)}/`).path).toBe(routes[name])
  })

  it.each(names.filter((name) => routes[name].includes('$')))(
    '%s gives back what was put into it, whatever it is',
    (name) => {
      expect(leafOf(paths[name](strange)).params).toEqual([strange])
    },
  )

  it('leaves an unknown address to the page that says so', () => {
    expect(leafOf('/nowhere').id).toBe('__root__')
  })
})
