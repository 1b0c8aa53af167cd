import { isSignUpEmail } from '@slipway/contract/email'
import { limits } from '@slipway/contract/limits'
import type { Invitation, TeamId } from '@slipway/contract/teams'
import type { Tx, UserContext } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { invalid, problem } from '../../problem.ts'
import * as events from '../events/events.service.ts'
import * as mail from '../mail/mail.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { invitationEmail } from './teams.emails.ts'
import * as store from './teams.invitations.store.ts'
import { mayCancelInvitation, mayInvite } from './teams.policy.ts'
import { announce, announceTo, lock } from './teams.service.ts'
import * as teams from './teams.store.ts'

/** The invitations that wait for the user's answer, oldest first. */
export const all = async (ctx: UserContext): Promise<Invitation[]> =>
  (await store.listForEmail(ctx.db, ctx.user.email)).map((invitation) => ({
    ...invitation,
    createdAt: invitation.createdAt.toISOString(),
  }))

/** Counts an invitation's mail: for one person, and for one address whoever writes to it. */
async function countMail(ctx: UserContext, tx: Tx, email: string) {
  const [now, limit] = [ctx.clock.now(), 'action_limit_reached'] as const
  await throttle.take(tx, now, `invite:user:${ctx.user.id}`, limits.invitationsPerUser, limit)
  await throttle.take(tx, now, `mail:invite:${email}`, limits.emailsPerAddressAndKind, limit)
}

/**
 * With whom the address can get an account where our own sign-up takes fewer addresses than mail reaches;
 * undefined when it can sign up, or when there is nobody.
 */
const providerFor = (ctx: UserContext, email: string) =>
  isSignUpEmail(email) ? undefined : ctx.loginProviders[0]?.name

/**
 * Invites an address to the user's team and mails it; gives the invitation. Throws `team_not_found`,
 * `forbidden`, `self_invite_not_possible`, `already_joined`, `already_invited`, `invitation_limit_reached`
 * when too many wait for an answer in the team, `action_limit_reached` when too much was mailed to the
 * address or by the user, and a `validation_error` for an address that nobody can get an account with. Then
 * nothing is stored.
 */
export const invite = (
  ctx: UserContext,
  { teamId, email }: { teamId: TeamId; email: string },
): Promise<{ teamId: TeamId; email: string; createdAt: string }> =>
  ctx.write(async (tx) => {
    const team = await lock(tx, ctx.user.id, teamId)
    if (!mayInvite(ctx.user, team)) throw problem('forbidden')
    if (email === ctx.user.email) throw problem('self_invite_not_possible')
    const invitee = await store.findByEmail(tx, email)
    if (invitee && (await teams.findForUser(tx, invitee.id, team.id)))
      throw problem('already_joined')

    const loginProvider = providerFor(ctx, email)
    if (!invitee && !isSignUpEmail(email) && loginProvider === undefined)
      throw invalid({ email: 'form_invitation_email_characters' })

    const createdAt = ctx.clock.now()
    if (!(await store.insert(tx, team.id, email, createdAt))) throw problem('already_invited')
    if ((await store.countWaiting(tx, team.id)) > limits.invitationsPerTeam)
      throw problem('invitation_limit_reached')
    await countMail(ctx, tx, email)
    // Whoever signed up with the address and did not verify it may be anybody: nothing of theirs is mailed.
    const reader = invitee?.verifiedAt ? invitee : undefined
    await mail.send(ctx, tx, {
      // Whoever is invited again, after a rejection say, is written to again.
      key: `invitation:${newId()}`,
      to: email,
      ...invitationEmail({
        locale: reader?.locale ?? ctx.locale,
        email,
        inviteeName: reader?.name,
        loginProvider,
        inviterName: ctx.user.name,
        teamName: team.name,
        publicUrl: ctx.env.PUBLIC_URL,
      }),
    })

    await announce(tx, team.id)
    if (invitee) {
      const data = { type: 'Invited', userId: invitee.id, teamId: team.id } as const
      await events.publish(tx, { kind: 'User', data })
    }
    return { teamId: team.id, email, createdAt: createdAt.toISOString() }
  })

/** Accepts or rejects an invitation of the user. Throws `invitation_not_found`. */
export const respond = (
  ctx: UserContext,
  { teamId, accept }: { teamId: TeamId; accept: boolean },
): Promise<void> =>
  ctx.write(async (tx) => {
    const team = await store.lockTeamForEmail(tx, ctx.user.email, teamId)
    const waited = team !== undefined && (await store.remove(tx, team.id, ctx.user.email))
    if (!waited) throw problem('invitation_not_found')
    if (accept) await teams.insertMember(tx, team.id, ctx.user.id, ctx.clock.now())
    await announce(tx, team.id)
    await announceTo(tx, ctx.user.id)
  })

/** Takes an invitation back. Throws `team_not_found`, `forbidden`, `invitation_not_found`. */
export const cancel = (
  ctx: UserContext,
  { teamId, email }: { teamId: TeamId; email: string },
): Promise<void> =>
  ctx.write(async (tx) => {
    const team = await lock(tx, ctx.user.id, teamId)
    if (!mayCancelInvitation(ctx.user, team)) throw problem('forbidden')
    if (!(await store.remove(tx, team.id, email))) throw problem('invitation_not_found')
    await announce(tx, team.id)
    const invitee = await store.findByEmail(tx, email)
    if (invitee) await announceTo(tx, invitee.id)
  })
