import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './command.mjs'

const features = 'apps/console/src/features'
const modules = 'apps/server/src/modules'

/**
 * The topics of e2e that test a folder. The longest path decides. Folders of the product that are
 * not listed, such as the shared packages, are tested by every topic.
 * @type {Record<string, string[]>}
 */
export const topicsByFolder = {
  [`${features}/account`]: ['account', 'screens'],
  [`${features}/auth`]: ['auth', 'screens'],
  [`${features}/billing`]: ['billing', 'screens'],
  [`${features}/legal`]: ['screens'],
  [`${features}/projects`]: ['projects', 'screens', 'journeys'],
  [`${features}/support`]: ['support', 'screens'],
  [`${features}/teams`]: ['teams', 'screens'],
  'apps/console/src/forms': ['forms', 'account', 'auth', 'billing', 'projects', 'support', 'teams'],
  'apps/console/src/palette': ['shell'],
  'apps/console/src/shell/connection': ['offline', 'shell'],
  'apps/console/src/shell/lists': ['tables'],
  'apps/console/src/ui/table': ['tables', 'screens'],
  [`${modules}/account`]: ['account'],
  [`${modules}/activity`]: ['projects'],
  [`${modules}/auth`]: ['auth', 'journeys'],
  [`${modules}/backups`]: ['projects'],
  [`${modules}/captcha`]: ['auth'],
  [`${modules}/certificates`]: ['projects'],
  [`${modules}/clusters`]: ['projects'],
  [`${modules}/container-images`]: ['projects'],
  [`${modules}/content-archives`]: ['projects'],
  [`${modules}/devices`]: ['account', 'server'],
  [`${modules}/domains`]: ['projects'],
  [`${modules}/environment`]: ['projects'],
  [`${modules}/external-login`]: ['auth'],
  [`${modules}/instances`]: ['projects'],
  [`${modules}/invoices`]: ['billing', 'journeys'],
  [`${modules}/invoices-pdf`]: ['billing'],
  [`${modules}/login-provider`]: ['auth', 'projects'],
  [`${modules}/logs`]: ['projects'],
  [`${modules}/next-steps`]: ['projects'],
  [`${modules}/payment-methods`]: ['billing'],
  [`${modules}/payments`]: ['billing', 'journeys'],
  [`${modules}/personal-tokens`]: ['account', 'server'],
  [`${modules}/products`]: ['billing', 'projects'],
  [`${modules}/projects`]: ['projects', 'journeys'],
  [`${modules}/regions`]: ['projects'],
  [`${modules}/registries`]: ['projects'],
  [`${modules}/release-archives`]: ['projects', 'server'],
  [`${modules}/releases`]: ['projects', 'server', 'journeys'],
  [`${modules}/retention`]: ['account'],
  [`${modules}/runtime-versions`]: ['projects'],
  [`${modules}/runtimes`]: ['projects'],
  [`${modules}/sign-in-clients`]: ['auth', 'projects'],
  [`${modules}/site-backups`]: ['projects'],
  [`${modules}/site-clients`]: ['auth', 'projects'],
  [`${modules}/site-emails`]: ['journeys'],
  [`${modules}/site-pictures`]: ['projects'],
  [`${modules}/site-restores`]: ['projects'],
  [`${modules}/support`]: ['support'],
  [`${modules}/teams`]: ['teams'],
  [`${modules}/traffic`]: ['projects'],
  [`${modules}/usage`]: ['billing', 'projects'],
  'apps/server/src/engines/hosting': ['projects', 'journeys', 'server', 'auth'],
  'apps/server/src/engines/payments': ['billing', 'journeys'],
  'apps/server/src/artifacts': ['projects', 'journeys', 'server'],
  'apps/server/src/backup': ['server'],
  'apps/server/src/fastcgi': ['projects', 'journeys'],
  'apps/server/src/gateway': ['projects', 'journeys', 'auth'],
  'apps/server/src/logs': ['projects', 'journeys'],
  'apps/cli': ['server'],
  'apps/operator': ['support'],
  'apps/site': ['projects', 'journeys', 'auth'],
  'packages/terminal': ['server'],
}

/** The folders of e2e that have specs. */
export const allTopics = readdirSync(join(root, 'e2e'), { withFileTypes: true })
  .filter(
    (entry) =>
      entry.isDirectory() &&
      readdirSync(join(root, 'e2e', entry.name)).some((file) => file.endsWith('.spec.ts')),
  )
  .map(({ name }) => name)

/**
 * The topics of e2e that test the changed files.
 * @param {readonly string[]} paths relative to the repository
 */
export function topicsOfChanges(paths) {
  const topics = new Set(paths.flatMap(topicsOfFile))
  return allTopics.filter((topic) => topics.has(topic))
}

/** @param {string} path */
function topicsOfFile(path) {
  const [top = '', topic = ''] = path.split('/')
  if (top === 'e2e') return allTopics.includes(topic) ? [topic] : allTopics
  if (path === 'package-lock.json') return allTopics
  const isProduct = top === 'apps' || top === 'packages'
  const isSpecOrText = /\.(spec\.tsx?|md)$/.test(path)
  if (!isProduct || isSpecOrText) return []
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const found = topicsByFolder[folder]
    if (found) return found
  }
  return allTopics
}
