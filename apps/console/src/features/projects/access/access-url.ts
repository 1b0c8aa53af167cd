import { type Project, type StateFields, shownState } from '@slipway/contract/projects'
import { siteOrigin } from '@slipway/contract/site-url'
import { projectStates } from '../project-states.ts'

type Reachable = StateFields &
  Pick<Project, 'domain' | 'domainState' | 'secure' | 'sitePorts' | 'defaultUrl' | 'runtime'>

/** The path where a site signs users in through the console. */
const signInPath = '/yk/app/auth/oauth/cloud'

/** The site's public URL; null without a site. */
export const siteUrl = (project: Reachable) =>
  projectStates[shownState(project)].noSiteReason ? null : `${siteOrigin(project)}/`

/** The host at which visitors find the site, in Unicode. */
export const siteHost = (project: Pick<Project, 'displayDomain' | 'domainState' | 'defaultUrl'>) =>
  project.displayDomain !== null && project.domainState === 'active'
    ? project.displayDomain
    : new URL(project.defaultUrl).host

/** True for a site that signs its team in through the console. */
export const signsIn = ({ runtime }: Pick<Project, 'runtime'>) =>
  runtime === 'starter' || runtime === 'wordpress'

/** The sign-in URL of the site; null without a site and for one without a sign-in. */
export function accessUrl(project: Reachable) {
  if (!signsIn(project)) return null
  const site = siteUrl(project)
  return site && new URL(signInPath, site).href
}
