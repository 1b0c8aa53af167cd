import type { Instance } from '../../engines/hosting/engine.ts'
import type { Env } from '../../env.ts'
import type { Project } from './projects.store.ts'

/** The host a project always answers on. */
const defaultHost = (env: Pick<Env, 'SITES_DOMAIN'>, key: string) => `${key}.${env.SITES_DOMAIN}`

/** The address a project always answers at, as visitors reach it. */
export function defaultUrl(env: Pick<Env, 'SITES_DOMAIN' | 'SITES_URL'>, key: string) {
  const { protocol, port } = new URL(env.SITES_URL)
  return `${protocol}//${defaultHost(env, key)}${port === '' ? '' : `:${port}`}`
}

/** What the engine is asked to run for a project. */
export const instanceOf = (env: Pick<Env, 'SITES_DOMAIN'>, project: Project): Instance => ({
  key: project.key,
  name: project.name,
  regionId: project.regionId,
  hosts: [defaultHost(env, project.key), ...(project.domain === null ? [] : [project.domain])],
})
