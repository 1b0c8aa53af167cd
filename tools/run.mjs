import './end-with-parent.mjs'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { forwardSignals, root, runTool } from './command.mjs'
import { setUp } from './setup.mjs'

// `node tools/run.mjs [options of Node] <program> [arguments]` prepares the checkout and runs one
// of its programs. It forwards signals, and ends the program when npm's shell ends.
await runTool(async () => {
  const { node, env } = await setUp()
  const child = spawn(node, process.argv.slice(2), { cwd: root, env, stdio: 'inherit' })
  forwardSignals(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
})
