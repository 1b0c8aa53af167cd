/** What we use of the package, which has no types: callbacks, with the answer's body as it came. */
declare module 'iyzipay' {
  type Callback = (error: Error | null, body: unknown) => void
  type Call = (request: object, callback: Callback) => void

  class Iyzipay {
    constructor(config: { uri: string; apiKey: string; secretKey: string })
    card: { create: Call; delete: Call }
    payment: { create: Call }
    reportingTransactionDetails: { retrieve: Call }
    /** Shared by all calls; the request of the last one stays in `body`. */
    _config: { body?: object | undefined }
  }
  export default Iyzipay
}
