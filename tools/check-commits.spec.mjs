import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { checkCommits } from './check-commits.mjs'
import { root } from './command.mjs'

const folder = mkdtempSync(join(tmpdir(), 'slipway-commits-'))
afterAll(() => rmSync(folder, { recursive: true }))

const path = `${join(root, 'node_modules/.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`
const env = { ...process.env, PATH: path }
const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']

/**
 * @param {string} cwd
 * @param {string[]} args
 */
const git = (cwd, ...args) =>
  execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8' }).trim()

/**
 * A repository with a commit of each message.
 * @param {string} name
 * @param {string[]} messages
 */
function createRepository(name, ...messages) {
  const cwd = join(folder, name)
  git(folder, 'init', '--quiet', name)
  cpSync(join(root, 'commitlint.config.mjs'), join(cwd, 'commitlint.config.mjs'))
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'), 'junction')
  for (const message of messages) git(cwd, 'commit', '--quiet', '--allow-empty', '-m', message)
  return { cwd, env, base: git(cwd, 'rev-list', '--max-parents=0', 'HEAD') }
}

describe('the check of commit messages', () => {
  it('accepts conventional messages after the base', async () => {
    const repository = createRepository('good', 'Anything', 'fix(teams): keep the order')
    expect(await checkCommits(repository)).toMatchObject({ code: 0 })
  })

  it('rejects another message after the base', async () => {
    const repository = createRepository('bad', 'Anything', 'Keep the order')
    expect(await checkCommits(repository)).toMatchObject({ code: 1 })
  })

  it('rejects a full history without the base', async () => {
    const { cwd } = createRepository('other', 'fix(teams): keep the order')
    const base = '1'.repeat(40)
    const { code, output } = await checkCommits({ cwd, env, base })
    expect(code).toBe(1)
    expect(output).toContain(`The history lacks the commit ${base}`)
  })

  it('is skipped, with the reason, in a shallow clone and without a repository', async () => {
    const { cwd, base } = createRepository('whole', 'Anything', 'fix(teams): keep the order')
    git(folder, 'clone', '--quiet', '--depth=1', pathToFileURL(cwd).href, 'shallow')
    const shallow = { cwd: join(folder, 'shallow'), env, base }
    expect(await checkCommits(shallow)).toMatchObject({
      code: 0,
      skipped: expect.stringContaining('shallow'),
    })
    expect(await checkCommits({ ...shallow, cwd: folder })).toMatchObject({
      code: 0,
      skipped: 'this is not a Git repository',
    })
  })
})
