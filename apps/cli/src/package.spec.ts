import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL('..', import.meta.url))

it('the packed package runs once it is installed, without other packages', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-package-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const npm = (args: string[], cwd: string) =>
    run('npm', [...args, '--offline', '--cache', join(folder, 'cache')], { cwd })

  const { stdout } = await npm(['pack', '--json', '--pack-destination', folder], packageFolder)
  const { filename } = JSON.parse(stdout.slice(stdout.indexOf('[')))[0] as { filename: string }
  await npm(['install', '--global', '--prefix', folder, join(folder, filename)], folder)

  const manifest = await readFile(join(packageFolder, 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const installed = await run(join(folder, 'bin/slipway'), ['--version'])
  expect(installed.stdout).toBe(`${version}\n`)
})
