import type { Page } from '@playwright/test'
import { listInvitations, listTeams, viewTeam } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { at, type Picture } from './picture-list.ts'
import { row, sendInvitation } from './team-screens.ts'
import type { Say } from './wording.ts'

const loading = (
  name: string,
  path: string,
  call: string,
  table: (say: Say) => string,
): Picture => ({
  name,
  show: async (page, say) => {
    await page.route(`**/api${call.replace(':id', '*')}`, () => undefined)
    await page.goto(path)
    await page.getByRole('table', { name: table(say) }).waitFor()
  },
})

const asking = (name: string, button: (say: Say) => string, within?: string): Picture => ({
  name,
  show: async (page: Page, say) => {
    const place = within === undefined ? page : row(page, within)
    await place.getByRole('button', { name: button(say) }).click()
    await page.getByRole('alertdialog').waitFor()
  },
})

/** Nothing is held back any more that was for the picture before. */
const unheld = ({ name, show }: Picture): Picture => ({
  name,
  show: async (page, say) => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await show(page, say)
  },
})

/** What somebody sees who owns a team, has joined another one and is invited to two more. */
export function teamPictures({ own, joined }: { own: string; joined: string }) {
  const pictures: Picture[] = [
    at('teams', '/teams'),
    loading('teams-loading', '/teams', listTeams.path, (say) => say(m.teams_list_caption)),
    loading('team-loading', `/teams/view/${own}`, viewTeam.path, (say) => say(m.teams_users)),
    at('team-own', `/teams/view/${own}`),
    {
      name: 'team-invite-error',
      show: async (page, say) => {
        await sendInvitation(page, say, 'mary@example.com')
        await page.getByText(say(m.error_already_invited)).waitFor()
      },
    },
    asking('team-removing', (say) => say(m.teams_remove), 'Alan Example'),
    {
      name: 'team-cancelling',
      show: async (page, say) => {
        await page.keyboard.press('Escape')
        await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
        await asking('', (locale) => locale(m.teams_cancel), 'mary@example.com').show(page, say)
      },
    },
    at('team-joined', `/teams/view/${joined}`),
    asking('team-leaving', (say) => say(m.teams_leave)),
    at('team-missing', '/teams/view/no-such-team'),
    loading('invitations-loading', '/teams/invitations', listInvitations.path, (say) =>
      say(m.teams_invitations_caption),
    ),
    at('invitations', '/teams/invitations'),
    asking('invitation-rejecting', (say) => say(m.teams_reject), 'Night Market'),
    at('invitations-for-other', '/teams/invitations?email=somebody.else@example.com'),
  ]
  return pictures.map(unheld)
}

/** What somebody sees who is alone, and not invited. `own` is their team. */
export const alonePictures = (own: string): Picture[] => [
  at('teams-alone', '/teams'),
  at('team-alone', `/teams/view/${own}`),
  at('invitations-empty', '/teams/invitations'),
]
