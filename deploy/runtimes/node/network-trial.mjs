// Runs in the two pods of the network trial: accepts connections, and tries to connect to the other
// pod again and again. Prints a line for each attempt, which the worker reads.
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const port = 8080
const timeoutMs = 1_000
const pauseMs = 300

/** The pod that starts first learns the address of the other one from its first connection. */
let target = process.env.TARGET

createServer((socket) => {
  target ??= socket.remoteAddress
  socket.on('error', () => undefined)
  socket.end()
}).listen(port)

const connects = (host) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    const end = (result) => {
      socket.destroy()
      resolve(result)
    }
    socket.on('connect', () => end(true))
    socket.on('timeout', () => end(false))
    socket.on('error', () => end(false))
  })

for (let attempt = 1; ; attempt += target ? 1 : 0) {
  if (target) process.stdout.write(`${attempt} ${(await connects(target)) ? 'open' : 'closed'}\n`)
  await sleep(pauseMs)
}
