/** Types of the parts that we use: the package has none. Callbacks get the raw response body. */
declare module 'iyzipay' {
  type Callback = (error: Error | null, body: unknown) => void
  type Call = (request: object, callback: Callback) => void

  class Iyzipay {
    constructor(config: { uri: string; apiKey: string; secretKey: string })
    card: { create: Call; delete: Call }
    payment: { create: Call }
    reportingTransactionDetails: { retrieve: Call }
    /** Shared by all calls; `body` keeps the last request. */
    _config: { body?: object | undefined }
  }
  export default Iyzipay
}
