import type { Project } from './projects.ts'

/**
 * The origin where visitors see a project's site: its primary domain once it leads there, otherwise
 * the default URL.
 */
export function siteOrigin({
  domain,
  domainState,
  secure,
  sitePorts,
  defaultUrl,
}: Pick<Project, 'domain' | 'domainState' | 'secure' | 'sitePorts' | 'defaultUrl'>) {
  if (domain === null || domainState !== 'active') return new URL(defaultUrl).origin
  const scheme = secure ? 'https' : 'http'
  // `URL` drops the default port of the scheme.
  return new URL(`${scheme}://${domain}:${sitePorts[scheme]}`).origin
}
