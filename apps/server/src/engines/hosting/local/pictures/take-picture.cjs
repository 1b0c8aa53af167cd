// Runs inside the sandbox of a picture: starts the browser, carries its connections to the engine's
// proxy, and writes a picture of the page to its output. It controls the browser by the DevTools
// protocol over a pipe, so no port is open. Nothing is stored on the disk: /tmp is in memory.
const { spawn } = require('node:child_process')
const { connect, createServer } = require('node:net')

const proxyPort = 3128
const proxySocket = '/runtime/egress/s'
/** The first that makes the picture small enough is used. */
const qualities = [75, 45, 15]

const { browser, url, agent, width, height, smallScale, pictureBytes, loadMs, timeoutMs } =
  JSON.parse(process.argv[2] ?? '')

/** @type {(reason: string) => never} */
const fail = (reason) => {
  process.stderr.write(`${reason}\n`, () => process.exit(1))
  throw new Error(reason)
}

// It ends by then also when the server was killed.
setTimeout(() => process.exit(2), timeoutMs)
process.on('uncaughtException', () => process.exit(1))
process.on('unhandledRejection', () => process.exit(1))

const listenForConnections = () =>
  new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true }, (program) => {
      const proxy = connect({ path: proxySocket, allowHalfOpen: true })
      program.pipe(proxy).pipe(program)
      for (const [one, other] of [
        [program, proxy],
        [proxy, program],
      ]) {
        one?.on('error', () => other?.destroy())
        one?.on('close', () => other?.destroy())
      }
    })
    server.listen({ host: '127.0.0.1', port: proxyPort }, () => resolve(undefined))
  })

const startBrowser = () =>
  spawn(
    browser,
    [
      '--headless',
      // This sandbox is around the whole browser (decision 77).
      '--no-sandbox',
      '--remote-debugging-pipe',
      '--user-data-dir=/tmp/profile',
      `--proxy-server=http://127.0.0.1:${proxyPort}`,
      // Names of this machine are the proxy's to reject, too.
      '--proxy-bypass-list=<-loopback>',
      '--ignore-certificate-errors',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-default-apps',
      '--disable-extensions',
      '--disable-sync',
      '--no-first-run',
      '--no-default-browser-check',
      '--mute-audio',
      // No windows: a page could open itself without end.
      '--block-new-web-contents',
      '--hide-scrollbars',
      '--force-prefers-reduced-motion',
      `--window-size=${width},${height}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )

/** @typedef {{ method: string, params: any }} Event */

/**
 * A client of the DevTools protocol: messages in JSON, each ended by a zero byte.
 * @param {import('node:child_process').ChildProcess} child
 */
function createClient(child) {
  const [, , , input, output] = /** @type {any[]} */ (child.stdio)
  /** @type {Map<number, (message: any) => void>} */
  const waiting = new Map()
  /** @type {((event: Event) => void)[]} */
  const listeners = []
  let text = ''
  let lastId = 0
  input.on('error', () => undefined)
  output.setEncoding('utf8').on('data', (/** @type {string} */ data) => {
    const messages = `${text}${data}`.split('\0')
    text = messages.pop() ?? ''
    for (const message of messages.map((each) => JSON.parse(each)))
      if (message.id === undefined) for (const listener of listeners) listener(message)
      else {
        waiting.get(message.id)?.(message)
        waiting.delete(message.id)
      }
  })
  return {
    /** @param {(event: Event) => void} listener */
    onEvent: (listener) => void listeners.push(listener),
    /**
     * @param {string} method
     * @param {object} [params]
     * @param {string} [sessionId]
     * @returns {Promise<any>}
     */
    send: (method, params = {}, sessionId = undefined) =>
      new Promise((resolve) => {
        const id = ++lastId
        waiting.set(id, ({ result, error }) =>
          error ? fail(`${method}: ${error.message}`) : resolve(result),
        )
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
      }),
  }
}

async function takePicture() {
  await listenForConnections()
  const child = startBrowser()
  child.once('error', (error) => fail(`the browser does not start: ${error.message}`))
  child.once('exit', (code, signal) => fail(`the browser ended: ${code ?? signal}`))
  const client = createClient(child)
  const { product } = await client.send('Browser.getVersion')
  await client.send('Browser.setDownloadBehavior', { behavior: 'deny' })
  const { targetId } = await client.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await client.send('Target.attachToTarget', { targetId, flatten: true })
  /** @type {(method: string, params?: object) => Promise<any>} */
  const page = (method, params) => client.send(method, params, sessionId)

  let status = 0
  const { promise: loaded, resolve: onLoaded } = Promise.withResolvers()
  /** @type {string | undefined} */
  let loader
  client.onEvent(({ method, params }) => {
    if (method === 'Inspector.targetCrashed') fail('the page crashed')
    if (method === 'Page.javascriptDialogOpening')
      void page('Page.handleJavaScriptDialog', { accept: false })
    if (method === 'Network.responseReceived' && params.type === 'Document')
      if (params.frameId === targetId) {
        if (status === 0) setTimeout(onLoaded, loadMs)
        status = params.response.status
      }
    if (method === 'Page.frameNavigated' && params.frame.id === targetId)
      loader = params.frame.loaderId
    // Half a second without requests.
    if (method === 'Page.lifecycleEvent' && params.name === 'networkIdle')
      if (params.loaderId === loader && status > 0) onLoaded(undefined)
  })
  await page('Page.enable')
  await page('Network.enable')
  await page('Inspector.enable')
  await page('Page.setLifecycleEventsEnabled', { enabled: true })
  await page('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor: 1,
    mobile: false,
  })
  const [major] = /\d+/.exec(product) ?? ['0']
  await page('Emulation.setUserAgentOverride', {
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36 ${agent}`,
  })
  // A site with several languages shows its own.
  await page('Network.setExtraHTTPHeaders', { headers: { 'Accept-Language': '*' } })

  page('Page.navigate', { url }).then(
    ({ errorText }) => errorText && fail(`the page does not load: ${errorText}`),
  )
  await loaded
  if (status >= 400) fail(`the site responds with ${status}`)

  const { data: small } = await page('Page.captureScreenshot', {
    format: 'webp',
    quality: 75,
    clip: { x: 0, y: 0, width, height, scale: smallScale },
  })
  for (const quality of qualities) {
    const { data: large } = await page('Page.captureScreenshot', { format: 'webp', quality })
    if (Buffer.byteLength(large, 'base64') > pictureBytes) continue
    process.stdout.write(JSON.stringify({ large, small }), () => process.exit(0))
    return
  }
  fail('the picture is too large')
}

void takePicture()
