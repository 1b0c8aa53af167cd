import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const script = `
  import { writeFileSync } from 'node:fs'
  import { useMemoryFolder } from '${new URL('memory-folder.mjs', import.meta.url).href}'
  useMemoryFolder()
  const folder = process.env.TMPDIR
  if (folder?.startsWith('/dev/shm/')) writeFileSync(folder + '/file', '')
  process.stdout.write(folder ?? 'none')`

/** Runs a process that uses the folder in memory, and returns its TMPDIR after its exit. */
function folderOf(env = {}) {
  const { TMPDIR: _ours, ...others } = process.env
  const args = ['--input-type=module', '--eval', script]
  return execFileSync(process.execPath, args, { env: { ...others, ...env }, encoding: 'utf8' })
}
const folder = folderOf()

it.skipIf(folder === 'none')(
  'the folder in memory is removed at the end of its process, or an hour after it was killed',
  () => {
    expect(existsSync(folder)).toBe(false)
    const { pid } = spawnSync(process.execPath, ['--version'])
    const stale = `${dirname(folder)}/sw-${pid}`
    mkdirSync(stale)
    onTestFinished(() => rmSync(stale, { recursive: true, force: true }))
    folderOf()
    expect(existsSync(stale)).toBe(true)
    const anHourAgo = Date.now() / 1000 - 3601
    utimesSync(stale, anHourAgo, anHourAgo)
    folderOf()
    expect(existsSync(stale)).toBe(false)
  },
)

it('keeps a TMPDIR that is already set', () => {
  expect(folderOf({ TMPDIR: '/example' })).toBe('/example')
})
