import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../artifacts/manifest.ts'
import { type PhpRuntime, phpLayouts } from '../../fastcgi/php-layout.ts'
import { resolvePhp } from './php-path.ts'

const manifestOf = (paths: readonly string[]): Manifest =>
  new Map(paths.map((path) => [path, { size: 1, digest: '', encodings: {} }]))

/**
 * The target of a path, as text: the file that runs with its path info, or the file that is sent.
 */
async function targetOf(
  path: string,
  files: readonly string[],
  { runtime = 'php', uploads = [] }: { runtime?: PhpRuntime; uploads?: readonly string[] } = {},
) {
  const exists = async (name: string) => uploads.includes(name)
  const layout = phpLayouts[runtime]
  const target = await resolvePhp({ manifest: manifestOf(files), layout, exists }, path)
  if (target.kind === 'script') {
    const { filename, name, pathInfo } = target.script
    return `run ${filename} as ${name}${pathInfo === '' ? '' : ` with ${pathInfo}`}`
  }
  if (target.kind === 'redirect') return `redirect ${target.to}`
  return 'path' in target ? `${target.kind} ${target.path}` : target.kind
}

const site = ['index.php', 'style.css', 'admin/index.php', 'docs/index.html', 'report.php']

describe('a path of a PHP site', () => {
  it.each([
    ['/', 'run /app/index.php as /index.php'],
    ['/style.css?v=2', 'file style.css'],
    ['/report.php?a=/x', 'run /app/report.php as /report.php'],
    ['/report.php/2026/11', 'run /app/report.php as /report.php with /2026/11'],
    ['/admin/', 'run /app/admin/index.php as /admin/index.php'],
    ['/admin?a=1', 'redirect /admin/?a=1'],
    ['//admin', 'run /app/index.php as /index.php'],
    ['/docs/', 'file docs/index.html'],
    ['/posts/hello', 'run /app/index.php as /index.php'],
    ['/missing.php', 'run /app/index.php as /index.php'],
    ['/%', 'malformed'],
    ['/a%00.php', 'malformed'],
  ])('%s leads to: %s', async (path, result) => {
    expect(await targetOf(path, site)).toBe(result)
  })

  it.each(['/.env', '/.git/config', '/docs/.htaccess'])('%s is hidden', async (path) => {
    expect(await targetOf(path, [...site, path.slice(1)])).toBe('missing')
  })

  it.each([
    'wp-config.php.bak',
    'wp-config-sample.txt',
    'old/index.php~',
    'lib/db.inc',
    'index.php_old',
    'index.php-bak',
    '#index.php#',
    'index.php ',
    'error_log',
    'logs/debug.log',
    'a.phtml',
    'a.php5',
    'a.PHAR',
  ])('%s is source code and is not sent', async (path) => {
    expect(await targetOf(`/${encodeURIComponent(path)}`, [...site, path])).toBe('missing')
  })

  it('leads to no file outside of public/ when the framework has that folder', async () => {
    const files = ['public/index.php', 'public/app.css', 'composer.json', 'src/Kernel.php']
    expect(await targetOf('/app.css', files)).toBe('file public/app.css')
    for (const path of ['/', '/composer.json', '/src/Kernel.php'])
      expect(await targetOf(path, files)).toBe('run /app/public/index.php as /index.php')
  })

  it('runs a file in a folder whose name ends like one', async () => {
    const files = [...site, 'old.php/report.php']
    expect(await targetOf('/old.php/report.php/2026', files)).toBe(
      'run /app/old.php/report.php as /old.php/report.php with /2026',
    )
  })

  it('a path of a site without index.php leads to a file or to nothing', async () => {
    expect(await targetOf('/other', ['page.php'])).toBe('missing')
  })
})

describe('a path of the folder that a PHP site writes', () => {
  const uploads = ['cat.jpg', 'shell.php', '.env', 'sub/dog.png']

  it.each([
    ['/uploads/cat.jpg', 'upload cat.jpg'],
    ['/uploads/sub/dog.png', 'upload sub/dog.png'],
    ['/uploads/shell.php', 'missing'],
    ['/uploads/shell.php/x.jpg', 'missing'],
    ['/uploads/.env', 'missing'],
    ['/uploads/none.jpg', 'run /app/index.php as /index.php'],
    ['/uploads/sub/../cat.jpg', 'missing'],
    ['/uploads/..%2fkeys.php', 'missing'],
    ['/uploads/%2e%2e/keys.php', 'missing'],
    ['/uploads/sub%2f.user.ini', 'missing'],
    // A picture is no program, with any path after its name.
    ['/uploads/cat.jpg/x.php', 'run /app/index.php as /index.php'],
    ['/uploads/shell.PHP', 'run /app/index.php as /index.php'],
  ])('%s leads to: %s', async (path, result) => {
    expect(await targetOf(path, site, { uploads })).toBe(result)
  })

  it('is looked up a few times only, however many PHP files the path names', async () => {
    const lookUps: string[] = []
    const exists = async (name: string) => {
      lookUps.push(name)
      return false
    }
    const php = { manifest: manifestOf(site), layout: phpLayouts.wordpress, exists }
    const resolved = await resolvePhp(php, `/wp-content/${'a.php/'.repeat(2_700)}`)
    expect(resolved).toMatchObject({ kind: 'script', script: { name: '/index.php' } })
    expect(lookUps.slice(-3)).toEqual(['a.php', 'a.php/a.php', 'a.php/a.php/a.php'])
    expect(lookUps.length).toBeLessThanOrEqual(6)
  })

  it('runs plugins of WordPress, and no upload', async () => {
    const written = ['plugins/shop/pay.php', 'uploads/2026/shell.php', 'db.php']
    const options = { runtime: 'wordpress', uploads: written } as const
    expect(await targetOf('/wp-content/plugins/shop/pay.php', site, options)).toBe(
      'run /data/wp-content/plugins/shop/pay.php as /wp-content/plugins/shop/pay.php',
    )
    expect(await targetOf('/wp-content/uploads/2026/shell.php', site, options)).toBe('missing')
    expect(await targetOf('/wp-content/db.php', site, options)).toBe('missing')
  })
})
