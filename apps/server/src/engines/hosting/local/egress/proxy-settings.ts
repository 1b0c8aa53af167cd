/** The path, in a sandbox, of the folder with the socket of its proxy. */
export const insideEgress = '/runtime/egress'

/** Where the programs of a sandbox reach the proxy: a relay in the sandbox leads to its socket. */
export const proxyPort = 3128

const proxy = `http://127.0.0.1:${proxyPort}`
const direct = 'localhost,127.0.0.1,::1'

/** How programs find the proxy. Some read only one spelling. */
export const proxyEnv = {
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  http_proxy: proxy,
  https_proxy: proxy,
  NO_PROXY: direct,
  no_proxy: direct,
}
