import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasDebianPackage } from './testing/debian-package.ts'

const units = fileURLToPath(new URL('../../../deploy/systemd', import.meta.url))
const hasSystemd = await hasDebianPackage('systemd-analyze', 'systemd')

/** The units in a folder of the test, with the path of this machine's Node. */
async function copyUnits() {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-units-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of await readdir(units)) {
    const unit = await readFile(join(units, name), 'utf8')
    const checkedUnit = unit.replaceAll(/^(Exec\w+=)\S+/gm, `$1${process.execPath}`)
    await writeFile(join(folder, name), checkedUnit)
  }
  return folder
}

/** The errors of systemd about the units in a folder; empty if it accepts them. */
async function verify(folder: string) {
  const names = (await readdir(folder)).filter((name) => /\.(service|socket)$/.test(name))
  const paths = names.map((name) => join(folder, name))
  const args = ['verify', '--man=no', ...paths]
  const result = await promisify(execFile)('systemd-analyze', args).catch((error) => error)
  return `${result.stdout}${result.stderr}`
    .split('\n')
    .filter((line) => line.includes('slipway'))
    .join('\n')
}

describe.skipIf(!hasSystemd)('the units of systemd', () => {
  it('are accepted, also with the sites on port 80', async () => {
    const folder = await copyUnits()
    expect(await verify(folder)).toBe('')
    const dropIns = join(folder, 'slipway-sites.socket.d')
    await mkdir(dropIns)
    await writeFile(join(dropIns, 'port.conf'), '[Socket]\nListenStream=\nListenStream=80\n')
    expect(await verify(folder)).toBe('')
  })

  it('are rejected with an invalid setting', async () => {
    const folder = await copyUnits()
    const service = join(folder, 'slipway.service')
    await writeFile(service, `${await readFile(service, 'utf8')}\n[Service]\nKillMode=gently\n`)
    expect(await verify(folder)).toContain('slipway.service')
  })
})

describe('the sockets of systemd', () => {
  it('have the names that the server looks for', async () => {
    const names = await readdir(units)
    const sockets = await Promise.all(
      names
        .filter((name) => name.endsWith('.socket'))
        .map((name) => readFile(join(units, name), 'utf8')),
    )
    const descriptors = sockets.map((unit) => /^FileDescriptorName=(.*)$/m.exec(unit)?.[1]).sort()
    expect(descriptors).toEqual(['console', 'sites', 'sites-tls'])
    for (const unit of sockets) expect(unit).toMatch(/^Service=slipway\.service$/m)
  })
})
