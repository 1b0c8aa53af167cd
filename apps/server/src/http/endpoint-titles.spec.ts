import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { namedEndpoints, title } from '../testing/declared-endpoints.ts'

/** The names of the endpoints whose title is the outer title of tests in this file. */
const titledIn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^describe\(title\((\w+)\)/gm)].map(([, name]) => name)

describe('the tests of each endpoint', () => {
  it('are in a spec below its method and path', async () => {
    const endpoints = await namedEndpoints()
    const specs = globSync(`${import.meta.dirname}/../**/*.spec.ts`)
    const names = new Set(specs.flatMap(titledIn))
    const untested = endpoints.filter(([name]) => !names.has(name))
    expect(untested.map(([, endpoint]) => title(endpoint))).toEqual([])
  })
})
