import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Opens the listening sockets, and starts the server with them `<times>` times, as systemd does for
 * restarts: `socket-owner.fixture.ts <main file> <times> <console port> <sites port> <sites TLS
 * port>`. It waits synchronously, so that it accepts no connection itself.
 */
const [main = '', ...numbers] = process.argv.slice(2)
const [times = 1, ...ports] = numbers.map(Number)

async function listen(port: number) {
  const server = createServer()
  server.listen({ port, host: '127.0.0.1', backlog: 4096 })
  await once(server, 'listening')
  // Node has no public name for the descriptor of a socket.
  return (server as unknown as { _handle: { fd: number } })._handle.fd
}

const sockets = await Promise.all(ports.map(listen))
const names = ['console', 'sites', 'sites-tls'].slice(0, sockets.length).join(':')
let code: number | null = null
for (let start = 0; start < times; start++) {
  const script = `LISTEN_PID=$$ LISTEN_FDS=${sockets.length} LISTEN_FDNAMES=${names} exec "$0" "$1"`
  const stdio = ['ignore', 'inherit', 'inherit', ...sockets] as const
  code = spawnSync('/bin/sh', ['-c', script, process.execPath, main], { stdio: [...stdio] }).status
}
process.exit(code ?? 1)
