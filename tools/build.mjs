import { runTool } from './command.mjs'
import { setUp } from './setup.mjs'

// `npm run build`: prepares all that `npm start` needs, for a checkout that is read-only later.
await runTool(async () => {
  await setUp()
  return 0
})
