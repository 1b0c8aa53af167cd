import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createCertificateAuthority } from '../../../../../testing/certificate-authority.ts'

/** A page that shows the request for it. */
const showRequest: RequestListener = ({ method, url, headers }, response) =>
  void response.end(`${method} ${url} ${headers.host}`)

/** Servers that stand for the internet, at another address than the loopback of a sandbox. */
export async function startInternet() {
  const authority = await createCertificateAuthority()
  const { key, certificate: cert } = await authority.issue('127.0.0.2')
  const plain = createServer(showRequest)
  const secure = createTlsServer({ key, cert }, showRequest)
  const ports: number[] = []
  for (const server of [plain, secure]) {
    server.listen(0)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    ports.push((server.address() as AddressInfo).port)
  }
  const [http = 0, https = 0] = ports
  return {
    /** The certificate authority of the https server, in PEM. */
    authority: authority.pem,
    urls: [`http://127.0.0.2:${http}/a?b=c`, `https://127.0.0.2:${https}/a?b=c`],
    hosts: [`127.0.0.2:${http}`, `127.0.0.2:${https}`],
    mayConnect: (_address: string, port: number) => ports.includes(port),
  }
}
