// Preloaded into a server: reports its memory and CPU time on request.
import { setTimeout } from 'node:timers/promises'

async function collectGarbage() {
  // One collection finalizes, the next one frees; between them pages return to the system.
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.()
    await setTimeout(100)
  }
}

process.on('message', async (message) => {
  if (message === 'cpuTime') {
    const { user, system } = process.cpuUsage()
    process.send?.((user + system) / 1000)
  }
  if (message === 'memory') {
    await collectGarbage()
    process.send?.(process.memoryUsage())
  }
})
// Listening does not keep the process running.
process.channel?.unref()
