// Runs before the program of a site: fetches the files of its release and unpacks them, in the
// container `fetch-release` of its pod. They are checked before the program starts.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const [addressFile, folder] = process.argv.slice(2)
const { packages, ...files } = JSON.parse(await readFile(addressFile, 'utf8'))

// A container that was killed may have left some of the files.
for (const name of await readdir(folder))
  await rm(join(folder, name), { recursive: true, force: true })

async function unpack({ url, digest }) {
  const response = await fetch(url)
  if (!response.ok || response.body === null)
    throw new Error(`The files of the release were not sent: status ${response.status}`)

  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const tar = spawn('tar', ['-xzf', '-', '-C', folder], { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = new Promise((resolve, reject) => {
    tar.once('error', reject)
    tar.once('close', (code) =>
      code === 0 ? resolve(undefined) : reject(new Error(`tar ended with ${code}`)),
    )
  })
  await Promise.all([pipeline(Readable.fromWeb(response.body), hashed, tar.stdin), ended])
  if (hash.digest('hex') !== digest)
    throw new Error('The files of the release are not those that were deployed')
}

await unpack(files)
// The packages that `npm ci` has installed, or the whole app after the installation.
if (packages) await unpack(packages)
// The message of this container, for the project's page.
await writeFile('/dev/termination-log', process.versions.node)
