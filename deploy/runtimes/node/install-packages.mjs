// Installs the packages of a Node app with `npm ci`, once for a release, in a pod of its own, and
// sends them to the service for the pods that run it. Install scripts are programs of customers
// with the same rights as this one. A failure is written to a file, the message of the container.
import { spawn } from 'node:child_process'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, opendir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'

const folder = process.cwd()
const [taskFile, reportFile] = process.argv.slice(2)
const { url, sent: sentFolder, limits } = JSON.parse(await readFile(taskFile, 'utf8'))
const checkIntervalMs = 1_000

async function fail(failure, detail) {
  await writeFile(reportFile, JSON.stringify({ failure, detail }))
  process.exit(1)
}

/** The size of a folder, until it is above a limit. Links are not followed. */
async function measure(path, size = { bytes: 0, entries: 0, isNative: false }) {
  for await (const entry of await opendir(path).catch(() => [])) {
    const name = join(path, entry.name)
    size.entries += 1
    if (entry.isDirectory()) await measure(name, size)
    // A file that npm has deleted meanwhile has no size.
    else if (entry.isFile()) size.bytes += (await stat(name).catch(() => ({ size: 0 }))).size
    if (entry.name.endsWith('.node')) size.isNative = true
    if (isTooLarge(size)) break
  }
  return size
}
const isTooLarge = ({ bytes, entries }) => bytes > limits.bytes || entries > limits.entries

/** Kills npm and its children, which are one process group. The group may have just ended. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** Runs npm, which ends at a limit. Resolves with its exit status or signal. */
async function install() {
  const startedAt = performance.now()
  const npm = spawn('npm', ['ci', '--omit=dev'], { cwd: folder, detached: true, stdio: 'inherit' })
  const ended = new Promise((resolve, reject) => {
    npm.once('error', reject)
    npm.once('close', (code, signal) => resolve({ code, signal }))
  })
  for (;;) {
    const result = await Promise.race([ended, sleep(checkIntervalMs)])
    if (result) return result
    const isLate = performance.now() - startedAt > limits.seconds * 1_000
    if (!isLate && !isTooLarge(await measure(folder))) continue
    killGroup(npm.pid)
    await fail(isLate ? 'install_timed_out' : 'install_too_large')
  }
}

const { code, signal } = await install()
// npm, or the shell that reports its end, was killed: the container had no memory left.
if (signal === 'SIGKILL' || code === 137) await fail('install_out_of_memory')
if (code !== 0) await fail('install_failed', String(code ?? signal))
const size = await measure(folder)
if (isTooLarge(size)) await fail('install_too_large')

// Packed before it is sent, so that a received archive is complete. npm's cache is deleted to make
// room for it.
const archive = join(tmpdir(), 'packages.tar.gz')
await rm(join(tmpdir(), 'cache'), { recursive: true, force: true })
// An app without packages has no such folder.
await mkdir(join(folder, sentFolder), { recursive: true })
// Without the folder itself, which belongs to root where the archive is unpacked.
const names = sentFolder === '.' ? await readdir(folder) : [sentFolder]
const tar = spawn('tar', ['-cf', '-', '-C', folder, '--null', '-T', '-'], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
tar.stdin.end(names.map((name) => `./${name}\0`).join(''))
const packed = new Promise((resolve, reject) => {
  tar.once('error', reject)
  tar.once('close', resolve)
})
await pipeline(tar.stdout, createGzip({ level: 1 }), createWriteStream(archive))
if ((await packed) !== 0) throw new Error('The packages could not be packed')

const address = new URL(url)
address.searchParams.set('native', size.isNative ? '1' : '0')
const response = await fetch(address, {
  method: 'PUT',
  headers: { 'Content-Type': 'application/gzip' },
  body: await openAsBlob(archive),
})
if (response.status === 413) await fail('install_too_large')
// 409: another pod has sent them meanwhile.
if (!response.ok && response.status !== 409)
  throw new Error(`The packages were not received: status ${response.status}`)
process.exit()
