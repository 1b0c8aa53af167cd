import { isSignUpEmail } from '@slipway/contract/email'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Invitation, TeamId } from '@slipway/contract/teams'
import type { Tx, UserContext } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { invalid, problem } from '../../problem.ts'
import { recordActivity } from '../activity/activity.service.ts'
import * as events from '../events/events.service.ts'
import * as mail from '../mail/mail.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { invitationEmail } from './teams.emails.ts'
import * as store from './teams.invitations.store.ts'
import { mayCancelInvitation, mayInvite } from './teams.policy.ts'
import { lock, publishChange, publishChangeToUser } from './teams.service.ts'
import * as teams from './teams.store.ts'

/** The user's pending invitations, oldest first. */
export const list = async (ctx: UserContext): Promise<Invitation[]> =>
  (await store.listForEmail(ctx.db, ctx.user.email)).map((invitation) => ({
    ...invitation,
    createdAt: invitation.createdAt.toISOString(),
  }))

/** Counts an invitation's email for the inviter and for the address. */
async function countEmail(ctx: UserContext, tx: Tx, email: string) {
  const now = ctx.clock.now()
  const errorCode = 'action_limit_reached'
  await throttle.consume(
    tx,
    now,
    `invite:user:${ctx.user.id}`,
    serviceLimits.invitationsPerUser,
    errorCode,
  )
  await throttle.consume(
    tx,
    now,
    `mail:invite:${email}`,
    serviceLimits.emailsPerAddressAndKind,
    errorCode,
  )
}

/**
 * The provider to log in with, for an address that our sign-up does not accept. Undefined for an
 * address that it accepts, and without a provider.
 */
const providerFor = (ctx: UserContext, email: string) =>
  isSignUpEmail(email) ? undefined : ctx.loginProviders[0]?.name

/**
 * Invites an address to the user's team and emails it; returns the invitation. Throws
 * `team_not_found`, `forbidden`, `self_invite_not_possible`, `already_joined`, `already_invited`,
 * `invitation_limit_reached` for too many pending invitations, `action_limit_reached` for too many
 * emails to the address or by the user, and `validation_error` for an address that cannot get an
 * account.
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
    // Counted after the insert, which the error rolls back.
    if ((await store.countPending(tx, team.id)) > serviceLimits.invitationsPerTeam)
      throw problem('invitation_limit_reached')
    await countEmail(ctx, tx, email)
    // An unverified account may not belong to the invitee, so its name and locale are not used.
    const verifiedInvitee = invitee?.verifiedAt ? invitee : undefined
    await mail.send(ctx, tx, {
      // A new key: another invitation, after a rejection for example, sends another email.
      key: `invitation:${newId()}`,
      to: email,
      ...invitationEmail({
        locale: verifiedInvitee?.locale ?? ctx.locale,
        email,
        inviteeName: verifiedInvitee?.name,
        loginProvider,
        inviterName: ctx.user.name,
        teamName: team.name,
        publicUrl: ctx.env.PUBLIC_URL,
      }),
    })

    const concerns = { teamId: team.id }
    await recordActivity(ctx, tx, { kind: 'member_invited', concerns, subject: email })
    await publishChange(tx, team.id)
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
    const wasPending = team !== undefined && (await store.remove(tx, team.id, ctx.user.email))
    if (!wasPending) throw problem('invitation_not_found')
    if (accept) await teams.insertMember(tx, team.id, ctx.user.id, ctx.clock.now())
    const concerns = { teamId: team.id }
    if (accept) await recordActivity(ctx, tx, { kind: 'member_joined', concerns })
    // Names no user: the team knows only the address, and does not learn whose it is.
    else
      await recordActivity(ctx, tx, {
        kind: 'invitation_rejected',
        concerns,
        subject: ctx.user.email,
        actor: 'service',
      })
    await publishChange(tx, team.id)
    await publishChangeToUser(tx, ctx.user.id)
  })

/** Cancels an invitation. Throws `team_not_found`, `forbidden`, `invitation_not_found`. */
export const cancel = (
  ctx: UserContext,
  { teamId, email }: { teamId: TeamId; email: string },
): Promise<void> =>
  ctx.write(async (tx) => {
    const team = await lock(tx, ctx.user.id, teamId)
    if (!mayCancelInvitation(ctx.user, team)) throw problem('forbidden')
    if (!(await store.remove(tx, team.id, email))) throw problem('invitation_not_found')
    const concerns = { teamId: team.id }
    await recordActivity(ctx, tx, { kind: 'invitation_canceled', concerns, subject: email })
    await publishChange(tx, team.id)
    const invitee = await store.findByEmail(tx, email)
    if (invitee) await publishChangeToUser(tx, invitee.id)
  })
