import type { Project } from '@slipway/contract/projects'
import { projectStates } from '../project-states.ts'

type Reachable = Pick<Project, 'state' | 'failure' | 'domain' | 'domainVerdict' | 'defaultUrl'>

/** Where a site signs its people in through the console. */
const signInPath = '/yk/app/auth/oauth/cloud'

/** Whether whoever goes to the custom domain comes to the site: the gateway routes it, and DNS leads there. */
const isReached = ({ state, failure, domainVerdict }: Reachable) =>
  state === 'ready' && failure !== 'domain_not_routed' && domainVerdict === 'correct'

/** Whether there is a site to open, and a custom domain that does not lead to it: links keep to the default URL. */
export const keepsToDefaultUrl = (project: Reachable) =>
  project.domain !== null && !projectStates[project.state].closed && !isReached(project)

/**
 * Where visitors see the site: at the custom domain, once that leads to it, else at the default URL, which
 * always does. Null while there is no site to open. The domain is served as the default URL is: same scheme,
 * same port.
 */
export function siteUrl(project: Reachable) {
  if (projectStates[project.state].closed) return null
  const url = new URL(project.defaultUrl)
  if (project.domain && isReached(project)) url.hostname = project.domain
  return url.href
}

/** Where the access link leads: the sign-in of the site, at the same address. */
export function accessUrl(project: Reachable) {
  const site = siteUrl(project)
  return site && new URL(signInPath, site).href
}
