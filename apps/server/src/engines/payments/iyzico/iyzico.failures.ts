import type { PaymentFailure } from '@slipway/contract/invoices'
import type { IyzicoFailure } from './iyzico.client.ts'

/**
 * Payment failures by iyzico's error group, which iyzico recommends over the bank's code. A group
 * without an entry, such as a communication error, leaves the outcome unknown.
 * https://docs.iyzico.com/en/add-ons/error-codes, "Bank Error Codes".
 */
const byGroup: Record<string, PaymentFailure> = {
  NOT_SUFFICIENT_FUNDS: 'insufficient_funds',
  EXCEEDS_WITHDRAWAL_AMOUNT_LIMIT: 'insufficient_funds',
  EXPIRED_CARD: 'card_expired',
  DO_NOT_HONOUR: 'card_declined',
  INVALID_TRANSACTION: 'card_declined',
  FRAUD_SUSPECT: 'card_declined',
  REFER_TO_CARD_ISSUER: 'card_declined',
  INVALID_CVC2: 'card_declined',
  INVALID_CVC2_LENGTH: 'card_declined',
  LOST_CARD: 'card_not_usable',
  STOLEN_CARD: 'card_not_usable',
  PICKUP_CARD: 'card_not_usable',
  BLOCKED_CARD: 'card_not_usable',
  NOT_PERMITTED_TO_CARDHOLDER: 'card_not_usable',
  NOT_PERMITTED_TO_TERMINAL: 'card_not_usable',
  RESTRICTED_BY_LAW: 'card_not_usable',
  CARD_NOT_PERMITTED: 'card_not_usable',
  BIN_NOT_FOUND: 'card_not_usable',
  INVALID_CARD_NUMBER: 'card_not_usable',
  NO_SUCH_ISSUER: 'card_not_usable',
}

/** Card errors that iyzico finds before it calls the bank (same page, "General Error Codes"). */
const byCode: Record<string, PaymentFailure> = {
  12: 'card_not_usable',
  13: 'card_expired',
  14: 'card_expired',
  17: 'card_expired',
}

/** True for an error of iyzico's card storage: codes 3000 to 3999 (same page). */
export const isCardStorageError = ({ errorCode }: IyzicoFailure) => /^3\d{3}$/.test(errorCode)

/** Why the card was rejected; undefined for an error that is not about the card. */
export const failureOf = ({ errorCode, errorGroup }: IyzicoFailure): PaymentFailure | undefined =>
  byGroup[errorGroup ?? ''] ?? byCode[errorCode]
