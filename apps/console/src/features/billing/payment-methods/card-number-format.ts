import { normalizeCardNumber } from '@slipway/contract/cards'

/** The most that any card's number has: ISO/IEC 7812-1. */
const mostDigits = 19

const group = 4

/** A field's text and where its caret stands, in characters from its start. */
export type Typed = { text: string; caret: number }

const onlyDigits = (text: string) => normalizeCardNumber(text).replace(/\D/g, '')

/** The digits as they stand on a card, in fours. */
const grouped = (digits: string) => digits.match(/\d{1,4}/g)?.join(' ') ?? ''

/** Where the caret stands in the grouped number after so many digits: behind a full group's gap, once it has one. */
const caretAfter = (digits: number, isAtEnd: boolean) =>
  digits + Math.floor((isAtEnd && digits % group === 0 ? digits - 1 : digits) / group)

/**
 * What a card number's field shows after somebody has typed, deleted or pasted: `typed` is what the browser
 * made of it, `before` what stood there, `inputType` the browser's word for the change. Deleting at a gap
 * takes the digit on its other side: the gap alone would only come back.
 */
export function typeCardNumber(before: string, typed: Typed, inputType = ''): Typed {
  let digits = onlyDigits(typed.text).slice(0, mostDigits)
  let left = Math.min(onlyDigits(typed.text.slice(0, typed.caret)).length, digits.length)
  const tookGapAlone = typed.text.length < before.length && digits === onlyDigits(before)
  if (tookGapAlone && inputType === 'deleteContentBackward' && left > 0) {
    digits = digits.slice(0, left - 1) + digits.slice(left)
    left--
  } else if (tookGapAlone && inputType === 'deleteContentForward')
    digits = digits.slice(0, left) + digits.slice(left + 1)

  const text = grouped(digits)
  const isDeletion = inputType.startsWith('delete')
  // Before the gap after deleting, so that the next press takes the next digit; behind it after typing.
  const caret = caretAfter(left, isDeletion || left === digits.length)
  return { text, caret: left === 0 ? 0 : Math.min(caret, text.length) }
}
