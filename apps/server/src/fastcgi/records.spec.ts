import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHeadReader } from './cgi-response.ts'
import {
  createRecordReader,
  encodePairs,
  endOfStream,
  FastCgiError,
  maxContentBytes,
  recordTypes,
  writeRecords,
} from './records.ts'

const { stdout, stderr, endRequest } = recordTypes

/** The records of a program: output and errors in any order, then its end. */
type Sent = { type: number; content: Buffer; padding: number }

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))
const sent: fc.Arbitrary<Sent> = fc.record({
  type: fc.constantFrom(stdout, stderr),
  content: bytes,
  padding: fc.integer({ min: 0, max: 255 }),
})
const cuts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 50 })

function recordOf({ type, content, padding }: Sent) {
  const head = Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, padding, 0])
  return Buffer.concat([head, content, Buffer.alloc(padding, 'padding')])
}

const endRecord = recordOf({
  type: endRequest,
  content: Buffer.from([0, 0, 1, 2, 3, 0, 0, 0]),
  padding: 0,
})

/** The bytes in chunks of these sizes, repeated. */
function* chunksOf(all: Buffer, sizes: readonly number[]) {
  for (let start = 0, turn = 0; start < all.length; turn++) {
    const size = sizes[turn % sizes.length] as number
    yield all.subarray(start, start + size)
    start += size
  }
}

function readAll(chunks: Iterable<Buffer>) {
  const output: Buffer[] = []
  const errors: Buffer[] = []
  const ends: unknown[] = []
  const read = createRecordReader({
    onStdout: (part) => output.push(part),
    onStderr: (part) => errors.push(part),
    onEnd: (end) => ends.push(end),
  })
  for (const chunk of chunks) read(chunk)
  return { output: Buffer.concat(output), errors: Buffer.concat(errors), ends }
}

const contentOf = (all: readonly Sent[], type: number) =>
  Buffer.concat(all.filter((record) => record.type === type).map(({ content }) => content))

describe('FastCGI records', () => {
  it('are read the same however they are cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(sent), cuts, (all, sizes) => {
        const encoded = Buffer.concat([...all.map(recordOf), endRecord])
        const read = readAll(chunksOf(encoded, sizes))
        expect(read.output).toEqual(contentOf(all, stdout))
        expect(read.errors).toEqual(contentOf(all, stderr))
        expect(read.ends).toEqual([{ appStatus: 258, protocolStatus: 3 }])
      }),
    )
  })

  it('are read or end with an error, for any bytes', () => {
    fc.assert(
      fc.property(fc.array(sent), bytes, cuts, (all, noise, sizes) => {
        const encoded = Buffer.concat([...all.map(recordOf), noise])
        try {
          readAll(chunksOf(encoded, sizes))
        } catch (error) {
          expect(error).toBeInstanceOf(FastCgiError)
        }
      }),
    )
  })

  it.each([
    ['of another version', [2, stdout, 0, 1, 0, 0, 0, 0]],
    ['of another request', [1, stdout, 0, 2, 0, 0, 0, 0]],
    ['of a type that only servers send', [1, recordTypes.stdin, 0, 1, 0, 0, 0, 0]],
    ['that ends the request with too few bytes', [1, endRequest, 0, 1, 0, 2, 0, 0]],
  ])('%s are rejected', (_what, head) => {
    expect(() => readAll([Buffer.from(head)])).toThrow(FastCgiError)
  })

  it('records after the end of the request are rejected', () => {
    const late = recordOf({ type: stdout, content: Buffer.from('x'), padding: 0 })
    expect(() => readAll([endRecord, late])).toThrow(FastCgiError)
  })

  it('carry content of any length, and an empty one ends the stream', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 * maxContentBytes }), (length) => {
        const content = Buffer.alloc(length, 'content ')
        const records = Buffer.concat([...writeRecords(stdout, content), endOfStream(stdout)])
        const read = readAll([Buffer.concat([records, endRecord])])
        expect(read.output.equals(content)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })
})

describe('FastCGI parameters', () => {
  it('have lengths of one byte up to 127, of four from there', () => {
    const long = 'v'.repeat(128)
    expect(encodePairs([['A', 'é']])).toEqual(Buffer.from([1, 1, 0x41, 0xe9]))
    expect(encodePairs([['A', long]]).subarray(0, 5)).toEqual(Buffer.from([1, 0x80, 0, 0, 0x80]))
  })
})

describe('the headers of a CGI response', () => {
  const read = (text: string, sizes: readonly number[] = [text.length]) => {
    const reader = createHeadReader()
    const body: Buffer[] = []
    let head: unknown = null
    for (const chunk of chunksOf(Buffer.from(text, 'latin1'), sizes)) {
      if (head) {
        body.push(chunk)
        continue
      }
      const result = reader.push(chunk)
      if (!result) continue
      head = result.head
      body.push(result.body)
    }
    return { head, body: Buffer.concat(body).toString('latin1') }
  }

  it('are split from the body wherever the chunks are cut', () => {
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r\n'), fc.string(), cuts, (newline, body, sizes) => {
        const head = ['Status: 404 Not Found', 'Set-Cookie: a=1', 'Set-Cookie: b=2']
        const text = `${head.join(newline)}${newline}${newline}${body}`
        expect(read(text, sizes)).toEqual({
          head: { status: 404, headers: { 'set-cookie': ['a=1', 'b=2'] } },
          body: Buffer.from(body, 'latin1').toString('latin1'),
        })
      }),
    )
  })

  it.each([
    ['Content-Type: text/html', 200],
    ['Location: /there', 302],
    ['Status: 301 Moved\nLocation: /there', 301],
  ])('%j have the status %i', (head, status) => {
    expect(read(`${head}\n\n`).head).toMatchObject({ status })
  })

  it.each([
    ['no header', '\n'],
    ['a line without a colon', 'Hello\n\n'],
    ['a name with a blank', 'Content Type: x\n\n'],
    ['a value with a control character', 'X-A: a\u0001\n\n'],
    ['a status that is no number', 'Status: OK\n\n'],
    ['an interim status', 'Status: 100 Continue\n\n'],
    ['more than 64 KiB', `X-A: ${'a'.repeat(70_000)}\n\n`],
    ['64 KiB without an end', 'a'.repeat(70_000)],
  ])('headers with %s are rejected', (_what, text) => {
    expect(() => read(text)).toThrow(FastCgiError)
  })

  it('may have the name of a property of every object', () => {
    const headers = read('__proto__: a\nconstructor: b\n\n').head
    expect(JSON.stringify(headers)).toBe(
      '{"status":200,"headers":{"__proto__":"a","constructor":"b"}}',
    )
  })
})
