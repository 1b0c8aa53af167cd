import { request } from 'node:http'

/** Requests a page of a host name from the site gateway. */
export const sitePage = (port: number, host: string, path = '/') =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    // `fetch` cannot set the Host header.
    const outgoing = request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
