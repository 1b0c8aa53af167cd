import {
  cancelInvitation,
  inviteToTeam,
  respondToInvitation,
  viewTeam,
} from '@slipway/contract/teams'
import type { TestUser } from '../../testing/world.ts'

let addresses = 0
export const newEmail = () => `invited.${++addresses}@example.com`

export const invite = ({ call, teamId }: Pick<TestUser, 'call' | 'teamId'>, email: string) =>
  call(inviteToTeam, { body: { teamId, email } })

export const respond = ({ call }: Pick<TestUser, 'call'>, teamId: string, accept: boolean) =>
  call(respondToInvitation, { body: { teamId, accept } })

export const cancel = ({ call, teamId }: Pick<TestUser, 'call' | 'teamId'>, email: string) =>
  call(cancelInvitation, { query: { teamId, email } })

export const pendingInvitations = async ({ call, teamId }: TestUser) =>
  (await call(viewTeam, { params: { id: teamId } })).invited.map(({ email }) => email)

export const teamUpdated = ({ teamId }: TestUser) => ({
  kind: 'Team',
  data: { type: 'Updated', teamId },
})

export const userUpdated = ({ id }: TestUser) => ({
  kind: 'User',
  data: { type: 'Updated', userId: id },
})
