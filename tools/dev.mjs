import { watch } from 'node:fs'
import { join } from 'node:path'
import { concurrently } from 'concurrently'
import { root, run, runTool, say } from './command.mjs'
import { setUp } from './setup.mjs'

// `npm run dev`: the server, restarted when its sources change, and Vite in front of it, which
// updates open pages. PORT is Vite's; the server has the next one.
await runTool(async () => {
  const { node, env } = await setUp()
  const port = Number(process.env.PORT ?? 3000)
  const serverUrl = `http://localhost:${port + 1}`
  const publicUrl = process.env.PUBLIC_URL ?? `http://localhost:${port}`
  let compiling = Promise.resolve()
  watch(join(root, 'packages/phrases/messages'), { recursive: true }, () => {
    compiling = compiling.then(async () => {
      const { output } = await run(node, ['tools/phrases.mjs'], { env })
      say(`[phrases] ${output.trim() || 'compiled'}`)
    })
  })
  const { result } = concurrently(
    [
      {
        name: 'server',
        command: 'node --watch --watch-preserve-output apps/server/src/main.ts',
        env: { ...env, PORT: `${port + 1}`, PUBLIC_URL: publicUrl },
      },
      {
        name: 'console',
        command: 'vite apps/console',
        env: { ...env, PORT: `${port}`, SERVER_URL: serverUrl },
      },
    ],
    { cwd: root, killOthersOn: ['failure', 'success'], killTimeout: 30_000, prefixColors: 'auto' },
  )
  const code = await result.then(
    () => 0,
    () => 1,
  )
  process.exit(code)
})
