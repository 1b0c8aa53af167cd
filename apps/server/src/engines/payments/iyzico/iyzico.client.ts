import Iyzipay from 'iyzipay'
import * as z from 'zod/mini'

/** The common part of every response (https://docs.iyzico.com/en/add-ons/error-codes). */
const anyResponse = z.union([
  z.looseObject({ status: z.literal('success') }),
  z.looseObject({
    status: z.literal('failure'),
    errorCode: z.optional(z.string()),
    errorGroup: z.optional(z.nullable(z.string())),
  }),
])

/** The common part of every accepted payment. */
const paid = {
  paymentId: z.union([z.string(), z.number()]),
  fraudStatus: z.optional(z.nullable(z.number())),
}

export type IyzicoFailure = { errorCode: string; errorGroup: string | undefined }

export type IyzicoResult<Response> = { response: Response } | { failure: IyzicoFailure }

type Call = (request: object, callback: (error: Error | null, body: unknown) => void) => void

/** A new error: the package's own may contain the request, and with it the card number. */
const noResponse = (error: Error) => {
  const { code } = error as { code?: unknown }
  return new Error(`iyzico did not respond (${typeof code === 'string' ? code : error.name})`)
}

/** A failure as an error, for codes that do not mean a declined card. */
export const declineError = ({ errorCode, errorGroup }: IyzicoFailure) =>
  new Error(`iyzico rejected the call (${errorCode}${errorGroup ? `, ${errorGroup}` : ''})`)

/** A client for iyzico's API. Calls reject when there is no readable response. */
export function createIyzicoClient(config: { uri: string; apiKey: string; secretKey: string }) {
  const iyzipay = new Iyzipay(config)

  /** Rejects when the signal aborts; the request itself continues, so its outcome is unknown. */
  const send = (call: Call, request: object, signal: AbortSignal) =>
    new Promise<unknown>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      call(request, (error, body) => {
        signal.removeEventListener('abort', abort)
        if (error) reject(noResponse(error))
        else resolve(body)
      })
      // The package keeps the last request, which may contain a card.
      iyzipay._config.body = undefined
    })

  async function execute<Response>(
    call: Call,
    request: object,
    shape: z.ZodMiniType<Response>,
    signal: AbortSignal,
  ): Promise<IyzicoResult<Response>> {
    const body = await send(call, request, signal)
    const response = anyResponse.safeParse(body)
    if (!response.success) throw new Error('iyzico sent an unreadable response')
    if (response.data.status === 'failure') {
      const { errorCode = 'no code', errorGroup } = response.data
      return { failure: { errorCode, errorGroup: errorGroup ?? undefined } }
    }
    const parsed = shape.safeParse(body)
    if (!parsed.success) throw new Error('iyzico sent an unexpected response')
    return { response: parsed.data }
  }

  const of = (resource: object, name: string): Call => {
    const call = (resource as Record<string, Call>)[name]
    if (!call) throw new Error(`the package has no ${name}`)
    return call.bind(resource)
  }

  const calls = {
    createCard: of(iyzipay.card, 'create'),
    deleteCard: of(iyzipay.card, 'delete'),
    createPayment: of(iyzipay.payment, 'create'),
    listPayments: of(iyzipay.reportingTransactionDetails, 'retrieve'),
  }

  return {
    /** https://docs.iyzico.com/en/advanced/card-storage */
    createCard: (request: object, signal: AbortSignal) =>
      execute(
        calls.createCard,
        request,
        z.object({ cardUserKey: z.string(), cardToken: z.string() }),
        signal,
      ),
    deleteCard: (request: object, signal: AbortSignal) =>
      execute(calls.deleteCard, request, z.object({}), signal),

    /**
     * https://docs.iyzico.com/en/payment-methods/api/non-3ds/non-3ds-implementation/create-payment
     */
    createPayment: (request: object, signal: AbortSignal) =>
      execute(calls.createPayment, request, z.object(paid), signal),

    /** https://docs.iyzico.com/en/advanced/reporting-service */
    listPayments: (request: object, signal: AbortSignal) =>
      execute(
        calls.listPayments,
        request,
        z.object({
          payments: z.array(z.object({ ...paid, paymentStatus: z.number() })),
        }),
        signal,
      ),
  }
}
