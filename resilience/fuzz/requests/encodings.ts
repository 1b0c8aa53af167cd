import { gzipSync } from 'node:zlib'
import { limits } from '@slipway/contract/limits'
import { isObject, toJson, UploadedBytes, type Value } from './value.ts'

type Encoded = { type?: string; coding?: string; bytes: Buffer }

const json = 'application/json'

const padded = (value: Value, length: number) => Buffer.from(toJson(value).padEnd(length, ' '))

/** JSON that has its first field twice, at first with another value. */
const withDuplicateKey = (value: Value) => {
  const [name] = isObject(value) ? Object.keys(value) : []
  const text = toJson(value)
  return name === undefined ? text : `{${JSON.stringify(name)}:{"a":[1]},${text.slice(1)}`
}

const formOf = (value: Value) =>
  new URLSearchParams(
    isObject(value)
      ? Object.entries(value)
          .filter(([, each]) => each !== undefined)
          .map(([name, each]) => [name, String(each).toWellFormed()])
      : [],
  ).toString()

/** The ways a body is sent; for each endpoint all but one are wrong or unusual. */
export const encodings = {
  json: (value: Value): Encoded => ({ type: json, bytes: Buffer.from(toJson(value)) }),
  'json with a charset': (value) => ({
    type: `${json}; charset=utf-8`,
    bytes: Buffer.from(toJson(value)),
  }),
  'json with a duplicate key': (value) => ({
    type: json,
    bytes: Buffer.from(withDuplicateKey(value)),
  }),
  'json with a byte order mark': (value) => ({
    type: json,
    bytes: Buffer.from(`\ufeff${toJson(value)}`),
  }),
  'json with invalid UTF-8': (value) => ({
    type: json,
    bytes: Buffer.from(toJson(value).replace(/e/g, '\xff'), 'latin1'),
  }),
  'json in UTF-16': (value) => ({ type: json, bytes: Buffer.from(toJson(value), 'utf16le') }),
  'json that claims UTF-16': (value) => ({
    type: `${json}; charset=utf-16`,
    bytes: Buffer.from(toJson(value)),
  }),
  'half of its json': (value) => {
    const bytes = Buffer.from(toJson(value))
    return { type: json, bytes: bytes.subarray(0, Math.floor(bytes.length / 2)) }
  },
  'two json values': (value) => ({
    type: json,
    bytes: Buffer.from(`${toJson(value)}${toJson(value)}`),
  }),
  'json of the longest size': (value) => ({ type: json, bytes: padded(value, limits.bodyBytes) }),
  'json that is a byte too long': (value) => ({
    type: json,
    bytes: padded(value, limits.bodyBytes + 1),
  }),
  'json in gzip': (value) => ({ type: json, coding: 'gzip', bytes: gzipSync(toJson(value)) }),
  'json that claims gzip': (value) => ({
    type: json,
    coding: 'gzip',
    bytes: Buffer.from(toJson(value)),
  }),
  'json without a type': (value) => ({ bytes: Buffer.from(toJson(value)) }),
  'json as text': (value) => ({ type: 'text/plain', bytes: Buffer.from(toJson(value)) }),
  'json with an odd type': (value) => ({
    type: 'application/json;;=;charset',
    bytes: Buffer.from(toJson(value)),
  }),
  'a form': (value) => ({
    type: 'application/x-www-form-urlencoded',
    bytes: Buffer.from(formOf(value)),
  }),
  'a multipart form': (value) => ({
    type: 'multipart/form-data; boundary=x',
    bytes: Buffer.from(`--x\r\n\r\n${toJson(value)}\r\n--x--`),
  }),
  'a file': (value) =>
    value instanceof UploadedBytes
      ? { type: value.type, bytes: value.bytes }
      : { type: 'application/zip', bytes: Buffer.from(toJson(value)) },
  nothing: () => ({ type: json, bytes: Buffer.alloc(0) }),
} satisfies Record<string, (value: Value) => Encoded>

export type Encoding = keyof typeof encodings

export const encode = (encoding: Encoding, value: Value): Encoded => encodings[encoding](value)
