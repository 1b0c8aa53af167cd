import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { root, run, say, seconds, ToolError } from './command.mjs'

/** The oldest Node that runs this script, which installs a newer one. */
const minNode = 20
/** The oldest Node that runs the service. */
const minServiceNode = 24
const cache = join(root, 'node_modules/.cache/slipway')
/** What the compiled phrases are made from; the console and the server contain them. */
const phraseSources = ['packages/phrases', 'tools/phrases.mjs', 'package-lock.json']

/**
 * Prepares a checkout: installs the packages, compiles the phrases, builds the console, the
 * starter site and the server, each only if it is missing or stale.
 * @returns {Promise<{ node: string, env: NodeJS.ProcessEnv }>} the Node that runs everything, and
 *   an environment whose PATH begins with `node_modules/.bin`, so also with a Node installed there
 */
export async function setUp() {
  if (Number.parseInt(process.versions.node, 10) < minNode) {
    throw new ToolError(
      `Node ${minNode} or newer is needed, this is ${process.version} (https://nodejs.org).`,
    )
  }
  await makeIfStale('packages', ['package-lock.json'], 'node_modules', installPackages)
  const node = await findNode()
  const env = {
    // Node reuses compiled code: a warm start takes half the time.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
  }
  await makeIfStale('phrases', phraseSources, 'packages/phrases/src/paraglide/node.js', () =>
    runStep(node, ['tools/phrases.mjs'], env),
  )
  await makeIfStale(
    'console',
    ['apps/console', 'packages/contract', ...phraseSources, 'tsconfig.json'],
    'apps/console/dist/index.html',
    () => buildConsole(node, env),
    // Vite puts these variables into the bundle.
    Object.entries(process.env).filter(([name]) => name.startsWith('VITE_')),
  )
  /** @param {string} config */
  const bundle = (config) =>
    runStep(node, ['node_modules/rolldown/bin/cli.mjs', '--config', config], env)
  await makeIfStale('site', ['apps/site', 'package-lock.json'], 'apps/site/dist/main.js', () =>
    bundle('apps/site/rolldown.config.ts'),
  )
  await makeIfStale(
    'server',
    ['apps/server', 'packages/contract', ...phraseSources],
    'apps/server/dist/main.js',
    () => bundle('apps/server/rolldown.config.ts'),
  )
  return { node, env }
}

/**
 * Runs `make` unless `output` exists and was made from the same `sources`. The stamp is written
 * last, so a killed step runs again.
 * @param {string} name
 * @param {string[]} sources files or folders, from the root
 * @param {string} output
 * @param {() => Promise<void>} make
 * @param {unknown} [settings] further inputs of the output
 */
async function makeIfStale(name, sources, output, make, settings) {
  const stamp = join(cache, `${name}.sha256`)
  const hash = createHash('sha256').update(JSON.stringify(settings ?? ''))
  for (const path of sources.flatMap(filesBelow)) {
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)))
  }
  const digest = hash.digest('hex')
  const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
  if (isFresh && existsSync(join(root, output))) return
  requireWritableCheckout(name)
  const started = performance.now()
  say(`Preparing the ${name} ...`)
  await make()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, digest)
  say(`Prepared the ${name} in ${seconds(performance.now() - started)}`)
}

/** @param {string} name the missing or stale part */
function requireWritableCheckout(name) {
  try {
    accessSync(root, constants.W_OK)
  } catch {
    throw new ToolError(
      `The ${name} in ${root} is missing or stale, and the folder is read-only. Run \`npm run build\` while it is writable, then start again.`,
    )
  }
}

/** Generated files and tests are not sources: writing one must not rebuild the server. */
const isIgnored = (/** @type {string} */ path) =>
  /(^|\/)(node_modules|dist|paraglide|\.cache)$|\.(gen|spec)\.tsx?$/.test(path)

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  if (isIgnored(path)) return []
  if (!statSync(join(root, path)).isDirectory()) return [path]
  const names = readdirSync(join(root, path)).sort()
  return names.flatMap((name) => filesBelow(`${path}/${name}`))
}

async function installPackages() {
  // NODE_ENV=production or a user's npm setting would omit the packages that build the console.
  const args = ['install', '--no-save', '--loglevel=error', '--include=dev', '--include=optional']
  const isWindows = process.platform === 'win32'
  const { code, output } = await run('npm', args, { shell: isWindows }).catch((error) => {
    if (error?.code !== 'ENOENT') throw error
    throw new ToolError('npm was not found. Install it; it comes with Node (https://nodejs.org).')
  })
  if (code !== 0) throw new ToolError(`${output.trim()}\n\nInstalling the packages failed.`)
}

/** The Node of the installed packages, or the current one if it is new enough. */
export async function findNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  for (const name of Object.keys(optionalDependencies)) {
    const path = join(root, 'node_modules', name, program)
    if (!existsSync(path)) continue
    // A glibc binary does not start on a musl system.
    const { code } = await run(path, ['--version']).catch(() => ({ code: 1 }))
    if (code === 0) return path
  }
  if (Number.parseInt(process.versions.node, 10) >= minServiceNode) return process.execPath
  throw new ToolError(
    `No Node package runs on ${process.platform}-${process.arch} here: install Node ${minServiceNode} or newer and start again.`,
  )
}

/**
 * Builds the console into apps/console/dist, with compressed copies of its text files. Only a
 * complete build replaces the old one.
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
async function buildConsole(node, env) {
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'build-'))
  const dist = join(root, 'apps/console/dist')
  try {
    const built = join(work, 'new')
    const args = ['build', 'apps/console', '--outDir', built, '--emptyOutDir', '--logLevel', 'warn']
    await runStep(node, ['node_modules/vite/bin/vite.js', ...args], env)
    await compressTexts(built)
    if (existsSync(dist)) renameSync(dist, join(work, 'old'))
    renameSync(built, dist)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** @param {string} folder */
async function compressTexts(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const texts = names.filter((name) => /\.(js|css|html|svg|json|webmanifest)$/.test(name))
  for (const name of texts) {
    const path = join(folder, name)
    const content = readFileSync(path)
    writeFileSync(`${path}.br`, await promisify(brotliCompress)(content))
    writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}

/**
 * @param {string} node
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function runStep(node, args, env) {
  const { code, output } = await run(node, args, { env })
  if (code !== 0) throw new ToolError(output.trim())
}
