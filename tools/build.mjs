import { runTool } from './command.mjs'
import { setUp } from './setup.mjs'

// `npm run build`: all that `npm start` would prepare, for a checkout that is read-only later.
await runTool(async () => {
  await setUp()
  return 0
})
