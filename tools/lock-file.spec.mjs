import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * @typedef {{ link?: boolean, integrity?: string, resolved?: string,
 *   optionalDependencies?: Record<string, string> }} Package
 */

/** @type {Record<string, Package>} */
const packages = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)

// It does not declare a platform, so npm would install it beside the native package on each.
const omittedPackages = ['@tailwindcss/oxide-wasm32-wasi']

/**
 * The package that an import in a folder finds.
 * @param {string} path
 * @param {string} name
 * @returns {Package | undefined}
 */
function findPackage(path, name) {
  const found = packages[`${path ? `${path}/` : ''}node_modules/${name}`]
  if (found || path === '') return found
  const parentEnd = path.lastIndexOf('/node_modules/')
  return findPackage(path.slice(0, Math.max(parentEnd, 0)), name)
}

// An install on top of copied packages writes a lock file without digests, and without the packages
// of other platforms.
describe('the lock file', () => {
  it('has the digest of every package, and no address of a registry', () => {
    expect(installed.length).toBeGreaterThan(500)
    expect(installed.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
    expect(installed.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([])
  })

  it('has the optional packages of every package, for all platforms', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !omittedPackages.includes(name) && !findPackage(path, name)?.integrity,
      ),
    )
    expect(missing).toEqual([])
  })
})
