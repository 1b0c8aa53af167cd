import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root, run, say, seconds, ToolError } from './command.mjs'
import { stampOf } from './freshness.mjs'

const app = join(root, 'apps/console')
const dist = join(app, 'dist')
const work = join(root, 'node_modules/.cache/slipway')

const consoleStamp = () =>
  stampOf(
    'console',
    ['apps/console', 'packages/contract', 'packages/phrases', 'package-lock.json', 'tsconfig.json'],
    // Vite puts these into what it builds.
    JSON.stringify(Object.entries(process.env).filter(([name]) => name.startsWith('VITE_'))),
  )

/** Whether apps/console/dist was built from the sources as they are. */
export function consoleIsCurrent() {
  return existsSync(join(dist, 'index.html')) && consoleStamp().isCurrent()
}

/**
 * Builds the console into apps/console/dist, each file also compressed. The old build is replaced
 * in one step, when the new one is complete.
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
export async function buildConsole(node, env) {
  const started = performance.now()
  say('Building the console ...')
  // Taken before the build: what changes during it makes this build stale.
  const stamp = consoleStamp()
  mkdirSync(work, { recursive: true })
  for (const name of readdirSync(work).filter((name) => name.startsWith('build-'))) {
    rmSync(join(work, name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(work, 'build-'))
  const fresh = join(folder, 'new')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
  const { code, output } = await run(node, args, { cwd: app, env })
  if (code !== 0) throw new ToolError(`${output.trim()}\n\nBuilding the console failed.`)
  await compress(fresh)
  if (existsSync(dist)) renameSync(dist, join(folder, 'old'))
  renameSync(fresh, dist)
  rmSync(folder, { recursive: true, force: true })
  stamp.write()
  say(`Built the console in ${seconds(performance.now() - started)}`)
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants

/** @param {string} folder */
async function compress(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const texts = names.filter((name) => /\.(js|css|html|svg|json|webmanifest)$/.test(name))
  await Promise.all(
    texts.map(async (name) => {
      const path = join(folder, name)
      const content = readFileSync(path)
      const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_SIZE_HINT]: content.length }
      writeFileSync(`${path}.br`, await brotli(content, { params }))
      writeFileSync(`${path}.gz`, await zip(content, { level: 9 }))
    }),
  )
}
