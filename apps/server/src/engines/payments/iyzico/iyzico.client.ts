import Iyzipay from 'iyzipay'
import * as z from 'zod/mini'

/** What every answer of iyzico has (https://docs.iyzico.com/en/add-ons/error-codes). */
const anyAnswer = z.union([
  z.looseObject({ status: z.literal('success') }),
  z.looseObject({
    status: z.literal('failure'),
    errorCode: z.optional(z.string()),
    errorGroup: z.optional(z.nullable(z.string())),
  }),
])

/** What every description of a payment has that a bank took. */
const paid = {
  paymentId: z.union([z.string(), z.number()]),
  fraudStatus: z.optional(z.nullable(z.number())),
}

export type IyzicoFailure = { errorCode: string; errorGroup: string | undefined }

/** An answer of iyzico: what was asked for, or why not. */
export type IyzicoAnswer<Answer> = { answer: Answer } | { failure: IyzicoFailure }

type Call = (request: object, callback: (error: Error | null, body: unknown) => void) => void

/** An error of ours alone: theirs may hold what was sent, and a card's number is part of that. */
const noAnswer = (error: Error) => {
  const { code } = error as { code?: unknown }
  return new Error(`iyzico gave no answer (${typeof code === 'string' ? code : error.name})`)
}

/** The failure as an error, for whatever is not known to mean that a card was refused. */
export const refusal = ({ errorCode, errorGroup }: IyzicoFailure) =>
  new Error(`iyzico refused the call (${errorCode}${errorGroup ? `, ${errorGroup}` : ''})`)

/** The calls of iyzico, each a promise that rejects when there is no answer that can be read. */
export function createIyzicoClient(config: { uri: string; apiKey: string; secretKey: string }) {
  const iyzipay = new Iyzipay(config)

  /** Leaves the call alone when the signal aborts: what becomes of it is then to be asked after. */
  const send = (call: Call, request: object, signal: AbortSignal) =>
    new Promise<unknown>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const leave = () => reject(signal.reason)
      signal.addEventListener('abort', leave, { once: true })
      call(request, (error, body) => {
        signal.removeEventListener('abort', leave)
        if (error) reject(noAnswer(error))
        else resolve(body)
      })
      // The package would keep the last card it sent.
      iyzipay._config.body = undefined
    })

  async function ask<Answer>(
    call: Call,
    request: object,
    shape: z.ZodMiniType<Answer>,
    signal: AbortSignal,
  ): Promise<IyzicoAnswer<Answer>> {
    const body = await send(call, request, signal)
    const known = anyAnswer.safeParse(body)
    if (!known.success) throw new Error('iyzico gave an answer that cannot be read')
    if (known.data.status === 'failure') {
      const { errorCode = 'no code', errorGroup } = known.data
      return { failure: { errorCode, errorGroup: errorGroup ?? undefined } }
    }
    const answer = shape.safeParse(body)
    if (!answer.success) throw new Error('iyzico gave an answer of another shape')
    return { answer: answer.data }
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
      ask(
        calls.createCard,
        request,
        z.object({ cardUserKey: z.string(), cardToken: z.string() }),
        signal,
      ),
    deleteCard: (request: object, signal: AbortSignal) =>
      ask(calls.deleteCard, request, z.object({}), signal),

    /** https://docs.iyzico.com/en/payment-methods/api/non-3ds/non-3ds-implementation/create-payment */
    createPayment: (request: object, signal: AbortSignal) =>
      ask(calls.createPayment, request, z.object(paid), signal),

    /** https://docs.iyzico.com/en/advanced/reporting-service */
    listPayments: (request: object, signal: AbortSignal) =>
      ask(
        calls.listPayments,
        request,
        z.object({
          payments: z.array(z.object({ ...paid, paymentStatus: z.number() })),
        }),
        signal,
      ),
  }
}
