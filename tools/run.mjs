import './end-with-parent.mjs'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { forwardSignals, root, runTool } from './command.mjs'
import { setUp } from './setup.mjs'

// `node tools/run.mjs [options of Node] <program> [arguments]` prepares the checkout and runs one
// of its programs in the root folder; after `--here`, in the folder that npm was started in. It
// forwards signals, and ends the program when npm's shell ends.
await runTool(async () => {
  const { node, env } = await setUp()
  const [first = '', ...rest] = process.argv.slice(2)
  const inCallerFolder = first === '--here'
  const args = inCallerFolder ? [join(root, rest[0] ?? ''), ...rest.slice(1)] : [first, ...rest]
  const cwd = inCallerFolder ? (process.env.INIT_CWD ?? process.cwd()) : root
  const child = spawn(node, args, { cwd, env, stdio: 'inherit' })
  forwardSignals(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
})
