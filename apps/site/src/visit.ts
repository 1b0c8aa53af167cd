import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ContentStore } from './content.ts'
import type { Drafts } from './drafts.ts'
import { type Language, preferredLanguage } from './language.ts'
import type { Log } from './log.ts'
import type { LoginProvider } from './login-provider.ts'
import type { PictureFiles } from './picture-files.ts'
import type { Sessions } from './sessions.ts'
import type { Settings } from './settings.ts'
import type { SiteKey } from './site-key.ts'
import type { WebsiteStore } from './website.ts'

export type Site = {
  settings: () => Settings
  content: ContentStore
  website: WebsiteStore
  pictureFiles: PictureFiles
  drafts: Drafts
  key: () => Promise<SiteKey>
  sessions: Sessions
  provider: LoginProvider
  version: string
  log: Log
}

/** One request to the site. */
export type Visit = {
  site: Site
  request: IncomingMessage
  response: ServerResponse
  language: Language
  path: string
}

export const createVisit = (
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Visit => ({
  site,
  request,
  response,
  language: preferredLanguage(request.headers['accept-language']),
  path: (request.url ?? '/').split('?', 1)[0] ?? '/',
})

const forwarded = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/**
 * The URL as the visitor sees it, from the gateway's forwarding headers, which visitors cannot
 * forge. Null when the host is malformed.
 */
export const visitedUrl = ({ request }: Visit): URL | null => {
  const { headers } = request
  const host = forwarded(headers['x-forwarded-host']) ?? headers.host ?? ''
  const protocol = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  if (!/^[\w.:[\]-]+$/.test(host)) return null
  const path = request.url?.startsWith('/') ? request.url : '/'
  return URL.parse(`${protocol}://${host}${path}`)
}

/** True when the visitor uses TLS. */
export const isSecure = (visit: Visit): boolean => visitedUrl(visit)?.protocol === 'https:'
