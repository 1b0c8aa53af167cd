import { describe, expect, it } from 'vitest'
import { createOracle } from './foreign-data.ts'

const [adas, shared, operators] = [
  '0192aaaa-0000-7000-8000-000000000001',
  '0192aaaa-0000-7000-8000-000000000002',
  '0192aaaa-0000-7000-8000-000000000003',
]

function oracle() {
  const created = createOracle()
  created.own(adas, 'ada')
  created.own(shared, 'team a')
  return created
}

describe('the oracle of foreign data', () => {
  it.each([
    ['bea', `{"id":"${adas}"}`],
    ['alan', `{"id":"${adas}"}`],
    ['guest', `{"id":"${shared}"}`],
    ['bea', '{"name":"Example zqteamaqz"}'],
    ['alan', '{"text":"Example zqadaqz"}'],
    ['ada', '{"value":"zqsecretqz of a variable"}'],
  ] as const)('reports foreign data in a response to %s: %s', (caller, text) => {
    expect(oracle().foreignDataIn(caller, text, '')).toBeDefined()
  })

  it.each([
    ['ada', `{"id":"${adas}","team":"${shared}","name":"zqteamaqz zqadaqz"}`],
    ['alan', `{"team":"${shared}","name":"zqteamaqz"}`],
  ] as const)('accepts own and team data in a response to %s', (caller, text) => {
    expect(oracle().foreignDataIn(caller, text, '')).toBeUndefined()
  })

  it('accepts an id and a text that the caller sent', () => {
    const sent = `/api/x/${adas} zqadaqz`
    expect(oracle().foreignDataIn('bea', `{"context":"${adas} zqadaqz"}`, sent)).toBeUndefined()
  })

  it('learns the ids of a response, but not those of its request', () => {
    const created = oracle()
    created.learn('team b', `{"id":"${operators}","projectId":"${shared}"}`, shared)
    expect(created.foreignDataIn('ada', operators, '')).toBe(`${operators} of team b`)
    expect(created.foreignDataIn('ada', shared, '')).toBeUndefined()
  })
})
