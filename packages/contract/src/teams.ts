import * as z from 'zod/mini'
import { lowercaseEmail } from './email.ts'
import { endpoint } from './endpoint.ts'
import { emailAddress, singleLineText } from './field-schemas.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { requiredText } from './required-text.ts'

export type TeamId = Id<'Team'>

/** A team; `userId` is its owner. */
export const team = z.object({
  id: idOutput<'Team'>(),
  name: z.string(),
  userId: idOutput<'User'>(),
})
export type Team = z.output<typeof team>

/** A team with its members. `users` are the members without the owner. */
export const teamDetail = z.extend(team, {
  owner: z.object({ id: idOutput<'User'>(), name: z.string() }),
  users: z.array(
    z.object({
      id: idOutput<'User'>(),
      name: z.string(),
      username: z.string(),
      createdAt: z.iso.datetime(),
    }),
  ),
  invited: z.array(z.object({ email: z.string(), createdAt: z.iso.datetime() })),
})
export type TeamDetail = z.output<typeof teamDetail>

export const listTeams = endpoint('GET /management/team/all', {
  summary: 'List the teams that the user owns or joined',
  access: 'projects',
  response: z.array(team),
})

export const viewTeam = endpoint('GET /management/team/view/:id', {
  summary: 'Get a team with its users and invitations',
  params: { id: idInput<'Team'>() },
  response: teamDetail,
  errors: ['team_not_found'],
})

export const updateTeam = endpoint('PUT /management/team/update/:id', {
  summary: 'Rename a team; owner only',
  params: { id: idInput<'Team'>() },
  body: z.object({ name: singleLineText('form_enter_name') }),
  response: team,
  errors: ['team_not_found', 'forbidden'],
})

export const removeFromTeam = endpoint('DELETE /management/team/remove/:teamId', {
  summary: 'Remove a user from a team; owner only',
  params: { teamId: idInput<'Team'>() },
  query: z.object({ userId: idInput<'User'>() }),
  errors: ['team_not_found', 'forbidden', 'item_not_found', 'owner_cannot_leave'],
})

export const leaveTeam = endpoint('DELETE /management/team/leave/:id', {
  summary: 'Leave a team; the owner cannot',
  params: { id: idInput<'Team'>() },
  errors: ['team_not_found', 'owner_cannot_leave'],
})

/** A pending invitation of the user; `email` is their address. */
export const invitation = z.object({
  teamId: idOutput<'Team'>(),
  teamName: z.string(),
  /** The name of the team's owner. */
  ownerName: z.string(),
  email: z.string(),
  createdAt: z.iso.datetime(),
})
export type Invitation = z.output<typeof invitation>

export const listInvitations = endpoint('GET /management/team/invitations', {
  summary: 'List the pending invitations of the user',
  response: z.array(invitation),
})

export const inviteToTeam = endpoint('POST /management/team/invite', {
  summary: 'Invite an email address to a team, with or without an account; owner only',
  body: z.object({ teamId: idInput<'Team'>(), email: emailAddress('form_enter_invitation_email') }),
  response: z.object({
    teamId: idOutput<'Team'>(),
    email: z.string(),
    createdAt: z.iso.datetime(),
  }),
  errors: [
    'team_not_found',
    'forbidden',
    'self_invite_not_possible',
    'already_joined',
    'already_invited',
    'invitation_limit_reached',
    'action_limit_reached',
  ],
})

export const respondToInvitation = endpoint('PUT /management/team/respond', {
  summary: 'Accept or reject an invitation',
  body: z.object({ teamId: idInput<'Team'>(), accept: z.boolean('form_invalid') }),
  errors: ['invitation_not_found'],
})

export const cancelInvitation = endpoint('DELETE /management/team/cancel', {
  summary: 'Cancel an invitation; team owner only',
  query: z.object({
    teamId: idInput<'Team'>(),
    email: requiredText('form_enter_invitation_email').check(z.overwrite(lowercaseEmail)),
  }),
  errors: ['team_not_found', 'forbidden', 'invitation_not_found'],
})
