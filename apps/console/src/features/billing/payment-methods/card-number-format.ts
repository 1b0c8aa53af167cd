import { normalizeCardNumber } from '@slipway/contract/cards'

/** The maximum length of a card number (ISO/IEC 7812-1). */
const maxDigits = 19

const groupLength = 4

/** A field's text and its caret position in characters. */
export type Typed = { text: string; caret: number }

const onlyDigits = (text: string) => normalizeCardNumber(text).replace(/\D/g, '')

const groupDigits = (digits: string) => digits.match(/\d{1,4}/g)?.join(' ') ?? ''

/** The caret position after a number of digits: behind the space that follows a full group. */
const caretAfter = (digits: number, isAtEnd: boolean) =>
  digits + Math.floor((isAtEnd && digits % groupLength === 0 ? digits - 1 : digits) / groupLength)

/**
 * Formats the text of a card number field after a change. `before` is the previous text, `typed`
 * the browser's result, `inputType` the kind of change. Deleting a space also deletes the digit on
 * its other side: the space alone would be inserted again.
 */
export function formatCardNumberInput(before: string, typed: Typed, inputType = ''): Typed {
  let digits = onlyDigits(typed.text).slice(0, maxDigits)
  let digitsBeforeCaret = Math.min(
    onlyDigits(typed.text.slice(0, typed.caret)).length,
    digits.length,
  )
  const deletedOnlySpace = typed.text.length < before.length && digits === onlyDigits(before)
  if (deletedOnlySpace && inputType === 'deleteContentBackward' && digitsBeforeCaret > 0) {
    digits = digits.slice(0, digitsBeforeCaret - 1) + digits.slice(digitsBeforeCaret)
    digitsBeforeCaret--
  } else if (deletedOnlySpace && inputType === 'deleteContentForward')
    digits = digits.slice(0, digitsBeforeCaret) + digits.slice(digitsBeforeCaret + 1)

  const text = groupDigits(digits)
  const isDeletion = inputType.startsWith('delete')
  // Before the space after deleting, so that the next keystroke deletes a digit; behind it after
  // typing.
  const caret = caretAfter(digitsBeforeCaret, isDeletion || digitsBeforeCaret === digits.length)
  return { text, caret: digitsBeforeCaret === 0 ? 0 : Math.min(caret, text.length) }
}
