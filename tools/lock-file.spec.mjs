import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * @typedef {{ link?: boolean, inBundle?: boolean, integrity?: string, resolved?: string,
 *   version?: string, optionalDependencies?: Record<string, string> }} Package
 */

/** @type {Record<string, Package>} */
const packages = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)

// An install on top of copied packages writes a lock file without digests, and without the packages
// of other platforms.
describe('the lock file', () => {
  it('has the digest of every package, and no address of a registry', () => {
    expect(installed.length).toBeGreaterThan(500)
    expect(installed.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
    expect(installed.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([])
  })

  it.each(['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-x64-musl', 'win32-x64-msvc'])(
    'has the packages of %s, such as that of argon2',
    (platform) => {
      expect(packages).toHaveProperty([`node_modules/@node-rs/argon2-${platform}`])
    },
  )
})
