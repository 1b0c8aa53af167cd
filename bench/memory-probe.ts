// Loaded into a server before its own code: says how much memory it holds, after collecting garbage.
import { setTimeout } from 'node:timers/promises'

async function settle() {
  // What a collection finalizes, the next one frees; freed pages go back to the system in between.
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.()
    await setTimeout(100)
  }
}

process.on('message', async (message) => {
  if (message !== 'memory') return
  await settle()
  process.send?.(process.memoryUsage())
})
// Listening must not keep a server running that is done.
process.channel?.unref()
