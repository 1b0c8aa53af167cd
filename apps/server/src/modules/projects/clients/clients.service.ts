import type { UserId } from '@slipway/contract/account'
import type { ProjectId, ProjectKey } from '@slipway/contract/projects'
import type { Context, Db } from '../../../context.ts'
import { publicPorts } from '../../../env/public-ports.ts'
import * as domains from '../../domains/domains.service.ts'
import { siteUrl } from '../../regions/regions.service.ts'
import * as teams from '../../teams/teams.service.ts'
import { isKey } from '../projects.key.ts'
import { isDeleted } from '../projects.policy.ts'
import * as store from '../projects.store.ts'

type Ctx = Pick<Context, 'env'> & { db: Db }

/** A project as a client of the login provider, with the origins its redirect URI may have. */
export type SiteClient = { id: ProjectId; key: ProjectKey; name: string; origins: string[] }

async function siteClient(
  ctx: Ctx,
  project: store.Project | undefined,
): Promise<SiteClient | undefined> {
  if (!project || isDeleted(project)) return undefined
  const { protocol, origin } = new URL(siteUrl(ctx.env, project.key))
  const ports = publicPorts(ctx.env)
  const custom = (await domains.listServed(ctx.db, project.id))
    .filter(({ role }) => role !== 'redirect')
    .flatMap(({ host }) => [
      ...(protocol === 'http:' ? [new URL(`http://${host}:${ports.http}`).origin] : []),
      new URL(`https://${host}:${ports.https}`).origin,
    ])
  const { id, key, name } = project
  return { id, key: key as ProjectKey, name, origins: [origin, ...custom] }
}

/** The login provider's client with this key; undefined for an unknown or deleted project. */
export async function findClient(ctx: Ctx, key: string): Promise<SiteClient | undefined> {
  return isKey(key) ? siteClient(ctx, await store.findByKey(ctx.db, key)) : undefined
}

/** The login provider's client of the project with this id. */
export const findClientById = async (ctx: Ctx, id: ProjectId): Promise<SiteClient | undefined> =>
  siteClient(ctx, await store.findForReconciler(ctx.db, id))

/** True for a member of an undeleted project's team: the site may read the user's profile. */
export async function isMember(db: Db, userId: UserId, id: ProjectId): Promise<boolean> {
  const project = await store.findForReconciler(db, id)
  return (
    project !== undefined &&
    !isDeleted(project) &&
    (await teams.memberIds(db, project.teamId)).includes(userId)
  )
}
