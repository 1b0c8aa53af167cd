import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import { sendProblem } from './problem-pages.ts'
import { reachPath, reachProof } from './reach.ts'
import type { Target } from './target.ts'

/** The paths that the gateway serves itself, at every host. */
export type OwnPaths = {
  challenges: {
    /**
     * The response to an HTTP-01 challenge (RFC 8555 §8.3); null if no order waits for it: the site
     * may have ordered a certificate itself. Any client may request it, at any rate.
     */
    find(host: string, token: string): Promise<string | null>
  }
  /** See `reachProof`. */
  reachKey: Buffer
}

type Options = OwnPaths & {
  /** The default hosts of sites are below it; only the service orders certificates for them. */
  sitesDomain: string
}

const challengePath = '/.well-known/acme-challenge/'

const tokenAfter = (prefix: string, path: string): string | undefined => {
  if (!path.startsWith(prefix)) return undefined
  const [, token] = /^([\w-]{16,512})(?:\?|$)/.exec(path.slice(prefix.length)) ?? []
  return token
}

/** True for a path that a certificate authority requests: it is never redirected. */
export const isChallenge = (path: string): boolean => path.startsWith(challengePath)

/**
 * Responds to the paths of the gateway itself. Every other request goes to `serve`, at once or
 * after the lookup of a challenge.
 */
export function createOwnPaths(
  { challenges, reachKey, sitesDomain }: Options,
  log: Pick<Log, 'warn'>,
) {
  async function sendChallenge(
    request: IncomingMessage,
    response: ServerResponse,
    host: string,
    token: string,
    serve: () => void,
  ) {
    let keyAuthorization: string | null
    try {
      keyAuthorization = await challenges.find(host, token)
    } catch (err) {
      log.warn({ err }, 'A challenge of a certificate authority could not be looked up')
      return sendProblem(request, response, 'site_unreachable', host)
    }
    if (response.destroyed) return
    if (keyAuthorization === null) serve()
    else sendText(response, 'application/octet-stream', keyAuthorization)
  }

  return {
    send(
      request: IncomingMessage,
      response: ServerResponse,
      { host, path }: Target,
      serve: () => void,
    ): void {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const challenge = isRead ? tokenAfter(challengePath, path) : undefined
      const token = isRead ? tokenAfter(reachPath, path) : undefined
      // A site that responded there could get a certificate for a name of the service.
      const isOurs = isChallenge(path) && host.endsWith(`.${sitesDomain}`)
      const serveOther = isOurs
        ? () => sendProblem(request, response, 'page_not_found', host)
        : serve
      if (challenge !== undefined)
        void sendChallenge(request, response, host, challenge, serveOther)
      else if (token !== undefined)
        sendText(response, 'text/plain', reachProof(reachKey, host, token))
      else serveOther()
    },
  }
}

function sendText(response: ServerResponse, type: string, text: string) {
  response.writeHead(200, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(text)
}
