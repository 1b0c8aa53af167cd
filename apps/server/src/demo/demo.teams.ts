import { day, hour } from '@slipway/contract/limits'
import { inviteToTeam, respondToInvitation, updateTeam } from '@slipway/contract/teams'
import { ada, alan, edith, grace, operator, type Person } from './demo.people.ts'
import type { Moment } from './demo.stage.ts'

type Ago = (age: number) => Date

const signsUp = (at: Date, person: Person): Moment => ({
  at,
  happens: (stage) => stage.signUp(person),
})

const names = (at: Date, owner: Person, name: string): Moment => ({
  at,
  async happens(stage) {
    const { id } = await stage.teamOf(owner)
    await (await stage.as(owner))(updateTeam, { params: { id }, body: { name } })
  },
})

const invites = (at: Date, owner: Person, { email }: Pick<Person, 'email'>): Moment => ({
  at,
  async happens(stage) {
    const { id: teamId } = await stage.teamOf(owner)
    await (await stage.as(owner))(inviteToTeam, { body: { teamId, email } })
  },
})

const accepts = (at: Date, person: Person, owner: Person): Moment => ({
  at,
  async happens(stage) {
    const { id: teamId } = await stage.teamOf(owner)
    await (await stage.as(person))(respondToInvitation, { body: { teamId, accept: true } })
  },
})

/** Sign-ups, memberships and pending invitations. */
export const teamMoments = (ago: Ago): Moment[] => [
  signsUp(ago(120 * day), operator),
  signsUp(ago(98 * day), ada),
  names(ago(98 * day - hour), ada, 'Harbour Quarter'),
  signsUp(ago(95 * day), grace),
  names(ago(95 * day - hour), grace, 'Studio Example'),
  invites(ago(94 * day), ada, grace),
  accepts(ago(94 * day - 2 * hour), grace, ada),
  invites(ago(93 * day), grace, ada),
  accepts(ago(93 * day - hour), ada, grace),
  signsUp(ago(81 * day), alan),
  invites(ago(80 * day), ada, alan),
  accepts(ago(80 * day - 3 * hour), alan, ada),
  signsUp(ago(12 * day), edith),
  names(ago(12 * day - hour), edith, 'Night Market'),
  invites(ago(26 * hour), edith, ada),
  invites(ago(5 * hour), ada, { email: 'mary@example.com' }),
]
