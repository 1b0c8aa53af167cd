import type { Page } from '@playwright/test'
import { listInvitations, listTeams, viewTeam } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { clickRowAction, inviteButton, submitInvitation } from '../harness/team-screens.ts'
import type { Translate } from '../harness/texts.ts'
import { failed, loading, type Picture, pageAt } from './picture.ts'

const confirmation = (
  name: string,
  button: (t: Translate) => string,
  /** The name of the row of a member or an invitation. */
  within?: string,
): Picture => ({
  name,
  inWindow: true,
  show: async (page: Page, t) => {
    if (within === undefined) await page.getByRole('button', { name: button(t) }).click()
    else await clickRowAction(page, t, within, button(t))
    await page.getByRole('alertdialog').waitFor()
  },
})

/** For a user who owns a team, has joined another one and has two invitations. */
export function teamPictures({ own, joined }: { own: string; joined: string }) {
  return [
    pageAt('teams', '/teams'),
    loading('teams-loading', '/teams', listTeams),
    failed('teams-failed', '/teams', listTeams),
    loading('team-loading', `/teams/view/${own}`, viewTeam),
    failed('team-failed', `/teams/view/${own}`, viewTeam),
    pageAt('team-own', `/teams/view/${own}`),
    {
      name: 'team-invite-error',
      show: async (page, t) => {
        await submitInvitation(page, t, 'mary@example.com')
        await page.getByText(t(m.error_already_invited)).waitFor()
      },
    },
    confirmation('team-removing', (t) => t(m.teams_remove), 'Alan Example'),
    {
      name: 'team-cancelling',
      inWindow: true,
      show: async (page, t) => {
        // Closes the dialog of the picture before.
        await page.keyboard.press('Escape')
        await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
        await confirmation('', (translate) => translate(m.teams_cancel), 'mary@example.com').show(
          page,
          t,
        )
      },
    },
    {
      name: 'team-inviting',
      inWindow: true,
      show: async (page, t) => {
        await page.goto(`/teams/view/${own}`, { waitUntil: 'networkidle' })
        await inviteButton(page, t).click()
        await page.getByLabel(t(m.auth_email)).fill('somebody.new@example.com')
      },
    },
    pageAt('team-joined', `/teams/view/${joined}`),
    confirmation('team-leaving', (t) => t(m.teams_leave)),
    pageAt('team-missing', '/teams/view/no-such-team'),
    loading('invitations-loading', '/teams/invitations', listInvitations),
    failed('invitations-failed', '/teams/invitations', listInvitations),
    pageAt('invitations', '/teams/invitations'),
    confirmation('invitation-rejecting', (t) => t(m.teams_reject), 'Night Market'),
    pageAt('invitations-for-other', '/teams/invitations?email=somebody.else@example.com'),
  ] satisfies Picture[]
}

/** For a user without members and invitations. `own` is the user's team. */
export const alonePictures = (own: string): Picture[] => [
  pageAt('teams-alone', '/teams'),
  pageAt('team-alone', `/teams/view/${own}`),
  pageAt('invitations-empty', '/teams/invitations'),
]
