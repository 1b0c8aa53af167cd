import type { Project } from './projects.ts'

/**
 * The origin where visitors see a project's site: its primary domain once it leads there, otherwise
 * the default URL. The domain uses the port of the default URL if they have the same scheme.
 */
export function siteOrigin({
  domain,
  domainState,
  secure,
  defaultUrl,
}: Pick<Project, 'domain' | 'domainState' | 'secure' | 'defaultUrl'>) {
  const { origin, protocol, port } = new URL(defaultUrl)
  if (domain === null || domainState !== 'active') return origin
  const scheme = secure ? 'https:' : 'http:'
  return `${scheme}//${domain}${scheme === protocol && port ? `:${port}` : ''}`
}
