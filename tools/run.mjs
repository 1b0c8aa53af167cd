import './end-with-parent.mjs'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { forwardSignals, root, runTool } from './command.mjs'
import { setUp } from './setup.mjs'

// `node tools/run.mjs <program> [arguments]`: sets the checkout up, then runs one of its programs.
await runTool(async () => {
  const { node, env } = await setUp()
  const [program = '', ...args] = process.argv.slice(2)
  const endWithParent = new URL('end-with-parent.mjs', import.meta.url).href
  const child = spawn(node, ['--import', endWithParent, join(root, program), ...args], {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  forwardSignals(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
})
