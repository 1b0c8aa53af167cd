/** No response arrived: the network or the server is down. */
export class NetworkError extends Error {
  override name = 'NetworkError'
}
