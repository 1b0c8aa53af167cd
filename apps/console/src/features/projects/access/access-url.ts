import type { Project } from '@slipway/contract/projects'
import { projectStates, shownState } from '../project-states.ts'

type Reachable = Pick<
  Project,
  'state' | 'power' | 'failure' | 'domain' | 'domainVerdict' | 'defaultUrl' | 'runtime'
>

/** The path where a site signs users in through the console. */
const signInPath = '/yk/app/auth/oauth/cloud'

/** True if the custom domain shows the site: the gateway routes it and DNS points to it. */
const isDomainLive = ({ state, failure, domainVerdict }: Reachable) =>
  state === 'ready' && failure !== 'domain_not_routed' && domainVerdict === 'correct'

/**
 * True if the site exists but its custom domain does not show it yet, so that links use the
 * default URL.
 */
export const usesDefaultUrl = (project: Reachable) =>
  project.domain !== null &&
  !projectStates[shownState(project)].noSiteReason &&
  !isDomainLive(project)

/**
 * The site's public URL: the custom domain once it shows the site, otherwise the default URL; null
 * without a site. The domain uses the scheme and port of the default URL.
 */
export function siteUrl(project: Reachable) {
  if (projectStates[shownState(project)].noSiteReason) return null
  const url = new URL(project.defaultUrl)
  if (project.domain && isDomainLive(project)) url.hostname = project.domain
  return url.href
}

/** True for a site of ours, which signs its team in through the console. */
export const signsIn = ({ runtime }: Pick<Project, 'runtime'>) =>
  runtime === 'starter' || runtime === 'wordpress'

/** The sign-in URL of the site; null without a site and for one without a sign-in. */
export function accessUrl(project: Reachable) {
  if (!signsIn(project)) return null
  const site = siteUrl(project)
  return site && new URL(signInPath, site).href
}
