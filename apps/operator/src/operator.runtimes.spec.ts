import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createService as createClient } from '@slipway/terminal/service'
import { zipSync } from 'fflate'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cli, createCli, createService, type Service } from './cli.fixture.ts'
import { addWordPress } from './runtimes.ts'

let service: Service
let cli: Cli
let folder: string
beforeAll(async () => {
  service = await createService()
})
afterAll(() => service.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'operator-runtimes-'))
  cli = await createCli({ SLIPWAY_URL: service.url })
  await service.storeSession(cli)
})
afterEach(async () => {
  await cli.remove()
  await rm(folder, { recursive: true })
})

const core = (version: string) => ({
  'wordpress/wp-settings.php': '<?php',
  'wordpress/wp-includes/version.php': `<?php\n$wp_version = '${version}';\n`,
  'wordpress/wp-content/themes/plain/style.css': '/* Theme Name: Plain */',
})

async function zip(name: string, files: Record<string, string>) {
  const path = join(folder, name)
  const entries = Object.entries(files).map(([file, text]) => [
    file,
    new TextEncoder().encode(text),
  ])
  await writeFile(path, zipSync(Object.fromEntries(entries)))
  return path
}
const plugin = () =>
  zip('sqlite.zip', { 'sqlite-database-integration-main/wp-includes/sqlite/db.php': '<?php' })

describe('operator runtime', () => {
  it('adds a version from two zips and lists it', async () => {
    const archive = await zip('wordpress.zip', core('6.5.1'))
    expect(
      await cli.run(['runtime', 'add', 'wordpress', archive, '--sqlite', await plugin()]),
    ).toMatchObject({
      code: 0,
      output: 'WordPress 6.5.1 is added. New projects get it.\n',
    })
    const { output } = await cli.run(['runtime', 'list'])
    expect(output).toMatch(/wordpress\s+6\.5\.1\s+.*[0-9a-f]{64}/)
  })

  it('adds the folder of a package, which has a theme, and follows its links', async () => {
    const site = join(folder, 'usr')
    const linked = join(folder, 'version.php')
    await writeFile(linked, `<?php\n$wp_version = '6.1.9';\n`)
    await mkdir(join(site, 'wp-includes'), { recursive: true })
    await writeFile(join(site, 'wp-settings.php'), '<?php')
    await symlink(linked, join(site, 'wp-includes/version.php'))
    const add = async () =>
      cli.run(['runtime', 'add', 'wordpress', site, '--sqlite', await plugin()])
    const rejected = await add()
    expect([rejected.code, rejected.errors]).toEqual([
      1,
      `${site} has no theme (wp-content/themes), so the pages of every site would be blank. Nothing was added. On Debian: apt install wordpress-theme-twentytwentythree\n`,
    ])

    const theme = join(folder, 'theme')
    await mkdir(theme)
    await writeFile(join(theme, 'style.css'), '/* Theme Name: Plain */')
    await mkdir(join(site, 'wp-content/themes'), { recursive: true })
    await symlink(theme, join(site, 'wp-content/themes/plain'))
    expect((await add()).code).toBe(0)
    expect((await cli.run(['runtime', 'list'])).output).toContain('6.1.9')
  })

  it('waits for the service to unpack a version, longer than for other calls', async () => {
    const token = await service.world.ctx.write((tx) =>
      service.world.ctx.sessions.start(tx, service.operator.id),
    )
    const call = createClient(service.url, token, 'en', { timeoutMs: 0 })
    const archive = await zip('slow.zip', core('6.5.2'))
    const files = { archive, sqlite: await plugin(), sha256: undefined }
    expect(await addWordPress(call, 'wordpress', files, 'en')).toMatchObject({ version: '6.5.2' })
  })

  it('adds nothing if the digest differs, or if the plugin or the archive is missing', async () => {
    const archive = await zip('wordpress.zip', core('6.6.0'))
    const sqlite = await plugin()
    const add = (...more: string[]) => cli.run(['runtime', 'add', 'wordpress', ...more])
    expect((await add(archive, '--sqlite', sqlite, '--sha256', '0'.repeat(64))).errors).toMatch(
      /^The digest of the archive doesn't match: it is [0-9a-f]{64}\./,
    )
    const other = await zip('other.zip', { 'readme/readme.txt': 'x' })
    expect((await add(archive, '--sqlite', other)).errors).toContain("aren't WordPress")
    expect((await add(join(folder, 'none.zip'), '--sqlite', sqlite)).errors).toContain(
      "doesn't exist",
    )
    expect((await add(archive)).errors).toContain('Usage: runtime list')
    expect((await cli.run(['runtime', 'list'])).output).not.toContain('6.6.0')
  })

  it('says so if an archive is damaged or no zip', async () => {
    const sqlite = await plugin()
    const damaged = await zip('damaged.zip', core('6.6.1'))
    const bytes = await readFile(damaged)
    // The content of a file follows its name.
    const start = bytes.indexOf('wp-settings.php') + 'wp-settings.php'.length
    bytes.fill(0xff, start, start + 3)
    await writeFile(damaged, bytes)
    const text = join(folder, 'text.zip')
    await writeFile(text, 'no zip')
    for (const archive of [damaged, text])
      expect(
        await cli.run(['runtime', 'add', 'wordpress', archive, '--sqlite', sqlite]),
      ).toMatchObject({ code: 1, errors: expect.stringMatching(/^These archives aren't .*\n$/) })
  })

  it('rejects the digest of a folder', async () => {
    const options = ['--sqlite', await plugin(), '--sha256', '0'.repeat(64)]
    expect(await cli.run(['runtime', 'add', 'wordpress', folder, ...options])).toMatchObject({
      code: 1,
      errors: `${folder} is a folder, which has no SHA-256. Nothing was added. Leave out --sha256.\n`,
    })
  })
})
