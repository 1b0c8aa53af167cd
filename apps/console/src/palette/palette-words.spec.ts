import type { UserProfile } from '@slipway/contract/account'
import type { Project } from '@slipway/contract/projects'
import type { Team } from '@slipway/contract/teams'
import { getLocale, type Locale } from '@slipway/phrases'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { overwriteGetLocale } from '../../../../packages/phrases/src/paraglide/runtime.js'
import { paletteActions } from './palette-actions.ts'
import { indexItems, rank } from './palette-rank.ts'
import { paletteScreens } from './palette-screens.ts'
import { projectActions } from './project-actions.ts'

// Replaces the Node build of the phrases by one whose language a test can change.
vi.mock('@slipway/phrases', () => import('../../../../packages/phrases/src/index.ts'))

const profile = { id: 'ada' } as unknown as UserProfile
const teams = [{ id: 'studio', name: 'Studio', userId: 'ada' }] as unknown as Team[]

function resultsOf(locale: Locale, query: string, project?: Project) {
  overwriteGetLocale(() => locale)
  const items = [...paletteScreens('page'), ...paletteActions({ teams, profile, logOut: () => {} })]
  if (project) items.push(...projectActions(project))
  return rank(indexItems(items), query, []).map(({ id }) => id)
}

describe('the palette', () => {
  const originalGetLocale = getLocale
  afterEach(() => overwriteGetLocale(originalGetLocale))

  it.each<[Locale, string, string]>([
    ['en', 'pay', '/account/billing/invoices/pay'],
    ['en', 'unpaid', '/account/billing/invoices/pay'],
    ['en', 'bill', '/account/billing/overview'],
    ['en', 'card', '/account/billing/overview'],
    ['en', 'invite', 'invite:studio'],
    ['en', 'delete', '/projects'],
    ['en', 'dark', 'color:dark'],
    ['en', 'theme', 'color:auto'],
    ['en', 'language', 'speak:tr'],
    ['en', 'password', '/account/security'],
    ['en', 'account', '/account/profile'],
    ['en', 'help', '/support/tickets'],
    ['en', 'sign out', 'log-out'],
    ['en', 'docs', 'docs'],
    ['en', 'logs', '/projects'],
    ['en', 'backup', '/projects'],
    ['en', 'restore', '/projects'],
    ['en', 'invoice', '/account/billing/invoices'],
    ['tr', 'öde', '/account/billing/invoices/pay'],
    ['tr', 'ode', '/account/billing/invoices/pay'],
    ['tr', 'ödenmemiş', '/account/billing/invoices/pay'],
    ['tr', 'fatura', '/account/billing/overview'],
    ['tr', 'kart', '/account/billing/overview'],
    ['tr', 'davet', '/teams/invitations'],
    ['tr', 'davet et', 'invite:studio'],
    ['tr', 'sil', '/projects'],
    ['tr', 'koyu', 'color:dark'],
    ['tr', 'tema', 'color:auto'],
    ['tr', 'dil', 'speak:en'],
    ['tr', 'şifre', '/account/security'],
    ['tr', 'parola', '/account/security'],
    ['tr', 'yardım', '/support/tickets'],
    ['tr', 'belge', 'docs'],
    ['tr', 'günlük', '/projects'],
    ['tr', 'yedek', '/projects'],
  ])('in %s, “%s” finds %s first', (locale, query, id) => {
    expect(resultsOf(locale, query)[0]).toBe(id)
  })

  it.each<[Locale, string]>([
    ['en', 'backup'],
    ['en', 'restore'],
    ['tr', 'yedek'],
    ['tr', 'geri yükle'],
  ])('in %s, “%s” finds the backups of a project, and no ticket', (locale, query) => {
    const project = { id: 'garden', key: 'garden-x7k2p1', name: 'Garden', state: 'creating' }
    const results = resultsOf(locale, query, project as unknown as Project)
    const backups = projectActions(project as unknown as Project).find(({ to }) =>
      to?.endsWith('/backups'),
    )
    expect(results).toContain(backups?.id)
    expect(results).not.toContain('/support/tickets/create')
  })

  it('finds an action by a related word, such as "pay" or "delete"', () => {
    expect(resultsOf('en', 'pay')).toContain('/account/billing/payment-methods/add')
    expect(resultsOf('en', 'card')).toContain('/account/billing/payment-methods/add')
    expect(resultsOf('en', 'delete')).toContain('/account/profile')
    expect(resultsOf('tr', 'sil')).toContain('/account/profile')
  })
})
