import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { anyId, type Id, idOf } from './id.ts'

export type TeamId = Id<'Team'>

/** A team; `userId` is its owner. */
export const team = z.object({ id: idOf<'Team'>(), name: z.string(), userId: idOf<'User'>() })
export type Team = z.output<typeof team>

/** A team with its people. `users` are those who joined; the owner stands in `owner` alone. */
export const teamDetail = z.extend(team, {
  owner: z.object({ id: idOf<'User'>(), name: z.string() }),
  users: z.array(
    z.object({
      id: idOf<'User'>(),
      name: z.string(),
      username: z.string(),
      createdAt: z.iso.datetime(),
    }),
  ),
  invited: z.array(z.object({ email: z.string(), createdAt: z.iso.datetime() })),
})
export type TeamDetail = z.output<typeof teamDetail>

export const listTeams = endpoint('GET /management/team/all', {
  summary: 'The teams that the user owns or joined',
  answer: z.array(team),
})

export const viewTeam = endpoint('GET /management/team/view/:id', {
  summary: 'A team with its users and invitations',
  params: { id: anyId<'Team'>() },
  answer: teamDetail,
  errors: ['team_not_found'],
})
