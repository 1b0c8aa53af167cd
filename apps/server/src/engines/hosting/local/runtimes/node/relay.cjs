// Runs inside the sandbox of a Node site, before its program and in the same process (decision 53).
// The sandbox has a network of its own with nothing but loopback. This carries requests from the
// socket of the engine to the program's port, and connections out to the engine's proxy.
const http = require('node:http')
const { connect, createServer } = require('node:net')
const { isMainThread } = require('node:worker_threads')

/** The socket that the engine listens on for this process. */
const socketDescriptor = 3
const proxyPort = 3128
const proxySocket = '/runtime/egress/s'
const retryMs = 1_000
/** Set in the processes that this one starts: they do not have its socket. */
const marker = 'SLIPWAY_RELAY'

/**
 * Connects two sockets. Each end of one is an end of the other.
 * @param {import('node:net').Socket} one
 * @param {import('node:net').Socket} other
 */
const join = (one, other) => {
  one.pipe(other)
  other.pipe(one)
  const end = () => {
    one.destroy()
    other.destroy()
  }
  one.on('error', end)
  other.on('error', end)
  one.on('close', () => other.destroy())
  other.on('close', () => one.destroy())
}

/**
 * The program may listen on IPv4 or IPv6 alone.
 * @param {import('node:net').Socket} visitor
 * @param {readonly string[]} hosts
 */
const carryIn = (visitor, [host, ...others]) => {
  const port = Number(process.env.PORT)
  const program = connect({ host, port, allowHalfOpen: true, noDelay: true })
  const fail = () => (others.length > 0 ? carryIn(visitor, others) : visitor.destroy())
  program.once('error', fail)
  program.once('connect', () => {
    program.off('error', fail)
    join(visitor, program)
  })
}

const listenForVisitors = () => {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (visitor) => {
    visitor.on('error', () => visitor.destroy())
    carryIn(visitor, ['127.0.0.1', '::1'])
  })
  // No such descriptor: a process of a build.
  server.on('error', () => undefined)
  server.listen({ fd: socketDescriptor, exclusive: true })
  server.unref()
}

/** One process of the sandbox does this; another follows when it ends. */
const listenForConnections = () => {
  const server = createServer({ allowHalfOpen: true }, (program) => {
    join(program, connect({ path: proxySocket, allowHalfOpen: true }))
  })
  server.on('error', () => setTimeout(listenForConnections, retryMs).unref())
  server.listen({ host: '127.0.0.1', port: proxyPort, exclusive: true })
  server.unref()
}

/**
 * What `NODE_USE_ENV_PROXY=1` does, at the first request instead of the start: it loads 16 MB.
 */
const useProxy = () => {
  const { fetch } = globalThis
  const agent = /** @type {any} */ (http.Agent.prototype)
  const { addRequest } = agent
  const enable = () => {
    globalThis.fetch = fetch
    agent.addRequest = addRequest
    http.setGlobalProxyFromEnv()
  }
  globalThis.fetch = (...args) => {
    enable()
    return fetch(...args)
  }
  const secure = () => require('node:https')
  /** @this {http.Agent} @param {unknown[]} args */
  agent.addRequest = function (...args) {
    const isSecure = this === secure().globalAgent
    enable()
    return /** @type {any} */ (isSecure ? secure().globalAgent : this).addRequest(...args)
  }
  // As Node's own agent, with the proxy: a request to it is written for the proxy from the start.
  const options = { keepAlive: true, scheduling: 'lifo', timeout: 5_000, proxyEnv: process.env }
  http.globalAgent = new http.Agent(/** @type {http.AgentOptions} */ (options))
}

/** Without a sandbox there is no proxy: the network is that of the machine. */
const hasProxy = process.env.HTTP_PROXY === `http://127.0.0.1:${proxyPort}`

if (isMainThread) {
  if (process.env[marker] === undefined) listenForVisitors()
  process.env[marker] = '1'
  if (hasProxy) listenForConnections()
}
if (hasProxy) useProxy()
