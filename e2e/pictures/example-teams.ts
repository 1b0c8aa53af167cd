import { getProfile } from '@slipway/contract/account'
import { day, hour, minute } from '@slipway/contract/limits'
import {
  inviteToTeam,
  listTeams,
  respondToInvitation,
  type TeamId,
  updateTeam,
} from '@slipway/contract/teams'
import type { TestDatabase } from '../harness/database.ts'
import { createUser, ownTeam, type TestUser } from '../harness/user.ts'

/** The members of the user's team and its invitations. Ages are in milliseconds. */
const members = [
  { name: 'Alan Example', email: 'alan@example.com', age: 80 * day },
  { name: 'Müzeyyen Hacıabdülhamitoğulları Örnek', email: 'muzeyyen@example.com', age: 3 * day },
]
const invitees = [
  { email: 'mary@example.com', age: 5 * hour },
  { email: 'new.colleague@studio.example', age: 2 * minute },
  { email: 'cocuk.tiyatrolari.festivali@karadeniz-kultur-dernegi.example', age: minute },
]

/** The teams that invite the user. */
const invitingTeams = [
  { owner: 'Hedy Example', email: 'hedy@example.com', team: 'Harbour Festival', age: 26 * hour },
  {
    owner: 'Şükrüye Hacıhüseyinzadeoğulları Örnek',
    email: 'sukruye@example.com',
    team: 'Uluslararası Karadeniz Çocuk Tiyatroları Festivali Düzenleme Kurulu ve Gönüllüleri',
    age: 3 * hour,
  },
  { owner: 'Edith Example', email: 'edith@example.com', team: 'Night Market', age: 12 * minute },
]

/** Invites through the API, and backdates the invitation. */
async function invite(
  { pool }: TestDatabase,
  owner: TestUser,
  teamId: TeamId,
  { email, age }: { email: string; age: number },
) {
  await owner.call(inviteToTeam, { body: { teamId, email } })
  await pool.query(
    'update team_invitations set created_at = $1 where team_id = $2 and email = $3',
    [new Date(Date.now() - age), teamId, email],
  )
}

/**
 * Creates members of the user's team, its invitations and those of other teams, and returns the ids
 * of the user's own and joined team. The user must have joined a team.
 */
export async function createExampleTeams(url: string, database: TestDatabase, user: TestUser) {
  const teams = await user.call(listTeams)
  const { id: userId } = await user.call(getProfile)
  const ownTeamId = teams.find((team) => team.userId === userId)?.id
  const otherTeamId = teams.find((team) => team.userId !== userId)?.id
  if (!ownTeamId || !otherTeamId) throw new Error('the user owns no team, or has joined none')
  for (const { name, email, age } of members) {
    const member = await createUser(url, { name, email })
    await invite(database, user, ownTeamId, { email, age })
    await member.call(respondToInvitation, { body: { teamId: ownTeamId, accept: true } })
    await database.pool.query(
      `update team_members set created_at = $1
       where team_id = $2 and user_id = (select id from users where email = $3)`,
      [new Date(Date.now() - age), ownTeamId, email],
    )
  }
  for (const each of invitees) await invite(database, user, ownTeamId, each)
  for (const { owner: name, email, team, age } of invitingTeams) {
    const owner = await createUser(url, { name, email })
    const { id: invitingTeamId } = await ownTeam(owner)
    await owner.call(updateTeam, { params: { id: invitingTeamId }, body: { name: team } })
    await invite(database, owner, invitingTeamId, { email: user.email, age })
  }
  return { own: ownTeamId, joined: otherTeamId }
}
