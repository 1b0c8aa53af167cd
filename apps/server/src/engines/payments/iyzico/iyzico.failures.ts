import type { PaymentFailure } from '@slipway/contract/invoices'
import type { IyzicoFailure } from './iyzico.client.ts'

/**
 * Payment failures by iyzico's error group; iyzico recommends the group over the bank's code. With
 * a group that is missing here, such as a communication error, the outcome is unknown.
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

/** Errors of the card, before the bank is involved; the same page, "General Error Codes". */
const byCode: Record<string, PaymentFailure> = {
  12: 'card_not_usable',
  13: 'card_expired',
  14: 'card_expired',
  17: 'card_expired',
}

/** True for errors of the card storage, which have the codes 3000 to 3999 (the same page). */
export const isUnknownCard = ({ errorCode }: IyzicoFailure) => /^3\d{3}$/.test(errorCode)

/** The reason for refusing the card; undefined for an error that is not about the card. */
export const failureOf = ({ errorCode, errorGroup }: IyzicoFailure): PaymentFailure | undefined =>
  byGroup[errorGroup ?? ''] ?? byCode[errorCode]
