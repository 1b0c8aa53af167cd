import { day, hour } from '@slipway/contract/limits'
import { inviteToTeam, respondToInvitation, updateTeam } from '@slipway/contract/teams'
import type { DemoStep } from './demo.context.ts'
import { ada, alan, edith, grace, operator, type Person } from './demo.people.ts'

type Ago = (age: number) => Date

const signUp = (time: Date, person: Person): DemoStep => ({
  time,
  run: (demo) => demo.signUp(person),
})

const renameTeam = (time: Date, owner: Person, name: string): DemoStep => ({
  time,
  async run(demo) {
    const { id } = await demo.teamOf(owner)
    await (await demo.as(owner))(updateTeam, { params: { id }, body: { name } })
  },
})

const invite = (time: Date, owner: Person, { email }: Pick<Person, 'email'>): DemoStep => ({
  time,
  async run(demo) {
    const { id: teamId } = await demo.teamOf(owner)
    await (await demo.as(owner))(inviteToTeam, { body: { teamId, email } })
  },
})

const acceptInvitation = (time: Date, person: Person, owner: Person): DemoStep => ({
  time,
  async run(demo) {
    const { id: teamId } = await demo.teamOf(owner)
    await (await demo.as(person))(respondToInvitation, { body: { teamId, accept: true } })
  },
})

/** Sign-ups, memberships and pending invitations. */
export const teamSteps = (ago: Ago): DemoStep[] => [
  signUp(ago(120 * day), operator),
  signUp(ago(98 * day), ada),
  renameTeam(ago(98 * day - hour), ada, 'Harbour Quarter'),
  signUp(ago(95 * day), grace),
  renameTeam(ago(95 * day - hour), grace, 'Studio Example'),
  invite(ago(94 * day), ada, grace),
  acceptInvitation(ago(94 * day - 2 * hour), grace, ada),
  invite(ago(93 * day), grace, ada),
  acceptInvitation(ago(93 * day - hour), ada, grace),
  signUp(ago(81 * day), alan),
  invite(ago(80 * day), ada, alan),
  acceptInvitation(ago(80 * day - 3 * hour), alan, ada),
  signUp(ago(12 * day), edith),
  renameTeam(ago(12 * day - hour), edith, 'Night Market'),
  invite(ago(26 * hour), edith, ada),
  invite(ago(5 * hour), ada, { email: 'mary@example.com' }),
]
