import type { Page } from '@playwright/test'
import type { Client } from '@slipway/contract/client'
import { limits } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import { listProjects } from '@slipway/contract/projects'
import { markTicketRead } from '@slipway/contract/support'
import { type Locale, m } from '@slipway/phrases'
import { expectAccessible } from './accessibility.ts'
import type { TestDatabase } from './database.ts'
import { newEmail, ownTeam, type Person } from './person.ts'
import { insertOwnProject } from './project-screens.ts'
import { heading, signIn } from './screens.ts'
import { openTicket, resolveUnnoticed, ticketPath } from './support-screens.ts'
import { invite } from './team-screens.ts'
import { expect, test } from './test.ts'
import { type Say, wordsIn } from './wording.ts'

type Screen = { path: string; shows: (say: Say) => string }

const forGuests: Screen[] = [
  { path: '/auth/login', shows: (say) => say(m.auth_login_title) },
  { path: '/auth/sign-up', shows: (say) => say(m.auth_sign_up_title) },
  { path: '/auth/forgot-password', shows: (say) => say(m.auth_forgot_title) },
  { path: '/auth/reset-password', shows: (say) => say(m.auth_reset_title) },
  { path: '/auth/reset-password?token=any', shows: (say) => say(m.auth_reset_title) },
  { path: '/auth/verify?token=wrong', shows: (say) => say(m.auth_verify_title) },
  { path: '/auth/login/oauth', shows: (say) => say(m.oauth_return_title) },
  { path: '/auth/code', shows: (say) => say(m.oauth_code_title) },
  { path: '/terms', shows: (say) => say(m.legal_terms_title) },
  { path: '/privacy', shows: (say) => say(m.legal_privacy_title) },
  { path: '/no/such/page', shows: (say) => say(m.shell_page_not_found) },
]

const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverwaltung'

/** Another one each time: only so much is mailed to an address. */
const newLongEmail = () => `${'somebody.'.repeat(4)}${newEmail()}`

/** The page fits: nothing has to be scrolled sideways. */
async function expectToFit(page: Page, widths: readonly number[]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await expect
      .poll(() => page.evaluate<number>('document.documentElement.scrollWidth'), {
        message: `${page.url()} at ${width}`,
      })
      .toBeLessThanOrEqual(width)
  }
}

/** Somebody with badges in the navigation, and things whose names are as long as names get. */
async function createScene({
  newPerson,
  operator,
  database,
}: {
  newPerson: (given?: { name?: string; verified?: boolean }) => Promise<Person>
  operator: Client
  database: TestDatabase
}) {
  const person = await newPerson({ name: longName })
  const team = await ownTeam(person)
  const email = newLongEmail()
  await invite(person, { email })
  await invite(await newPerson({ name: longName }), person)
  const failed = await insertOwnProject(database, person, {
    failure: 'engine_failed',
    name: longName,
    domain: `${'long-'.repeat(10)}${team.id}.example.org`,
  })
  // One with a link to its site: the list is as wide as it gets.
  await insertOwnProject(database, person, { state: 'modifying', name: 'Community Garden' })
  const deleted = await insertOwnProject(database, person, { state: 'deleted' })
  const subject = 'w'.repeat(limits.subjectMax)
  const ticket = await openTicket(person, { subject, message: subject })
  await operator(replyToTicket, { params: { id: ticket.id }, body: { text: longName } })
  const resolved = await openTicket(person, { subject: longName })
  await resolveUnnoticed(database, resolved.id)
  const closed = await openTicket(person)
  await resolveUnnoticed(database, closed.id, 2 * limits.ticketClosesAfter)
  return { person, team, email, failed, deleted, ticket, resolved, closed }
}
type Scene = Awaited<ReturnType<typeof createScene>>

const forSignedIn: Record<string, (scene: Scene) => Screen[]> = {
  projects: ({ failed, deleted }) => [
    { path: '/projects', shows: (say) => say(m.projects_title) },
    { path: '/projects/create', shows: (say) => say(m.projects_create) },
    { path: `/projects/view/${failed.key}`, shows: () => failed.name },
    { path: `/projects/view/${deleted.key}`, shows: () => deleted.name },
    { path: '/projects/view/none', shows: (say) => say(m.projects_project) },
  ],
  support: ({ ticket, resolved, closed }) => [
    { path: '/support/tickets', shows: (say) => say(m.support_title) },
    { path: '/support/tickets/create', shows: (say) => say(m.support_create) },
    ...[ticket, resolved, closed].map(({ id, subject }) => ({
      path: ticketPath(id),
      shows: () => subject,
    })),
    { path: ticketPath('none'), shows: (say) => say(m.support_ticket) },
  ],
  teams: ({ team: { id, name }, email }) => [
    { path: '/teams', shows: (say) => say(m.teams_title) },
    { path: `/teams/view/${id}`, shows: () => name },
    { path: '/teams/view/none', shows: (say) => say(m.teams_team) },
    { path: '/teams/invitations', shows: (say) => say(m.teams_invitations) },
    { path: `/teams/invitations?email=${email}`, shows: (say) => say(m.teams_invitations) },
  ],
  'the account': () => [
    { path: '/account/profile', shows: (say) => say(m.account_profile) },
    { path: '/account/billing/overview', shows: (say) => say(m.invoices_overview_title) },
    { path: '/account/billing/invoices', shows: (say) => say(m.invoices_title) },
    { path: '/account/billing/invoices/view/none', shows: (say) => say(m.invoices_invoice) },
    { path: '/account/billing/invoices/pay', shows: (say) => say(m.payments_screen_title) },
    { path: '/account/billing/payment-methods/add', shows: (say) => say(m.cards_add) },
  ],
}

/**
 * How the screens are looked at in each language: what is not a matter of words is looked at in one of them,
 * and Turkish has the longer words. The last width is the phone's, where axe looks.
 */
const looks: { locale: Locale; widths: readonly number[]; isChecked: boolean }[] = [
  { locale: 'tr', widths: [1024, 768, 640, 390, 360, 320], isChecked: false },
  { locale: 'en', widths: [640, 390], isChecked: true },
]

async function expectToBeFine(page: Page, screens: readonly Screen[]) {
  for (const { locale, widths, isChecked } of looks) {
    const say = wordsIn(locale)
    await page.goto('/favicon.svg')
    await page.evaluate((value) => localStorage.setItem('preferredLocale', value), locale)
    for (const { path, shows } of screens) {
      await page.goto(path)
      await expect(heading(page, shows(say))).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectToFit(page, widths)
      if (isChecked) await expectAccessible(page)
    }
  }
}

test.describe('every screen fits every window and is accessible in the dark', () => {
  // Fingers need more room than a mouse does.
  test.use({ colorScheme: 'dark', hasTouch: true })

  test('for guests', async ({ page }) => {
    await expectToBeFine(page, forGuests)
  })

  test('for whoever has not verified their address', async ({ page, newPerson }) => {
    await signIn(page, await newPerson({ verified: false }))
    const shows = (say: Say) => say(m.auth_ask_verify_title)
    await expectToBeFine(page, [{ path: '/auth/ask-verify', shows }])
  })

  for (const [area, screensOf] of Object.entries(forSignedIn))
    test(`of ${area}`, async ({ page, newPerson, operator, database }) => {
      const scene = await createScene({ newPerson, operator, database })
      // The badges of the navigation stay while the tickets are looked at.
      await page.route(`**/api${markTicketRead.path.replace(':id', '*')}`, () => undefined)
      await signIn(page, scene.person)
      await expectToBeFine(page, screensOf(scene))
    })
})

// That no page breaks it is checked in every test: a violation is an error in the browser.
test.describe('the content security policy', () => {
  test('lets only the own files in', async ({ page, say, newPerson }) => {
    await signIn(page, await newPerson())
    const answer = await page.goto('/projects/create')
    await expect(heading(page, say(m.projects_create))).toBeVisible()
    const policy = new Map(
      (answer?.headers()['content-security-policy'] ?? '').split(';').map((directive) => {
        const [name = '', ...sources] = directive.trim().split(/\s+/)
        return [name, sources]
      }),
    )
    expect(policy.get('default-src')).toEqual(["'none'"])
    expect(policy.get('frame-ancestors')).toEqual(["'none'"])
    expect(policy.get('base-uri')).toEqual(["'none'"])
    for (const directive of ['script-src', 'style-src']) {
      const sources = policy.get(directive) ?? []
      expect(sources.length, directive).toBeGreaterThan(0)
      for (const source of sources) expect(source).toMatch(/^'(self|sha256-.+)'$/)
    }
  })
})

test.describe('motion', () => {
  for (const reducedMotion of ['reduce', 'no-preference'] as const)
    test.describe(`with prefers-reduced-motion: ${reducedMotion}`, () => {
      test.use({ contextOptions: { reducedMotion } })

      test(`is ${reducedMotion === 'reduce' ? 'absent' : 'there'} while something loads`, async ({
        page,
        say,
        newPerson,
      }) => {
        await signIn(page, await newPerson())
        let answer = () => {}
        const held = new Promise<void>((resolve) => {
          answer = resolve
        })
        await page.route(`**/api${listProjects.path}`, async (route) => {
          await held
          await route.continue()
        })
        await page.goto('/projects')
        await expect(page.getByRole('table', { name: say(m.projects_list_caption) })).toBeVisible()
        const moving = await page.evaluate<number>('document.getAnimations().length')
        if (reducedMotion === 'reduce') expect(moving).toBe(0)
        else expect(moving).toBeGreaterThan(0)
        answer()
        await expect(page.getByText(say(m.projects_empty))).toBeVisible()
      })
    })
})
