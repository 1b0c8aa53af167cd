import type { PaymentFailure } from '@slipway/contract/invoices'
import type { IyzicoFailure } from './iyzico.client.ts'

/**
 * Why a bank refused, by iyzico's group of errors: several codes of banks come in one group, and iyzico asks
 * to go by that. A group that is not here, such as an error of communication, leaves open whether the card
 * was charged. https://docs.iyzico.com/en/add-ons/error-codes, "Bank Error Codes".
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

/** Errors about the card itself, before any bank is asked; the same page, "General Error Codes". */
const byCode: Record<string, PaymentFailure> = {
  12: 'card_not_usable',
  13: 'card_expired',
  14: 'card_expired',
  17: 'card_expired',
}

/** True for the errors of the card storage, whose codes are the 3000s (the same page). */
export const isUnknownCard = ({ errorCode }: IyzicoFailure) => /^3\d{3}$/.test(errorCode)

/** Why the card was refused; undefined for an error that says nothing about the card. */
export const failureOf = ({ errorCode, errorGroup }: IyzicoFailure): PaymentFailure | undefined =>
  byGroup[errorGroup ?? ''] ?? byCode[errorCode]
