import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Opens the two listening sockets and starts the server with them, again and again as systemd does:
 * `socket-owner.fixture.ts <main file> <console port> <sites port> <times>`. It waits
 * synchronously, so that it accepts no connection itself.
 */
const [main = '', ...numbers] = process.argv.slice(2)
const [consolePort, sitesPort, times = 1] = numbers.map(Number)

async function listen(port: number | undefined) {
  const server = createServer()
  server.listen({ port, host: '127.0.0.1', backlog: 4096 })
  await once(server, 'listening')
  // Node has no public name for the descriptor of a socket.
  return (server as unknown as { _handle: { fd: number } })._handle.fd
}

const sockets = [await listen(consolePort), await listen(sitesPort)]
let code: number | null = null
for (let start = 0; start < times; start++) {
  const script = 'LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=console:sites exec "$0" "$1"'
  const stdio = ['ignore', 'inherit', 'inherit', ...sockets] as const
  code = spawnSync('/bin/sh', ['-c', script, process.execPath, main], { stdio: [...stdio] }).status
}
process.exit(code ?? 1)
