import type { Context } from '../../context.ts'
import type { Instance } from '../../engines/hosting/engine.ts'
import type { Env } from '../../env/env.ts'
import * as containerImages from '../container-images/container-images.service.ts'
import * as domains from '../domains/domains.service.ts'
import * as environment from '../environment/environment.service.ts'
import * as regions from '../regions/regions.service.ts'
import * as registries from '../registries/registries.service.ts'
import * as siteClients from '../site-clients/site-clients.service.ts'
import { isPowered } from './projects.policy.ts'
import type { Project } from './projects.store.ts'

/** The hosts that show the site of a project, the default one first; no redirects. */
export const hostsOf = (
  env: Pick<Env, 'SITES_DOMAIN'>,
  project: Pick<Project, 'key'>,
  served: readonly domains.ServedDomain[],
): string[] => [
  regions.siteHost(env, project.key),
  ...served.filter(({ role }) => role !== 'redirect').map(({ host }) => host),
]

/** The image that a project runs, and how it is pulled. */
async function imageOf(
  ctx: Pick<Context, 'db' | 'sealing'>,
  { runtime, artifact, teamId }: Project,
): Promise<Pick<Instance, 'image' | 'registry'>> {
  const image = runtime === 'image' ? await containerImages.find(ctx, artifact) : null
  const registry = image && (await registries.credentialsFor(ctx, teamId, image.reference))
  return { image, registry }
}

/** The desired state of a project's instance, for the engine. */
export const instanceOf = async (
  ctx: Pick<Context, 'clock' | 'db' | 'env' | 'sealing' | 'write'>,
  project: Project,
): Promise<Instance> => ({
  key: project.key,
  name: project.name,
  regionId: project.regionId,
  cluster: project.cluster,
  runtime: project.runtime,
  artifact: project.artifact,
  ...(await imageOf(ctx, project)),
  environment: await environment.valuesOf(ctx, project.id),
  hosts: hostsOf(ctx.env, project, await domains.listServed(ctx.db, project.id)),
  power: isPowered(project) ? 'running' : 'stopped',
  restarts: project.restarts,
  signIn: await siteClients.signIn(ctx, project),
})
