// Loaded into a server before its own code: says what the server has used of memory and processors.
import { setTimeout } from 'node:timers/promises'

async function collectGarbage() {
  // What a collection finalizes, the next one frees; freed pages go back to the system in between.
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.()
    await setTimeout(100)
  }
}

process.on('message', async (message) => {
  if (message === 'processor') {
    const { user, system } = process.cpuUsage()
    process.send?.((user + system) / 1000)
  }
  if (message === 'memory') {
    await collectGarbage()
    process.send?.(process.memoryUsage())
  }
})
// Listening must not keep a server running that is done.
process.channel?.unref()
