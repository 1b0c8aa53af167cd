import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { wordPressFiles } from '../../../apps/server/src/modules/runtime-versions/runtime-versions.fixture.ts'
import { type ArchiveFiles, tarOf, zipOf } from '../../../apps/server/src/testing/archives.ts'
import { UploadedBytes } from './value.ts'

/** The limit of the product's uploads in MB (`RELEASE_MAX_MB`): small, so that one exceeds it. */
export const uploadLimit = 1

const page = { 'index.html': '<h1>An example</h1>' }

/** Header rules that the site gateway parses. */
const headerFiles = [
  '/*\n  X-Frame-Options: DENY\n',
  '/*\n  X: a\r\n  Set-Cookie: a=b\n  : x\n  Content-Length: 5\n  Transfer-Encoding: chunked\n',
  `${'/*'.repeat(3_000)}\n  X: y\n`,
]
const redirectFiles = [
  '/old /new 301\n/a/* /b/:splat 200\n',
  '/* https://evil.example.com/:splat 302\n/* /\r\nSet-Cookie:a=b 301\n/x //evil.example.com\n',
  `/${':a'.repeat(2_000)} /x 301\n${'/*/x '.repeat(2_000)}\n`,
]

/** Files that a release may have. */
const releases: Record<string, string>[] = [
  page,
  { ...page, '404.html': 'Nothing here', 'assets/a.css': 'a{}', 'a b/ç.txt': 'x' },
  ...headerFiles.map((text) => ({ ...page, _headers: text })),
  ...redirectFiles.map((text) => ({ ...page, _redirects: text })),
]

const hostileNames = [
  '../outside.html',
  '/etc/outside',
  'a/../../outside',
  'C:\\outside',
  '..\\outside',
  'a\0b.html',
  './././a',
  'a//b',
  '',
  '.',
  '..',
  'con',
  `${'d/'.repeat(300)}a`,
  'n'.repeat(300),
  'index.html/inside',
  '\u202eexample',
  'constructor',
  '.git/config',
]

const zip = 'application/zip'
const gzip = 'application/gzip'
const upload = (description: string, type: string, bytes: Buffer) =>
  new UploadedBytes(description, type, bytes)

const inBothFormats = async (description: string, all: readonly ArchiveFiles[]) => [
  ...all.map((files, index) => upload(`${description} as zip ${index}`, zip, zipOf(files))),
  ...(await Promise.all(
    all.map(async (files, index) =>
      upload(`${description} as tar ${index}`, gzip, await tarOf(files)),
    ),
  )),
]

const hostileUploads = [
  upload('nothing', zip, Buffer.alloc(0)),
  upload('an empty zip', zip, zipOf({})),
  upload('an empty tar', gzip, await tarOf({})),
  upload('no page', zip, zipOf({ 'readme.txt': 'x' })),
  upload('a zip as gzip', gzip, zipOf(page)),
  upload('a tar.gz as zip', zip, await tarOf(page)),
  upload('gzip of noise', gzip, gzipSync('x'.repeat(2_000))),
  upload('gzip in gzip', gzip, gzipSync(await tarOf(page))),
  upload('a zip of zeros', zip, zipOf({ ...page, 'zeros.bin': new Uint8Array(20 * 2 ** 20) })),
  upload('a tar of zeros', gzip, await tarOf({ ...page, 'zeros.bin': Buffer.alloc(20 * 2 ** 20) })),
  upload('too large', zip, randomBytes(uploadLimit * 2 ** 20 + 1)),
  upload('an odd type', 'application/zip; charset=x', zipOf(page)),
  upload(
    'many files',
    zip,
    zipOf(Object.fromEntries(Array.from({ length: 2_000 }, (_, number) => [`f/${number}`, 'x']))),
  ),
  upload('a link in a zip', zip, zipOf({ ...page, link: { linkTo: '/etc/passwd' } })),
  upload('a link in a tar', gzip, await tarOf({ ...page, link: { linkTo: '../../x' } })),
  upload(
    'devices',
    gzip,
    await tarOf(page, [
      { name: 'null', type: 'character-device' },
      { name: 'pipe', type: 'fifo' },
    ]),
  ),
  upload('a hard link', gzip, await tarOf(page, [{ name: 'hard.html', type: 'link' }])),
  ...hostileNames.map((name) =>
    upload(
      `a file ${JSON.stringify(name).slice(0, 40)} in a zip`,
      zip,
      zipOf({ ...page, [name]: 'x' }),
    ),
  ),
  ...(await Promise.all(
    hostileNames.map(async (name) =>
      upload(
        `a file ${JSON.stringify(name).slice(0, 40)} in a tar`,
        gzip,
        await tarOf({ ...page, [name]: 'x' }),
      ),
    ),
  )),
]

/** Archives that are valid, hostile, cut off, or valid but for a few bytes. */
const uploadsOf = (valid: readonly UploadedBytes[]): fc.Arbitrary<UploadedBytes> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...valid) },
    { weight: 4, arbitrary: fc.constantFrom(...hostileUploads) },
    fc
      .tuple(fc.constantFrom(...valid), fc.nat(100))
      .map(([{ description, type, bytes }, share]) =>
        upload(
          `${share} % of ${description}`,
          type,
          bytes.subarray(0, Math.floor((bytes.length * share) / 100)),
        ),
      ),
    fc
      .tuple(
        fc.constantFrom(...valid),
        fc.array(fc.tuple(fc.nat(10_000), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      )
      .map(([{ description, type, bytes }, changes]) => {
        const changed = Buffer.from(bytes)
        for (const [index, byte] of changes) changed[index % changed.length] = byte
        return upload(`${description} with ${changes.length} changed bytes`, type, changed)
      }),
  )

export const releaseUploads = uploadsOf(await inBothFormats('a site', releases))

/** A version of WordPress, which no machine can run. */
export const versionUploads = uploadsOf(
  await inBothFormats('WordPress', ['6.1.9', '6.5.0', '0'].map(wordPressFiles)),
)
