import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Problem, sendProblem } from '../../apps/server/src/gateway/problem-pages.ts'
import type { Picture } from './picture.ts'

/** The problems that visitors of sites meet most often. */
const problems: Problem[] = [
  'site_not_found',
  'site_empty',
  'page_not_found',
  'site_starting',
  'site_stopped',
  'site_suspended',
  'site_not_set_up',
  'site_unreachable',
  'site_failed',
  'site_timeout',
]

/** Serves the gateway's error pages without a gateway: `/<problem>`. */
export async function startProblemPages() {
  const server = createServer((request, response) =>
    sendProblem(request, response, (request.url ?? '').slice(1) as Problem, 'choir.example.com'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/** The gateway's pages in place of a site. `url` is that of `startProblemPages`. */
export const gatewayPictures = (url: string): Picture[] =>
  problems.map((problem) => ({
    name: `gateway-${problem.replaceAll('_', '-')}`,
    show: (page) => page.goto(`${url}/${problem}`),
  }))
