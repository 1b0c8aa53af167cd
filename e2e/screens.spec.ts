import type { Page } from '@playwright/test'
import { limits } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import { listProjects } from '@slipway/contract/projects'
import { changeTicketState, markTicketRead } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { expectAccessible } from './accessibility.ts'
import { insertProject } from './database.ts'
import { ownTeam } from './person.ts'
import { heading, signIn } from './screens.ts'
import { openTicket, resolveEarlier, ticketPath } from './support-screens.ts'
import { invite } from './team-screens.ts'
import { expect, test } from './test.ts'
import type { Say } from './wording.ts'

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

const longEmail = `${'somebody.'.repeat(6)}else@example.com`

/** The page fits: nothing has to be scrolled sideways, from the smallest phones to a small desktop. */
async function expectToFit(page: Page) {
  for (const width of [1024, 768, 640, 390, 360, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await expect
      .poll(() => page.evaluate<number>('document.documentElement.scrollWidth'), {
        message: `${page.url()} at ${width}`,
      })
      .toBeLessThanOrEqual(width)
  }
}

for (const locale of ['en-GB', 'tr-TR'])
  test.describe(`every screen in ${locale}`, () => {
    // Fingers need more room than a mouse does.
    test.use({ locale, colorScheme: 'dark', hasTouch: true })

    test('fits every window and is accessible in the dark, for guests', async ({ page, say }) => {
      for (const { path, shows } of forGuests) {
        await page.goto(path)
        await expect(heading(page, shows(say))).toBeVisible()
        await expectToFit(page)
        await expectAccessible(page)
      }
    })

    test('fits every window and is accessible in the dark, for the signed-in', async ({
      page,
      say,
      newPerson,
      operator,
      database,
    }) => {
      const waiting = await newPerson({ verified: false })
      const person = await newPerson({ name: longName })
      const team = await ownTeam(person)
      const { id: teamId } = team
      await invite(person, { email: longEmail })
      await invite(await newPerson({ name: longName }), person)
      const domain = `${'long-'.repeat(10)}${teamId}.example.org`
      const failed = await insertProject(database, {
        teamId,
        state: 'failed_creating',
        failure: 'engine_failed',
        name: longName,
        domain,
      })
      // One with a link to its site: the list is as wide as it gets.
      await insertProject(database, { teamId, state: 'modifying', name: 'Community Garden' })
      const deleted = await insertProject(database, { teamId, state: 'deleted' })
      const subject = 'w'.repeat(limits.subjectMax)
      const ticket = await openTicket(person, { subject, message: subject })
      await operator(replyToTicket, { params: { id: ticket.id }, body: { text: longName } })
      const resolved = await openTicket(person, { subject: longName })
      await person.call(changeTicketState, {
        params: { id: resolved.id },
        body: { state: 'resolved' },
      })
      // The badges of the navigation are there on every screen.
      await page.route(`**/api${markTicketRead.path.replace(':id', '*')}`, () => undefined)
      const closed = await openTicket(person)
      await person.call(changeTicketState, {
        params: { id: closed.id },
        body: { state: 'resolved' },
      })
      await resolveEarlier(database, closed.id, 2 * limits.ticketClosesAfter)

      const screens: (Screen & { as?: typeof person })[] = [
        { path: '/auth/ask-verify', shows: () => say(m.auth_ask_verify_title), as: waiting },
        { path: '/projects', shows: () => say(m.projects_title), as: person },
        { path: '/projects/create', shows: () => say(m.projects_create) },
        { path: `/projects/view/${failed.key}`, shows: () => failed.name },
        { path: `/projects/view/${deleted.key}`, shows: () => deleted.name },
        { path: '/projects/view/none', shows: () => say(m.projects_project) },
        { path: '/support/tickets', shows: () => say(m.support_title) },
        { path: '/support/tickets/create', shows: () => say(m.support_create) },
        { path: ticketPath(ticket.id), shows: () => subject },
        { path: ticketPath(resolved.id), shows: () => longName },
        { path: ticketPath(closed.id), shows: () => closed.subject },
        { path: ticketPath('none'), shows: () => say(m.support_ticket) },
        { path: '/teams', shows: () => say(m.teams_title) },
        { path: `/teams/view/${teamId}`, shows: () => team.name },
        { path: '/teams/view/none', shows: () => say(m.teams_team) },
        { path: '/teams/invitations', shows: () => say(m.teams_invitations) },
        {
          path: `/teams/invitations?email=${longEmail}`,
          shows: () => say(m.teams_invitations),
        },
        { path: '/account/profile', shows: () => say(m.account_profile) },
        {
          path: '/account/billing/overview',
          shows: () => say(m.shell_not_here_yet, { area: say(m.shell_billing) }),
        },
      ]
      for (const { path, shows, as } of screens) {
        if (as) await signIn(page, as)
        await page.goto(path)
        await expect(heading(page, shows(say))).toBeVisible()
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
        await expectToFit(page)
        await expectAccessible(page)
      }
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
