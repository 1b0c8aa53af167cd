import type { Context } from '../../context.ts'
import * as mail from '../mail/mail.service.ts'
import * as projects from '../projects/projects.service.ts'
import {
  composeMessage,
  maxHeaderBytes,
  readMessage,
  recipientsOf,
  subjectOf,
} from './site-emails.message.ts'

const maxRecipients = 10

/**
 * Puts an email of a site into the outbox, as its program gave it to `sendmail`. Returns null, or
 * why it is not sent, for the log of the site.
 */
export async function send(
  ctx: Pick<Context, 'db' | 'env' | 'clock' | 'jobs' | 'write'>,
  key: string,
  email: Buffer,
): Promise<string | null> {
  const limit = ctx.env.SITE_EMAILS_PER_DAY
  if (limit === 0) return 'this service sends no emails for sites'
  const project = await projects.findSite(ctx, key)
  if (!project) return 'this site is being deleted'
  const message = readMessage(email)
  if (!message) return `its header is larger than ${maxHeaderBytes / 1024} KB`
  const { valid: recipients, invalid } = recipientsOf(message)
  if (invalid.length > 0) return `${invalid[0]?.slice(0, 100)} is no email address`
  if (recipients.length === 0) return 'it has no recipient'
  if (recipients.length > maxRecipients)
    return `it has ${recipients.length} recipients, and ${maxRecipients} is the most`
  const raw = composeMessage(message, {
    key,
    name: `${project.name} (${project.host})`,
    sender: mail.siteSender(ctx.env),
  })
  const outgoing = { projectId: project.id, recipients, subject: subjectOf(message), raw }
  const isSent = await ctx.write((tx) => mail.sendOfSite(ctx, tx, outgoing, limit))
  return isSent ? null : `this site may send ${limit} emails in 24 hours`
}
