import { describe, expect, it } from 'vitest'
import { inheritedSocket } from './inherited-sockets.ts'

const passed = { LISTEN_PID: String(process.pid), LISTEN_FDS: '2', LISTEN_FDNAMES: 'sites:console' }

describe('inheritedSocket', () => {
  it('finds a socket by its name', () => {
    expect(inheritedSocket('sites', passed)).toBe(3)
    expect(inheritedSocket('console', passed)).toBe(4)
  })

  it.each([
    ['no socket was passed', {}],
    ['the sockets are those of another process', { ...passed, LISTEN_PID: '1' }],
    ['fewer sockets were passed than named', { ...passed, LISTEN_FDS: '1' }],
    ['none has the name', { ...passed, LISTEN_FDNAMES: 'sites:metrics' }],
  ])('is undefined when %s', (_, source) => {
    expect(inheritedSocket('console', source)).toBeUndefined()
  })
})
