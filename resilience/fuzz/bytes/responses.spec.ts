import { describe, expect, it } from 'vitest'
import { readResponses } from './responses.ts'

const read = (text: string, isHead = false) =>
  readResponses(text, () => isHead).map(({ status, body }) => [status, body])

const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'
const chunked = 'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbye\r\n0\r\n\r\n'

describe('the responses of a connection', () => {
  it('are read one after the other, with a length and in chunks', () => {
    expect(read(sized + chunked + sized)).toEqual([
      [200, 'hi'],
      [404, 'bye'],
      [200, 'hi'],
    ])
  })

  it('do not include 100 Continue', () => {
    expect(read(`HTTP/1.1 100 Continue\r\n\r\n${sized}`)).toEqual([[200, 'hi']])
  })

  it('have no body after a HEAD request', () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n'
    expect(read(head + head, true)).toEqual([
      [200, ''],
      [200, ''],
    ])
  })

  it('may end early, because the client left', () => {
    expect(read(sized + chunked.slice(0, -6))).toEqual([
      [200, 'hi'],
      [404, '3\r\nbye\r'],
    ])
  })

  it.each([
    'hello',
    `${sized}rest of another body\r\n\r\n`,
    'HTTP/1.1 200 OK\r\nbro ken: x\r\n\r\n',
  ])('are broken when bytes are no response: %j', (text) => {
    expect(() => read(text)).toThrow(/status line|header/)
  })
})
