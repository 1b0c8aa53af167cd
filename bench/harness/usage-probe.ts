// Preloaded into a server: replies to messages with its memory, CPU time or sent requests.
import { subscribe } from 'node:diagnostics_channel'
import { setTimeout } from 'node:timers/promises'

/** The requests that the process has sent since the last report, by their origin. */
let sent: Record<string, number> = {}
subscribe('undici:request:create', (message) => {
  const { request } = message as { request: { origin: string | URL } }
  const origin = String(request.origin)
  sent[origin] = (sent[origin] ?? 0) + 1
})

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
  if (message === 'requests') {
    process.send?.(sent)
    sent = {}
  }
  if (message === 'memory') {
    await collectGarbage()
    process.send?.(process.memoryUsage())
  }
})
// Listening does not keep the process running.
process.channel?.unref()
