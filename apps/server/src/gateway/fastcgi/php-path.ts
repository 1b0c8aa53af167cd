import type { Manifest } from '../../artifacts/manifest.ts'
import type { PhpLayout } from '../../fastcgi/php-layout.ts'
import { decodePath, isHidden } from '../static/resolve.ts'
import type { Script } from './params.ts'

export type PhpResolution =
  | { kind: 'script'; script: Script }
  /** A file of the release, by its path in the release. */
  | { kind: 'file'; path: string }
  /** A file of the writable folder, by its path in the folder. */
  | { kind: 'upload'; path: string }
  | { kind: 'redirect'; to: string }
  | { kind: 'missing' }
  | { kind: 'malformed' }

export type PhpFiles = {
  manifest: Manifest
  layout: PhpLayout
  /** True for an existing file of the writable folder, by its path in the folder. */
  exists(path: string): Promise<boolean>
}

const scriptName = /\.php$/i
/** Source code, files with passwords and logs of errors, also as copies that editors make. */
const neverSent =
  /\.(?:php\d*|phtml|phps|phar|inc)(?:[^a-z\d]|$)|(?:^|\/)(?:wp-config[^/]*|debug\.log|error_log)$/i

/**
 * The folder of the release that visitors see: `public/` of the frameworks that have it, so that
 * their own files stay private.
 */
const documentRootOf = (manifest: Manifest) =>
  !manifest.has('index.php') && manifest.has('public/index.php') ? 'public/' : ''

/**
 * How many parts of a path may be its PHP file, as in `/folder.php/report.php/2026`. Each is looked
 * up on the disk or in the pod of the site.
 */
const maxScripts = 3

/** True for a path that stays in its folder and names no hidden file. */
const isPlain = (path: string) =>
  path !== '' && path.split('/').every((part) => part !== '' && !part.startsWith('.'))

type FoundFile = { folder: 'release' | 'writable'; path: string }

/**
 * Resolves the path of a request: a PHP file runs, any other file is sent, and `index.php`, the
 * front controller of PHP programs, handles a missing path.
 */
export async function resolvePhp(site: PhpFiles, target: string): Promise<PhpResolution> {
  const { manifest, layout } = site
  const { writable } = layout
  const root = documentRootOf(manifest)
  const queryStart = target.indexOf('?')
  const rawPath = queryStart === -1 ? target : target.slice(0, queryStart)
  const path = decodePath(rawPath)
  if (path === null) return { kind: 'malformed' }
  if (isHidden(path.slice(1))) return { kind: 'missing' }

  async function find(name: string): Promise<FoundFile | null> {
    if (manifest.has(root + name)) return { folder: 'release', path: root + name }
    const upload = name.startsWith(writable.prefix) ? name.slice(writable.prefix.length) : ''
    return isPlain(upload) && (await site.exists(upload))
      ? { folder: 'writable', path: upload }
      : null
  }

  function run(file: FoundFile, name: string, pathInfo: string): PhpResolution {
    if (file.folder === 'writable' && !writable.mayRun(file.path)) return { kind: 'missing' }
    const filename = `${file.folder === 'release' ? layout.app : writable.sandboxPath}/${file.path}`
    const documentRoot = `${layout.app}/${root}`.replace(/\/$/, '')
    return { kind: 'script', script: { documentRoot, filename, name: `/${name}`, pathInfo } }
  }

  function runOrSend(file: FoundFile, name: string): PhpResolution {
    if (scriptName.test(file.path)) return run(file, name, '')
    if (neverSent.test(file.path)) return { kind: 'missing' }
    return { kind: file.folder === 'release' ? 'file' : 'upload', path: file.path }
  }

  const name = path.slice(1)
  const isFolder = name === '' || name.endsWith('/')
  if (!isFolder) {
    const file = await find(name)
    if (file) return runOrSend(file, name)
  }
  const folder = isFolder ? name : `${name}/`
  for (const index of ['index.php', 'index.html']) {
    const file = await find(folder + index)
    if (!file) continue
    if (isFolder) return runOrSend(file, folder + index)
    const search = queryStart === -1 ? '' : target.slice(queryStart)
    // A target that begins with two slashes would be another host.
    return { kind: 'redirect', to: `/${rawPath.replace(/^\/+/, '')}/${search}` }
  }
  // `/report.php/2026`: the file is the part up to `.php`.
  for (const { index } of name.matchAll(/\.php(?=\/)/gi).take(maxScripts)) {
    const script = name.slice(0, index + '.php'.length)
    const file = await find(script)
    if (file) return run(file, script, name.slice(script.length))
  }
  if (manifest.has(`${root}index.php`))
    return run({ folder: 'release', path: `${root}index.php` }, 'index.php', '')
  return { kind: 'missing' }
}
