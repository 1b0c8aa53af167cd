import type { Project } from '@slipway/contract/projects'
import { projectStates } from './project-states.ts'

type Reachable = Pick<Project, 'state' | 'failure' | 'domain' | 'defaultUrl'>

/** Where a site signs its people in through the console. */
const signInPath = '/yk/app/auth/oauth/cloud'

/**
 * Where the access link leads: the custom domain, once the gateway routes it, else the default URL. Null
 * while there is no site to open. The domain is served as the default URL is: same scheme, same port.
 */
export function accessUrl({ state, failure, domain, defaultUrl }: Reachable) {
  if (projectStates[state].closed) return null
  const url = new URL(signInPath, defaultUrl)
  if (domain && state === 'ready' && failure !== 'domain_not_routed') url.hostname = domain
  return url.href
}
