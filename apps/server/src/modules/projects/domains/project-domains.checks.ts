import type { DomainId } from '@slipway/contract/domains'
import type { Context, Tx } from '../../../context.ts'
import { recordActivity } from '../../activity/activity.service.ts'
import * as domains from '../../domains/domains.service.ts'
import * as mail from '../../mail/mail.service.ts'
import * as teams from '../../teams/teams.service.ts'
import { isDeleted } from '../projects.policy.ts'
import * as projects from '../projects.service.ts'
import * as store from '../projects.store.ts'
import {
  failedDomainEmail,
  recoveredDomainEmail,
  type WrongRecord,
} from './project-domains.emails.ts'

/** Enqueues every check that is due, including those whose job died with its server. */
export async function sweep(ctx: Context): Promise<void> {
  // Sorted, so that two concurrent sweeps cannot deadlock.
  const due = await domains.listDue(ctx.db, ctx.clock.now())
  if (due.length === 0) return
  due.sort((first, second) => (first.id < second.id ? -1 : 1))
  await ctx.write(async (tx) => {
    for (const domain of due) await domains.sendCheck(ctx, tx, domain)
  })
}

/**
 * Examines a name and stores the result: it may become the project's, fail or work again. Does
 * nothing while another check of the same host runs.
 */
export async function check(ctx: Context, id: DomainId): Promise<void> {
  const domain = await domains.findOwned(ctx.db, id)
  if (!domain) return
  await ctx.locks.exclusively(`domain ${domain.host}`, async () => {
    const examination = await domains.examineName(ctx, domain)
    const holder = domain.state === 'pending' ? await domains.findHolder(ctx, domain) : undefined
    const holderExamination = holder ? await domains.examineName(ctx, holder) : null
    await ctx.write(async (tx) => {
      // Sorted, so that two checks cannot deadlock.
      const ids = [...new Set([domain.projectId, ...(holder ? [holder.projectId] : [])])].sort()
      const locked = new Map<string, store.Project>()
      for (const projectId of ids) {
        const project = await store.lock(tx, projectId)
        if (project && !isDeleted(project)) locked.set(projectId, project)
      }
      const settled = await domains.settle(ctx, tx, domain, examination, holderExamination)
      const project = locked.get(domain.projectId)
      if (!settled || !project) return
      for (const projectId of settled.rerouted) {
        const rerouted = locked.get(projectId)
        if (rerouted) await projects.applyDomainChange(ctx, tx, rerouted)
      }
      if (settled.isChanged) await projects.publishChange(tx, domain.projectId)
      const concerns = { project }
      const entry = { concerns, subject: domain.host, actor: 'service' } as const
      if (settled.isProven) await recordActivity(ctx, tx, { ...entry, kind: 'domain_proven' })
      if (settled.news) {
        const record = wrongRecord(examination)
        const email =
          settled.news === 'failed'
            ? (about: EmailedDomain) => failedDomainEmail(record, about)
            : recoveredDomainEmail
        await emailTeam(ctx, tx, project, domain, settled.news, email)
        await recordActivity(ctx, tx, { ...entry, kind: `domain_${settled.news}` })
      }
    })
  })
}

type EmailedDomain = Parameters<typeof recoveredDomainEmail>[0]

/** The problems that another record solves. */
const recordProblems = ['record_missing', 'record_elsewhere', 'private_address']

/** The records that no longer lead here; undefined if the reason is another one. */
function wrongRecord(examination: domains.Examination | null): WrongRecord | undefined {
  const {
    problem = null,
    found = [],
    expected = [],
  } = examination?.steps.find(({ id }) => id === 'record') ?? {}
  return problem !== null && recordProblems.includes(problem) ? { found, expected } : undefined
}

/** Emails the members of the team that its name fails, or works again. */
async function emailTeam(
  ctx: Context,
  tx: Tx,
  project: store.Project,
  domain: domains.Domain,
  news: 'failed' | 'recovered',
  createEmail: typeof recoveredDomainEmail,
) {
  const time = ctx.clock.now()
  for (const { id, name, email, locale } of await teams.listMembers(tx, project.teamId)) {
    const content = createEmail({
      locale: locale ?? 'en',
      name,
      project,
      host: domain.host,
      time,
      publicUrl: ctx.env.PUBLIC_URL,
    })
    const key = `domain:${domain.id}:${news}:${time.getTime()}:${id}`
    await mail.send(ctx, tx, { key, to: email, ...content })
  }
}
