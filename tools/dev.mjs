import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root, run, runTool, say } from './command.mjs'
import { setUp } from './setup.mjs'

const onWindows = process.platform === 'win32'

// `npm run dev`: the server, started again when its sources change, and Vite's server before it,
// which changes pages while they are open. PORT is Vite's; the server has the next one.
await runTool(async () => {
  const { node, env: base } = await setUp({ withConsole: false })
  const port = Number(process.env.PORT ?? 3000)
  const serverPort = port + 1
  const env = process.stdout.isTTY ? { ...base, FORCE_COLOR: '1' } : base
  const publicUrl = process.env.PUBLIC_URL ?? `http://localhost:${port}`

  const main = join(root, 'apps/server/src/main.ts')
  const server = start('server', node, ['--watch', '--watch-preserve-output', main], {
    cwd: root,
    env: { ...env, PORT: `${serverPort}`, PUBLIC_URL: publicUrl },
  })
  const vite = start('console', node, [join(root, 'node_modules/vite/bin/vite.js')], {
    cwd: join(root, 'apps/console'),
    env: { ...env, PORT: `${port}`, SERVER_URL: `http://localhost:${serverPort}` },
  })
  watchPhrases(() => run(node, [join(root, 'tools/phrases.mjs')], { env }))

  const children = [server, vite]
  let signals = 0
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      signals += 1
      for (const child of children) end(child, signals > 1)
    })
  }
  // Half of it is of no use: what ends on its own ends the other one too.
  const codes = children.map((child) => once(child, 'exit'))
  const [code] = await Promise.race(codes)
  for (const child of children) end(child, false)
  await Promise.all(codes)
  // What watches the phrases would go on.
  process.exit(signals > 0 ? 0 : (code ?? 1))
})

/**
 * Starts a program and shows its output, each line with its name before it.
 * @param {string} name
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
function start(name, program, args, options) {
  // In a group of its own: Ctrl-C reaches this process alone, which then ends them in order.
  const stdio = /** @type {const} */ (['ignore', 'pipe', 'pipe'])
  const child = spawn(program, args, { ...options, stdio, detached: !onWindows })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => say(`${name.padEnd(8)}| ${line}`))
  }
  return child
}

/**
 * Asks a program to end, or makes it and all that it has started.
 * @param {import('node:child_process').ChildProcess} child
 * @param {boolean} atOnce
 */
function end(child, atOnce) {
  if (!child.pid || child.exitCode !== null || child.signalCode !== null) return
  if (atOnce && !onWindows) process.kill(-child.pid, 'SIGKILL')
  else child.kill('SIGTERM')
}

/** @param {() => Promise<{ code: number, output: string }>} compile */
function watchPhrases(compile) {
  /** @type {NodeJS.Timeout | undefined} */
  let soon
  let last = Promise.resolve()
  const compileAll = async () => {
    const { code, output } = await compile()
    say(`phrases | ${code === 0 ? 'compiled' : output.trim()}`)
  }
  const messages = join(root, 'packages/phrases/messages')
  for (const language of readdirSync(messages)) {
    watch(join(messages, language), () => {
      // An editor's saving is several changes at once.
      clearTimeout(soon)
      soon = setTimeout(() => {
        last = last.then(compileAll)
      }, 100)
    })
  }
}
