import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './command.mjs'

/**
 * @typedef {{ name: string, versionInfo: string, packageFileName: string,
 *   checksums: { checksumValue: string }[] }} Listed
 */

const read = (/** @type {string} */ path) => JSON.parse(readFileSync(join(root, path), 'utf8'))
/** As `deploy/Containerfile` calls it. */
const [, folders = ''] =
  /tools\/sbom\.mjs ([^>]+) >/.exec(readFileSync(join(root, 'deploy/Containerfile'), 'utf8')) ?? []
const document = JSON.parse(
  execFileSync(process.execPath, ['tools/sbom.mjs', ...folders.trim().split(' ')], {
    cwd: root,
    encoding: 'utf8',
  }),
)
/** @type {Listed[]} */
const [own, ...listed] = document.packages

describe('the bill of materials of the image', () => {
  it('names the folders that the image is made of', () => {
    const copied = [
      ...readFileSync(join(root, 'deploy/Containerfile'), 'utf8').matchAll(
        /^COPY --from=packages \/source\/(\S+) \S+$/gm,
      ),
    ].map(([, folder]) => folder)
    const withPackages = copied.filter(
      (folder) => folder !== 'package.json' && folder !== 'apps/console/dist',
    )
    expect(folders.trim().split(' ')).toEqual(withPackages)
  })

  it('has each package of the lock file that is installed, with version and digest', () => {
    const { packages } = read('package-lock.json')
    for (const { packageFileName, versionInfo, checksums } of listed) {
      const { version, integrity } = packages[packageFileName]
      expect(versionInfo).toBe(version)
      const [{ checksumValue = '' } = {}] = checksums
      expect(`sha512-${Buffer.from(checksumValue, 'hex').toString('base64')}`).toBe(integrity)
    }
  })

  it('is complete: what npm resolves for the server is in it', () => {
    expect(own?.name).toBe('slipway')
    const names = new Set(listed.map(({ name }) => name))
    const pending = Object.keys(read('apps/server/package.json').dependencies)
    const seen = new Set()
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const path = `node_modules/${name}/package.json`
      if (name.startsWith('@slipway/') || seen.has(name) || !existsSync(join(root, path))) continue
      seen.add(name)
      expect(names).toContain(name)
      pending.push(...Object.keys(read(path).dependencies ?? {}))
    }
    // Fastify loads it; `npm sbom` omits it.
    expect(seen).toContain('ajv')
  })
})
