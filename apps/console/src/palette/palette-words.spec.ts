import type { UserProfile } from '@slipway/contract/account'
import type { Team } from '@slipway/contract/teams'
import { getLocale, type Locale } from '@slipway/phrases'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { overwriteGetLocale } from '../../../../packages/phrases/src/paraglide/runtime.js'
import { paletteActions } from './palette-actions.ts'
import { palettePages } from './palette-pages.ts'
import { indexOf, rank } from './palette-rank.ts'

// Those that can be told another language: Node's file of them keeps its own.
vi.mock('@slipway/phrases', () => import('../../../../packages/phrases/src/index.ts'))

const profile = { id: 'ada' } as unknown as UserProfile
const teams = [{ id: 'studio', name: 'Studio', userId: 'ada' }] as unknown as Team[]

/** What is found first, and what after it. */
function found(locale: Locale, typed: string) {
  overwriteGetLocale(() => locale)
  const items = [...palettePages(), ...paletteActions({ teams, profile, logOut: () => {} })]
  return rank(indexOf(items), typed, []).map(({ id }) => id)
}

describe('the palette', () => {
  const usual = getLocale
  afterEach(() => overwriteGetLocale(usual))

  it.each<[Locale, string, string]>([
    ['en', 'pay', 'pay'],
    ['en', 'unpaid', 'pay'],
    ['en', 'bill', '/account/billing/overview'],
    ['en', 'card', '/account/billing/overview'],
    ['en', 'invite', 'invite:studio'],
    ['en', 'delete', '/projects'],
    ['en', 'dark', 'color:dark'],
    ['en', 'theme', 'color:auto'],
    ['en', 'language', 'speak:tr'],
    ['en', 'password', '/account/profile'],
    ['en', 'account', '/account/profile'],
    ['en', 'help', '/support/tickets'],
    ['en', 'sign out', 'log-out'],
    ['tr', 'öde', 'pay'],
    ['tr', 'ode', 'pay'],
    ['tr', 'ödenmemiş', 'pay'],
    ['tr', 'fatura', '/account/billing/overview'],
    ['tr', 'kart', '/account/billing/overview'],
    ['tr', 'davet', '/teams/invitations'],
    ['tr', 'davet et', 'invite:studio'],
    ['tr', 'sil', '/projects'],
    ['tr', 'koyu', 'color:dark'],
    ['tr', 'tema', 'color:auto'],
    ['tr', 'dil', 'speak:en'],
    ['tr', 'şifre', '/account/profile'],
    ['tr', 'parola', '/account/profile'],
    ['tr', 'yardım', '/support/tickets'],
  ])('finds in %s for “%s” first of all %s', (locale, typed, id) => {
    expect(found(locale, typed)[0]).toBe(id)
  })

  it('finds what comes next to it, too', () => {
    expect(found('en', 'pay')).toContain('add-card')
    expect(found('en', 'card')).toContain('add-card')
    expect(found('en', 'delete')).toContain('/account/profile')
    expect(found('tr', 'sil')).toContain('/account/profile')
  })
})
