import { ApiError, UnreadableResponse } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'
import { m } from '@slipway/phrases'
import { NetworkError } from './client.ts'

type Texts<Code extends ErrorCode> = Record<Code, (error: ApiError) => string>

/** What the login page may have to say. */
const loginTexts = {
  invalid_credentials: () => m.error_invalid_credentials(),
  user_not_created_with_email: () => m.error_user_not_created_with_email(),
  validation_error: (error: ApiError) =>
    Object.values(error.fields).join(' ') || m.error_validation_error(),
  too_many_requests: () => m.error_too_many_requests(),
  internal_error: ({ context }: ApiError) =>
    context ? m.error_internal_error_with_id({ id: context }) : m.error_internal_error(),
  unavailable: () => m.error_unavailable(),
} satisfies Partial<Texts<ErrorCode>>

/** The others, so that each code has one. */
export type PageErrorTexts = Texts<Exclude<ErrorCode, keyof typeof loginTexts>>

const texts: Partial<Texts<ErrorCode>> = { ...loginTexts }

/** Adds the texts of the other pages, which the login page need not load. */
export function addErrorTexts(more: Partial<PageErrorTexts>) {
  Object.assign(texts, more)
}

/** A sentence of a proxy, which people can read; not markup, nor what a program failed with. */
const isSentence = (text: string) => /^[^<>{}\n]{1,200}$/.test(text)

/** What to tell people about a failed call, in their language. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError) return texts[error.code]?.(error) ?? m.error_internal_error()
  if (error instanceof NetworkError) return m.error_network()
  if (!(error instanceof UnreadableResponse)) return m.error_internal_error()
  const { status, message } = error
  const isTold = status >= 400 && isSentence(message.trim())
  return isTold ? message.trim() : m.error_unreadable({ status })
}
