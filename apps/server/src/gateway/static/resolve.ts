import type { Manifest } from '../../artifacts/manifest.ts'
import { findRedirect, type RedirectRule } from './redirects.ts'

export type Resolution =
  | { kind: 'file'; path: string; status: number }
  | { kind: 'redirect'; to: string; status: number }
  | { kind: 'missing' }
  | { kind: 'malformed' }

type Site = { manifest: Manifest; redirects: readonly RedirectRule[] }

/**
 * True for files that visitors must not read: the site's rules and hidden files, such as `.git`.
 * They may read `/.well-known/` (RFC 8615).
 */
export const isHidden = (path: string) =>
  path === '_redirects' || path === '_headers' || /(?:^|\/)\.(?!well-known\/)/.test(path)

/** Resolves a request target. As in Netlify, a file has priority over an unforced redirect. */
export function resolve(site: Site, target: string): Resolution {
  const queryStart = target.indexOf('?')
  const rawPath = queryStart === -1 ? target : target.slice(0, queryStart)
  const search = queryStart === -1 ? '' : target.slice(queryStart)
  const path = decodePath(rawPath)
  if (path === null) return { kind: 'malformed' }
  return (
    followRule(site, path, search, true) ??
    findFile(site, path, rawPath, search) ??
    followRule(site, path, search, false) ??
    notFound(site)
  )
}

/** Null when it is malformed. */
export function decodePath(rawPath: string): string | null {
  try {
    const path = decodeURIComponent(rawPath).normalize('NFC')
    return path.includes('\0') ? null : path
  } catch {
    return null
  }
}

function followRule(site: Site, path: string, search: string, forced: boolean): Resolution | null {
  const rule = findRedirect(site.redirects, path, search, forced)
  if (!rule) return null
  if (rule.status >= 300 && rule.status < 400) return { kind: 'redirect', ...rule }
  const target = decodePath(rule.to.split('?')[0] ?? '')
  const file = target === null ? null : fileOf(site, target)
  return file === null ? null : { kind: 'file', path: file, status: rule.status }
}

/** The file of a path: the exact one, the one with `.html`, or the index of a folder. */
function fileOf({ manifest }: Site, path: string): string | null {
  const name = path.slice(1)
  const candidates =
    name === '' || name.endsWith('/') ? [`${name}index.html`] : [name, `${name}.html`]
  const file = candidates.find((candidate) => manifest.has(candidate))
  return file === undefined || isHidden(file) ? null : file
}

function findFile(site: Site, path: string, rawPath: string, search: string): Resolution | null {
  const file = fileOf(site, path)
  if (file !== null) return { kind: 'file', path: file, status: 200 }
  // Relative links need the slash after a folder, and none after a page.
  const withOtherSlash = path.endsWith('/') ? rawPath.slice(0, -1) : `${rawPath}/`
  // Null for `/about%2F`, whose last character is no slash.
  const otherPath = decodePath(withOtherSlash)
  const exists = path !== '/' && otherPath !== null && fileOf(site, otherPath) !== null
  if (!exists) return null
  // A target that begins with two slashes names another host.
  return { kind: 'redirect', to: `/${withOtherSlash.replace(/^\/+/, '')}${search}`, status: 301 }
}

const notFound = ({ manifest }: Site): Resolution =>
  manifest.has('404.html') ? { kind: 'file', path: '404.html', status: 404 } : { kind: 'missing' }
